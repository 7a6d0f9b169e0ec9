package dev.kiln.build;

import dev.kiln.build.Outcome.Verdict;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A GateStep is an experiment and its gate, as a step of a build. Kiln runs in a process of its own: a measured service and what
 * tests it must not share a JVM, and a build may run on an older Java than Kiln.
 *
 * @param experiment the experiment file
 * @param tolerance the file of tolerances; empty if the gates of the experiment file decide
 * @param baseline what {@code kiln gate} takes as one; empty if it is the first variant of the experiment
 * @param results the folder for what Kiln records
 * @param launcher the program that starts Kiln: a path, or a name on the PATH
 * @param arguments further options for the command that runs the experiment
 */
public record GateStep(
        Path experiment,
        Optional<Path> tolerance,
        Optional<String> baseline,
        Path results,
        String launcher,
        List<String> arguments) {
    /** Two experiments at a time would measure each other. */
    private static final Lock ONE_AT_A_TIME = new ReentrantLock();

    /** A key of the whole file, in YAML or in JSON. */
    private static final Pattern GATE = Pattern.compile("(?m)^(gate|\\s*[\"']gate[\"'])\\s*:");

    public GateStep {
        arguments = List.copyOf(arguments);
        if (baseline.isPresent() && tolerance.isEmpty()) {
            throw new IllegalArgumentException("there is the baseline " + baseline.get()
                    + ", and no tolerance: name the file that says by how much each metric may differ from it");
        }
    }

    /** Returns the launcher that is given; without one, that of the environment variable {@code KILN}, or {@code kiln}. */
    public static String launcher(String given) {
        return given.isBlank() ? System.getenv().getOrDefault("KILN", "kiln") : given;
    }

    /**
     * Runs the experiment and its gate.
     *
     * @param said takes each line that Kiln prints, as it comes
     * @throws IOException if Kiln cannot be started
     * @throws IllegalArgumentException if nothing says what a gate tolerates: no build is to pass by a gate that there is not
     */
    public Outcome run(Consumer<String> said) throws IOException, InterruptedException {
        requireGate();
        ONE_AT_A_TIME.lockInterruptibly();
        try {
            Set<Path> earlier = folders();
            KilnProcess measured = KilnProcess.run(measuring(), said);
            Optional<Path> recorded = folders().stream()
                    .filter(folder -> !earlier.contains(folder))
                    .findFirst();
            if (baseline.isEmpty() || measured.exitCode() != 0 || recorded.isEmpty()) {
                return outcome(measured, recorded);
            }
            return outcome(KilnProcess.run(judging(recorded.get()), said), recorded);
        } finally {
            ONE_AT_A_TIME.unlock();
        }
    }

    /** A file that is not there is refused by Kiln in its own words. */
    private void requireGate() throws IOException {
        if (tolerance.isEmpty() && Files.isRegularFile(experiment)) {
            String text = new String(Files.readAllBytes(experiment), StandardCharsets.UTF_8);
            if (!GATE.matcher(text).find()) {
                throw new IllegalArgumentException("nothing says what may get worse: " + experiment
                        + " has no gate:, and there is no tolerance; name the file of tolerances, or write a gate: into the"
                        + " experiment file");
            }
        }
    }

    /** Without a baseline, kiln gate runs the experiment itself, until its variants are decided. */
    private List<String> measuring() {
        List<String> words = new ArrayList<>(List.of(launcher));
        if (tolerance.isPresent() && baseline.isEmpty()) {
            words.addAll(List.of(
                    "gate",
                    "--until-decided",
                    experiment.toString(),
                    "--tolerance",
                    tolerance.get().toString()));
        } else {
            words.addAll(List.of("run", experiment.toString()));
            if (tolerance.isEmpty()) {
                words.add("--fail-undecided");
            }
        }
        words.addAll(List.of("--results", results.toString()));
        words.addAll(arguments);
        return words;
    }

    private List<String> judging(Path recorded) {
        return List.of(
                launcher,
                "gate",
                "--baseline",
                baseline.orElseThrow(),
                "--tolerance",
                tolerance.orElseThrow().toString(),
                recorded.toString());
    }

    /** Returns the experiments in the folder of results: Kiln makes a new one each time. */
    private Set<Path> folders() throws IOException {
        if (!Files.isDirectory(results)) {
            return Set.of();
        }
        try (Stream<Path> all = Files.list(results)) {
            return all.filter(Files::isDirectory).collect(Collectors.toSet());
        }
    }

    private static Outcome outcome(KilnProcess kiln, Optional<Path> recorded) {
        Optional<Path> report = recorded.map(
                        folder -> folder.resolve("report.html").toAbsolutePath())
                .filter(Files::isRegularFile);
        String where = report.map(file -> "\nReport: " + file).orElse("");
        return new Outcome(verdict(kiln), kiln.exitCode(), report, kiln.told() + where);
    }

    /** The codes 4 and 5 are those of a gate that its runs cannot decide. */
    private static Verdict verdict(KilnProcess kiln) {
        return switch (kiln.exitCode()) {
            case 0 -> Verdict.PASSED;
            case 4, 5 -> Verdict.UNDECIDED;
            default -> Verdict.FAILED;
        };
    }
}
