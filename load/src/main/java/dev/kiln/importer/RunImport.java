package dev.kiln.importer;

import dev.kiln.evidence.FlightFiles;
import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Format.ImportOptions;
import dev.kiln.importer.format.Format.ImportedRun;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.LoadSource.Span;
import dev.kiln.importer.format.SystemLog;
import dev.kiln.jvm.flight.FlightRecording;
import dev.kiln.model.KilnException;
import dev.kiln.model.run.Machine;
import dev.kiln.model.run.Provenance;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Sample.MemorySample;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/** A RunImport imports one run: it finds its zero, aligns the clocks, and lets every source write. */
final class RunImport {
    static final Format RECORDING =
            new Format("a flight recording", head -> head.text().startsWith("FLR\0"), Format.PartOfRun.RECORDING);

    private static final long MILLI = 1_000_000L;

    /** Logs begin and end a little before or after a load; less than this is not a gap. */
    private static final long NOTABLE = 2_000_000_000L;

    /** A series of whole seconds does not carry a phase's exact end. */
    private static final double DIFFERS = 0.005;

    private static final Provenance.SourceBins NO_BINS =
            new Provenance.SourceBins(0, false, Provenance.SourceKind.TIME);

    private record Aligned(SystemLog log, ClockFit fit) {}

    private final ImportedRun run;
    private final ImportOptions options;
    private final List<RunInfo.NotRecorded> notRecorded = new ArrayList<>();
    private final Set<String> notes = new LinkedHashSet<>();
    private final List<LoadSource> loads;
    private final boolean dated;

    RunImport(ImportedRun run, ImportOptions options) {
        this.run = run;
        this.options = options;
        loads = run.loads().stream()
                .sorted(Comparator.comparingLong(
                        (LoadSource load) -> load.dated() ? load.span().fromNanos() : Long.MAX_VALUE))
                .toList();
        long own = loads.stream().filter(LoadSource::dated).count();
        if (own > 0 && own < loads.size()) {
            throw KilnException.usage(
                    "some loads of run " + run.variant() + " " + run.run() + " have times and others have none",
                    "Kiln cannot put them in order: import them one by one");
        }
        dated = own > 0 || options.loadStart().isPresent();
    }

    /** An ImportedExperiment is what is the same in all runs of the experiment. */
    record ImportedExperiment(String kilnVersion, String name, List<String> variants, int runs) {}

    void write(Path directory, ImportedExperiment experiment) {
        long[] shifts = shifts();
        Optional<Span> load = span(shifts);
        List<Span> recordings = recordings();
        List<Aligned> logs = aligned(load, recordings.stream().reduce(Span::join));
        Span whole = Stream.concat(
                        recordings.stream(),
                        logs.stream()
                                .map(log -> log.log().span().shifted(log.fit().shiftNanos())))
                .reduce(Span::join)
                .map(span -> load.map(span::join).orElse(span))
                .or(() -> load)
                .orElse(new Span(0, 0));
        boolean epoch = dated
                || !recordings.isEmpty()
                || logs.stream().anyMatch(log -> log.log().clock() != SystemLog.LogClock.TIME_OF_DAY);
        long launchMillis = epoch ? whole.fromNanos() / MILLI : 0;
        try (RunOutput out = new RunOutput(directory, whole.fromNanos(), launchMillis)) {
            for (int i = 0; i < loads.size(); i++) {
                out.shift(shifts[i]);
                loads.get(i).read(out);
            }
            for (Aligned log : logs) {
                log.log().read(log.fit().shiftNanos() - whole.fromNanos(), out);
            }
            if (!recordings.isEmpty()) {
                flight(directory, whole.fromNanos(), out);
            }
            beyond(logs, whole, out);
            facts(out);
            out.write(info(experiment, launchMillis, out, logs));
        }
    }

