package dev.kiln.explain;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.HandMade.nanos;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.evidence.FlightFiles;
import dev.kiln.evidence.LoadFile;
import dev.kiln.evidence.RunReader;
import dev.kiln.evidence.RunWriter;
import dev.kiln.explain.study.Assessment;
import dev.kiln.model.Metric;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.stats.AnalysisConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was not recorded is not known, and is never zero: each table of a run, cut in each way. */
class CutEvidenceTest {
    private static final List<String> CUTS =
            List.of("missing", "empty", "header only", "first third", "mid-line", "begins late");

    @TempDir
    private Path folder;

    /** What Kiln says of a run. */
    private record Said(Map<String, FindingState> findings, Map<Metric, Double> figures) {
        static Said of(RunEvidence evidence) {
            Assessment assessment = new Assessment(AnalysisConfig.defaults());
            assessment.add(evidence);
            RunResult run =
                    assessment.result("cut").variants().getFirst().runs().getFirst();
            Map<String, FindingState> findings = new LinkedHashMap<>();
            run.explanation().findings().forEach(finding -> findings.put(finding.id(), finding.state()));
            Map<Metric, Double> figures = new LinkedHashMap<>();
            for (Metric metric : Metric.values()) {
                OptionalDouble figure = RunFigures.of(metric, run);
                figure.ifPresent(value -> figures.put(metric, value));
            }
            return new Said(findings, figures);
        }

        /** All that differs from what the whole evidence says, but for what is not said any more. */
        List<String> against(Said whole) {
            List<String> wrong = new ArrayList<>();
            findings.forEach((id, state) -> {
                if (state != FindingState.NOT_OBSERVABLE
                        && state != whole.findings().get(id)) {
                    wrong.add(
                            id + " is " + state + " and was " + whole.findings().get(id));
                }
            });
            figures.forEach((metric, value) -> {
                double was = whole.figures().getOrDefault(metric, Double.NaN);
                // The last second of a table that breaks off is not whole.
                if (!(Math.abs(value - was) <= 0.1 * Math.abs(was)) && value != was) {
                    wrong.add(metric + " is " + value + " and was " + was);
                }
            });
            return wrong;
        }
    }

