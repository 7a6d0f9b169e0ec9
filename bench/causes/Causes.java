import dev.kiln.jvm.Jdk;
import dev.kiln.jvm.JdkFinder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Plants each kind of kinds.tsv in a live process, has {@code kiln run} look at it, and prints what was planted against what
 * was told. A run that has a result is not run again.
 */
public class Causes {
    private static final String PROTOCOL = "load=25s,pause=5s,load=10s";
    private static final int CONNECTIONS = 20;

    /** Of what the closed loop served: a load that the target can bear, and that shows what it waits for. */
    private static final double RATE_SHARE = 0.6;

    /** Exit codes of kiln run and kiln report: it ran; it ran, and found a run that is no good. */
    private static final Set<Integer> RAN = Set.of(0, 1);

    /** The exit code of kiln run where this machine cannot. */
    private static final int MACHINE_CANNOT = 3;

    private final List<String> kiln;
    private final String fixtures;
    private final Path out;
    private final boolean quick;

    /** Whether runs that were made are judged again, and none is made. */
    private final boolean anew;

    private final int lastCpu = Runtime.getRuntime().availableProcessors() - 1;

    Causes(List<String> kiln, String fixtures, Path out, boolean quick, boolean anew) {
        this.kiln = kiln;
        this.fixtures = fixtures;
        this.out = out;
        this.quick = quick;
        this.anew = anew;
    }

    /** Arguments: kiln's command, the fixtures' classes, the table, where to, then options. */
    public static void main(String[] args) throws Exception {
        List<String> options = Arrays.asList(args).subList(4, args.length);
        boolean quick = options.contains("--quick");
        Set<String> only = new HashSet<>(List.of(value(options, "--kinds").orElse("").split(",")));
        Set<String> jdks = new HashSet<>(List.of(value(options, "--jdk").orElse(quick ? "25" : "17,25").split(",")));
        List<Kind> kinds = Kind.read(Path.of(args[2]));
        kinds.removeIf(kind -> value(options, "--kinds").isPresent() && !only.remove(kind.name()));
        only.remove("");
        if (!only.isEmpty()) {
            System.err.println("--kinds: no " + String.join(", ", only) + " in " + args[2]);
            System.exit(2);
        }
        Causes causes = new Causes(List.of(args[0].split(" ")), args[1], Path.of(args[3]), quick, options.contains("--anew"));
        List<Outcome> outcomes = new ArrayList<>();
        for (Jdk jdk : found(jdks)) {
            for (Kind kind : kinds) {
                if (jdk.feature() >= kind.fromJdk()) {
                    outcomes.addAll(causes.all(kind, jdk));
                }
            }
        }
        System.exit(Confusion.print(outcomes) ? 0 : 1);
    }

    private static Optional<String> value(List<String> options, String name) {
        int at = options.indexOf(name);
        return at < 0 || at + 1 == options.size() ? Optional.empty() : Optional.of(options.get(at + 1));
    }

    private static List<Jdk> found(Set<String> features) {
        TreeMap<Integer, Jdk> found = new TreeMap<>();
        for (Jdk jdk : new JdkFinder().find()) {
            if (features.contains(Integer.toString(jdk.feature()))) {
                found.putIfAbsent(jdk.feature(), jdk);
            }
        }
        if (found.size() < features.size()) {
            System.err.println("JDKs asked for: " + features + ", found here: " + found.keySet());
        }
        return List.copyOf(found.values());
    }

    /** The closed loop comes first: a rate is a share of what it served. */
    private List<Outcome> all(Kind kind, Jdk jdk) throws IOException, InterruptedException {
        if (anew) {
            return judgedAnew(kind, jdk);
        }
        List<Outcome> outcomes = new ArrayList<>();
        Outcome closed = one(kind, jdk, "closed", List.of());
        outcomes.add(closed);
        if (quick) {
            return outcomes;
        }
        outcomes.add(one(kind, jdk, "closed-recorded", List.of("--flight-recorder")));
        double served = closed.told().map(Told::endPerSecond).orElse(0.0);
        if (!kind.hasRate() && served > 0) {
            String rate = String.format(Locale.ROOT, "%.0f", Math.max(1, RATE_SHARE * served));
            outcomes.add(one(kind, jdk, "rate", List.of("--rate", rate)));
            outcomes.add(one(kind, jdk, "rate-recorded", List.of("--rate", rate, "--flight-recorder")));
        }
        return outcomes;
    }