    /** Returns what is added to each load's own times: loads without times follow one another. */
    private long[] shifts() {
        long[] shifts = new long[loads.size()];
        long next = options.loadStart().map(RunImport::nanos).orElse(0L);
        for (int i = 0; i < shifts.length; i++) {
            LoadSource load = loads.get(i);
            if (!load.dated()) {
                shifts[i] = next - load.span().fromNanos();
                next += load.span().length();
                if (i > 0) {
                    notes.add("the loads have no times: they are shown as if each began when the one before it ended");
                }
            }
        }
        return shifts;
    }

    private static long nanos(Instant time) {
        return time.toEpochMilli() * MILLI;
    }

    private Optional<Span> span(long[] shifts) {
        Optional<Span> all = Optional.empty();
        for (int i = 0; i < shifts.length; i++) {
            Span span = loads.get(i).span().shifted(shifts[i]);
            all = Optional.of(all.map(span::join).orElse(span));
        }
        return all;
    }

    /** Aligns each log with the load; without one, with a flight recording, or with the log that has the best times. */
    private List<Aligned> aligned(Optional<Span> load, Optional<Span> recording) {
        List<Aligned> aligned = new ArrayList<>();
        List<SystemLog> logs = run.logs().stream()
                .sorted(Comparator.comparing(SystemLog::clock))
                .toList();
        for (SystemLog log : logs) {
            if (!loads.isEmpty() && !dated) {
                notRecorded.add(unaligned(log.what()));
                continue;
            }
            ClockFit fit = fit(log, load, recording, aligned.stream().findFirst());
            fit.words().ifPresent(notes::add);
            aligned.add(new Aligned(log, fit));
        }
        return aligned;
    }

    private static RunInfo.NotRecorded unaligned(String what) {
        return new RunInfo.NotRecorded(
                what, "the load has no times to align it with; give the time when the load began: --load-start TIME");
    }

    private ClockFit fit(SystemLog log, Optional<Span> load, Optional<Span> recording, Optional<Aligned> other) {
        if (load.isPresent()) {
            return ClockFit.of(log, load, options.zone());
        }
        if (recording.isPresent()) {
            return ClockFit.of(log, recording, "the flight recording", options.zone());
        }
        return other.filter(first -> first.log().clock() != log.clock())
                .map(first -> ClockFit.of(
                        log,
                        Optional.of(first.log().span().shifted(first.fit().shiftNanos())),
                        first.log().what(),
                        options.zone()))
                .orElseGet(() -> ClockFit.of(log, Optional.empty(), options.zone()));
    }

    /** Returns the spans that the recordings cover; empty if they cannot be read, or not be aligned with the load. */
    private List<Span> recordings() {
        List<Span> spans = new ArrayList<>();
        for (Path file : run.recordings()) {
            Optional<Instant> begin = FlightRecording.begin(file);
            if (begin.isEmpty()) {
                notRecorded.add(
                        new RunInfo.NotRecorded(file.getFileName().toString(), "not a readable flight recording"));
            } else if (!loads.isEmpty() && !dated) {
                notRecorded.add(unaligned(file.getFileName().toString()));
            } else {
                Instant end = FlightRecording.end(file).orElse(begin.get());
                spans.add(new Span(nanos(begin.get()), Math.max(nanos(begin.get()), nanos(end))));
            }
        }
        return spans;
    }

    /** Digests one recording of the run, the first that can be read. */
    private void flight(Path directory, long zeroNanos, RunOutput out) {
        Instant zero = Instant.ofEpochSecond(
                Math.floorDiv(zeroNanos, 1_000_000_000L), Math.floorMod(zeroNanos, 1_000_000_000L));
        List<Path> readable = run.recordings().stream()
                .filter(file -> FlightRecording.begin(file).isPresent())
                .toList();
        FlightRecording.Digested digested = FlightRecording.digest(readable.getFirst(), zero);
        digested.gaps().forEach(out::gap);
        FlightFiles.write(directory, digested.digest());
        digested.counters().forEach(out::append);
        if (readable.size() > 1) {
            out.gap((readable.size() - 1) + " more recordings of this run were left out: Kiln reads one");
        }
    }