    @Test
    void aTableThatWasCutSaysNothingWrong() throws IOException {
        Map<String, Service> services = new LinkedHashMap<>();
        services.put("healthy", Service.healthy());
        Service starved = Service.healthy().starved();
        starved.queue = 500;
        services.put("starved", starved);
        services.put("troubled", troubled());
        services.put("recorded", recorded());
        List<String> wrong = new ArrayList<>();
        for (var service : services.entrySet()) {
            Path run = folder.resolve(service.getKey());
            write(service.getValue().evidence(), run);
            Said whole = Said.of(RunReader.read(run));
            for (Path table : tables(run)) {
                String text = Files.readString(table);
                for (String cut : CUTS) {
                    cut(table, text, cut);
                    Said.of(RunReader.read(run))
                            .against(whole)
                            .forEach(what ->
                                    wrong.add(service.getKey() + ", " + table.getFileName() + " " + cut + ": " + what));
                }
                Files.writeString(table, text);
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** The case that was seen: of C2 nothing is known, so nothing is ruled out. */
    @Test
    void starvationIsNotRuledOutByThreadsThatWereNotSampled() throws IOException {
        write(Service.healthy().starved().evidence(), folder);
        Path threads = folder.resolve("threads.csv");
        cut(threads, Files.readString(threads), "first third");
        RunDigest digest = RunDigest.of(RunReader.read(folder), AnalysisConfig.defaults());

        assertThat(digest.observed().c2CpuShare()).isEmpty();
        assertThat(digest.observed().c2WaitShare()).isEmpty();
        assertThat(digest.findings())
                .filteredOn(finding -> finding.id().equals("c2-starved"))
                .extracting(finding -> finding.state())
                .containsExactly(FindingState.NOT_OBSERVABLE);
    }

    private static List<Path> tables(Path run) throws IOException {
        try (var files = Files.list(run)) {
            return files.filter(file -> file.toString().endsWith(".csv"))
                    .filter(file -> !file.endsWith(LoadFile.NAME))
                    .sorted()
                    .toList();
        }
    }

    private static void cut(Path table, String text, String how) throws IOException {
        List<String> lines = text.lines().toList();
        int third = 1 + (lines.size() - 1) / 3;
        switch (how) {
            case "missing" -> Files.deleteIfExists(table);
            case "empty" -> Files.writeString(table, "");
            case "header only" -> Files.writeString(table, lines.getFirst() + "\n");
            case "first third" -> Files.writeString(table, String.join("\n", lines.subList(0, third)) + "\n");
            case "mid-line" -> Files.writeString(table, text.substring(0, text.length() / 2));
            case "begins late" ->
                Files.writeString(
                        table,
                        lines.getFirst() + "\n"
                                + String.join("\n", lines.subList(lines.size() - third / 2, lines.size())) + "\n");
            default -> throw new IllegalArgumentException(how);
        }
    }

    /** Throttled, short of memory and heap, and its code cache is full. */
    private static Service troubled() {
        Service service = Service.healthy();
        service.periods = 10;
        service.throttledPeriods = 5;
        service.collections = 12;
        service.collectionShare = 0.2;
        service.rss = 8L << 30;
        service.codeFull = 1;
        service.workerInvoluntary = 20_000;
        service.stolen = t -> 0.2 * t;
        return service;
    }

    /** A flight recording tells of deoptimisations and pauses. */
    private static Service recorded() {
        Service service = Service.healthy();
        service.asked = false;
        service.c2InPause = 0.8;
        service.counters = false;
        List<FlightDigest.QueueUse> queues = new ArrayList<>();
        List<FlightDigest.FlightDeoptimizations> storm = new ArrayList<>();
        List<FlightDigest.FlightPause> pauses = new ArrayList<>();
        List<FlightDigest.TierShare> tiers = new ArrayList<>();
        List<FlightDigest.FlightCompilations> compilations = new ArrayList<>();
        for (int t = 0; t <= 105; t++) {
            queues.add(new FlightDigest.QueueUse(t * SECOND, "C2", 300, 0, 0, 0));
            storm.add(new FlightDigest.FlightDeoptimizations(t * SECOND, "unstable_if", "", 100));
            pauses.add(new FlightDigest.FlightPause(t * SECOND, "G1", nanos(0.2), ""));
            tiers.add(new FlightDigest.TierShare(t * SECOND, 1, 2, 3, 4, 0));
            compilations.add(new FlightDigest.FlightCompilations(t * SECOND, 4, 1, 0, nanos(0.1), nanos(0.1), ""));
        }
        service.made.flight = Optional.of(new FlightDigest(
                new FlightDigest.FlightJit(compilations, queues, storm, List.of(), List.of()),
                new FlightDigest.FlightCollector(pauses, List.of()),
                new FlightDigest.FlightSamples(tiers, List.of(), List.of(), List.of()),
                List.of()));
        return service;
    }

    private static void write(RunEvidence evidence, Path directory) throws IOException {
        try (RunWriter writer = new RunWriter(directory);
                LoadFile load = new LoadFile(directory)) {
            for (var bin : evidence.load()) {
                load.write(bin);
            }
            evidence.threads().forEach(writer::append);
            evidence.compiler().forEach(writer::append);
            evidence.jit().forEach(writer::append);
            evidence.memory().forEach(writer::append);
            evidence.cgroup().forEach(writer::append);
            evidence.parts().forEach(writer::append);
            evidence.cpus().forEach(writer::append);
            writer.write(evidence.info());
        }
        evidence.flight().ifPresent(flight -> FlightFiles.write(directory, flight));
    }
}
