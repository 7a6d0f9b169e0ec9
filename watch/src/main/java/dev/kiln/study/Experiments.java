package dev.kiln.study;

import dev.kiln.evidence.ExperimentReader;
import dev.kiln.evidence.RunReader;
import dev.kiln.evidence.StudyFile;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.Assessment;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Claim;
import dev.kiln.model.run.DensityStudy;
import dev.kiln.model.run.RunInfo;
import dev.kiln.stats.AnalysisConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Experiments are found in folders, read and assessed: the one way from a folder to what it comes to. */
public final class Experiments {
    private Experiments() {}

    /** Names the runs in no figure, and why; but not those made again, or only watched, which nobody misses. */
    public static List<String> leftOut(List<Path> runs, List<VariantResult> variants) {
        Set<String> notMissed = runs.stream()
                .map(RunReader::info)
                .filter(info -> !info.repeatedFor().isEmpty() || info.watched())
                .map(info -> named(info.variant(), info.run()))
                .collect(Collectors.toSet());
        return variants.stream()
                .flatMap(variant -> variant.runs().stream())
                .filter(run -> !run.valid() && !notMissed.contains(named(run.variant(), run.run())))
                .map(run -> named(run.variant(), run.run()) + ": "
                        + String.join("; ", run.invalidReasons()).replaceAll("\\s*\n\\s*", " "))
                .toList();
    }

    private static String named(String variant, int run) {
        return variant + " run " + run;
    }

    /** Assesses an experiment run by run, keeping digests alone; leftOut gets a sentence on each unreadable one. */
    public static ExperimentResult assess(Path experiment, AnalysisConfig config, Consumer<String> leftOut) {
        ExperimentReader.ExperimentRuns runs = ExperimentReader.find(experiment);
        runs.unreadable().forEach(leftOut);
        return assess(
                runs.directories(),
                StudyFile.CLAIMS.find(experiment).orElse(List.of()),
                StudyFile.DENSITY.find(experiment),
                config);
    }

    private static ExperimentResult assess(
            List<Path> runs, List<Claim> claims, Optional<DensityStudy> density, AnalysisConfig config) {
        Assessment assessment = new Assessment(config, claims);
        String name = "";
        for (Path run : runs) {
            var evidence = RunReader.read(run);
            name = evidence.info().which().experiment();
            assessment.add(evidence);
        }
        return assessment.result(name, density);
    }

    /** Tells whether every run of an experiment can be read. */
    public static boolean whole(Path directory) {
        return ExperimentReader.find(newest(directory)).unreadable().isEmpty();
    }

    /** Assesses a run together with its variant's other runs beside it, whose reference peak is its own too. */
    public static ExperimentResult assessBesideSiblings(Path run, AnalysisConfig config, Consumer<String> leftOut) {
        RunInfo info = RunReader.info(run);
        List<Path> runs = new ArrayList<>();
        for (Path sibling : siblings(run)) {
            try {
                RunInfo other = RunReader.info(sibling);
                if (Files.isSameFile(sibling, run)
                        || (other.which().experiment().equals(info.which().experiment())
                                && other.variant().equals(info.variant())
                                && other.run() != info.run())) {
                    runs.add(sibling);
                }
            } catch (KilnException | IOException e) {
                leftOut.accept(e.getMessage());
            }
        }
        return assess(runs, List.of(), Optional.empty(), config);
    }

    /** Finds the folders of a variant's runs, this one among them. */
    public static List<Path> siblings(Path run) {
        Path own = run.toAbsolutePath().normalize();
        Path parent = own.getParent();
        if (parent == null) {
            return List.of(run);
        }
        try (Stream<Path> all = Files.list(parent)) {
            // A folder that is a link may lead to what somebody else recorded.
            return all.filter(sibling -> sibling.equals(own) || Files.isDirectory(sibling, LinkOption.NOFOLLOW_LINKS))
                    .filter(sibling -> Files.exists(sibling.resolve("run.json")))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            return List.of(run);
        }
    }

    /** Tells whether a result is that of the run in this folder. */
    public static boolean is(RunResult result, Path run) {
        RunInfo info = RunReader.info(run);
        return info.variant().equals(result.variant()) && info.run() == result.run();
    }

    /** Returns the folder itself, or the experiment in it whose last run was launched last. */
    public static Path newest(Path directory) {
        if (!Files.isDirectory(directory)) {
            throw KilnException.usage(
                    "no such folder: " + directory,
                    "name an experiment's folder, such as results/demo-20260102-030405");
        }
        Path whole = directory.toAbsolutePath().normalize();
        // A report that is written anew touches its folder, so the time of the folder says nothing.
        Path newest = ExperimentReader.find(whole)
                .directories()
                .getLast()
                .resolve("../..")
                .normalize();
        return newest.startsWith(whole) ? directory.resolve(whole.relativize(newest)) : directory;
    }
}