    /** Marks the time before the first sample of threads and after the last one as not sampled. */
    private static void beyond(List<Aligned> logs, Span whole, RunOutput out) {
        Optional<Span> seen = logs.stream()
                .filter(log -> log.log().threads())
                .map(log -> log.log().span().shifted(log.fit().shiftNanos()))
                .reduce(Span::join);
        if (seen.isPresent()) {
            long from = seen.get().fromNanos() - whole.fromNanos();
            long to = seen.get().toNanos() - whole.fromNanos();
            if (from > NOTABLE) {
                out.unseen(0, from);
            }
            if (whole.length() - to > NOTABLE) {
                out.unseen(to, whole.length());
            }
        }
    }

    private void facts(RunOutput out) {
        if (run.facts().residentBytes().isPresent() && !out.phases().all().isEmpty()) {
            long end = out.phases().last().endNanos().orElseThrow();
            out.append(new MemorySample(
                    end,
                    run.facts().residentBytes().getAsLong(),
                    0,
                    0,
                    0,
                    0,
                    0,
                    OptionalLong.empty(),
                    Optional.empty(),
                    Optional.empty()));
        }
        double told = run.facts().throughput().orElse(0);
        if (told > 0 && !out.phases().all().isEmpty() && Math.abs(out.throughput() / told - 1) > DIFFERS) {
            notes.add(String.format(
                    Locale.ROOT,
                    "metrics.json has %,.1f req/s for the last phase, the load's files have %,.1f",
                    told,
                    out.throughput()));
        }
        if (run.facts().startSeconds().isPresent()) {
            notes.add("the start-up time is that of metrics.json");
        }
    }

    private RunInfo info(ImportedExperiment experiment, long launchMillis, RunOutput out, List<Aligned> logs) {
        notes.addAll(out.gaps());
        out.notCounted().ifPresent(notRecorded::add);
        OptionalDouble start = run.facts().startSeconds();
        return new ForeignRun(
                        experiment.kilnVersion(),
                        new ForeignRun.Name(
                                experiment.name(), experiment.variants(), run.variant(), run.run(), experiment.runs()),
                        out.phases(),
                        provenance(out, logs),
                        host(logs),
                        out.rate(),
                        List.copyOf(notes))
                .info(
                        launchMillis,
                        loads.isEmpty() ? "none" : String.join(", ", sources(false)),
                        start.isPresent()
                                ? OptionalLong.of(Math.round(start.getAsDouble() * 1e9))
                                : OptionalLong.empty(),
                        notRecorded);
    }

    private List<String> sources(boolean logs) {
        Set<String> all = new LinkedHashSet<>();
        loads.forEach(load -> all.add(load.what()));
        if (logs) {
            run.logs().forEach(log -> all.add(log.what()));
            if (!run.recordings().isEmpty()) {
                all.add("a flight recording");
            }
        }
        return List.copyOf(all);
    }

    private Provenance provenance(RunOutput out, List<Aligned> logs) {
        return new Provenance(
                sources(true),
                loads.stream()
                        .map(LoadSource::bins)
                        .max(Comparator.comparing(Provenance.SourceBins::kind)
                                .thenComparingLong(Provenance.SourceBins::nanos))
                        .orElse(NO_BINS),
                loads.stream().anyMatch(LoadSource::quantised),
                loads.stream().anyMatch(LoadSource::errorsFromFirstAnswer),
                logs.stream().allMatch(log -> log.log().waits()),
                loads.isEmpty()
                        ? OptionalLong.empty()
                        : logs.stream()
                                .mapToLong(log -> log.fit().uncertaintyNanos())
                                .max(),
                out.unseen());
    }

    private static Machine.HostInfo host(List<Aligned> logs) {
        String kernel = logs.stream()
                .map(log -> log.log().machine().kernel())
                .filter(name -> !name.isEmpty())
                .findFirst()
                .orElse("unknown");
        int cpus = logs.stream()
                .map(log -> log.log().machine().cpus())
                .filter(OptionalInt::isPresent)
                .mapToInt(OptionalInt::getAsInt)
                .findFirst()
                .orElse(0);
        return ForeignRun.host(kernel, cpus);
    }
}