    /** Judges runs that were made before; {@code kiln report} writes the result of each again. */
    private List<Outcome> judgedAnew(Kind kind, Jdk jdk) throws IOException, InterruptedException {
        List<Outcome> outcomes = new ArrayList<>();
        for (String how : List.of("closed", "closed-recorded", "rate", "rate-recorded")) {
            Path folder = out.resolve(kind.name() + "-" + jdk.feature() + "-" + how);
            Optional<Path> experiment = experiment(folder);
            if (experiment.isPresent()) {
                outcomes.add(new Outcome(
                        kind, jdk.feature(), how, report(experiment.get()), Account.read(account(folder)), false));
            }
        }
        return outcomes;
    }

    /** Returns what is told of an experiment today; empty where {@code kiln report} fails, whatever was told before. */
    private Optional<Told> report(Path experiment) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(kiln);
        words.addAll(List.of("report", experiment.toString()));
        int exit = new ProcessBuilder(words)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start()
                .waitFor();
        Path result = experiment.resolve("result.json");
        if (RAN.contains(exit) && Files.exists(result)) {
            return Told.read(result);
        }
        System.err.println("  exit code " + exit + " and no result: " + experiment);
        return Optional.empty();
    }

    /** Returns the newest experiment in the folder of a kind. */
    private static Optional<Path> experiment(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith("run-"))
                    .max(Comparator.naturalOrder());
        }
    }

    private Outcome one(Kind kind, Jdk jdk, String how, List<String> more) throws IOException, InterruptedException {
        Path folder = out.resolve(kind.name() + "-" + jdk.feature() + "-" + how);
        Path result = folder.resolve("result.json");
        if (!Files.exists(result)) {
            System.err.println(folder.getFileName());
            delete(folder);
            Files.createDirectories(folder);
            if (run(command(kind, jdk, folder, more), folder) == MACHINE_CANNOT) {
                return new Outcome(kind, jdk.feature(), how, Optional.empty(), Optional.empty(), true);
            }
        }
        if (!Files.exists(result)) {
            return new Outcome(kind, jdk.feature(), how, Optional.empty(), Optional.empty(), false);
        }
        return new Outcome(kind, jdk.feature(), how, Told.read(result), Account.read(account(folder)), false);
    }

    private List<String> command(Kind kind, Jdk jdk, Path folder, List<String> more) {
        List<String> words = new ArrayList<>(kiln);
        words.addAll(List.of("run", "--url", "http://localhost:${port}/", "--runs", "1"));
        words.addAll(List.of("--protocol", PROTOCOL, "--connections", Integer.toString(CONNECTIONS)));
        words.addAll(List.of("--cpus", "target=0,load=" + lastCpu, "--name", "run"));
        words.addAll(List.of("--results", folder.toString(), "--json=" + folder.resolve("told.json")));
        words.addAll(more);
        if (quick) {
            words.add("--no-repeat");
        }
        words.addAll(kind.options());
        words.addAll(List.of("--", jdk.home().resolve("bin/java").toString(), "-XX:+UseSerialGC", "-Xmx256m"));
        // A collector of its own takes the place of the usual one.
        if (kind.flags().stream().anyMatch(flag -> flag.matches("-XX:\\+Use\\w+GC"))) {
            words.remove("-XX:+UseSerialGC");
        }
        words.addAll(kind.flags());
        words.addAll(List.of("-cp", fixtures, "dev.kiln.fixtures.faults.FaultServer", "--port", "${port}"));
        words.addAll(List.of("--account", "${run.dir}/planted.csv", "--work"));
        words.addAll(kind.arguments());
        return words;
    }

    /** What Kiln says goes beside the result. The result has its name last, so that half a run is none. Returns the exit code. */
    private static int run(List<String> command, Path folder) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectOutput(folder.resolve("out.txt").toFile())
                .redirectError(folder.resolve("err.txt").toFile())
                .start();
        process.getOutputStream().close();
        int exit = process.waitFor();
        if (RAN.contains(exit) && Files.exists(folder.resolve("told.json"))) {
            Files.move(folder.resolve("told.json"), folder.resolve("result.json"));
        } else {
            System.err.println("  exit code " + exit + " and no result: " + folder.resolve("err.txt"));
        }
        return exit;
    }

    /** That of the last run, which is the one that counts. */
    private static Path account(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.endsWith("planted.csv"))
                    .max(Comparator.comparingInt(
                            file -> Integer.parseInt(file.getParent().getFileName().toString())))
                    .orElse(folder.resolve("planted.csv"));
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
