package dev.kiln.explain.cause;

import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.JvmOptions;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Modifier.CompilerPriority.ModifiedBy;
import dev.kiln.model.experiment.Target.AotCache;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.RunEvidence;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Remedies are those that several causes have in common. */
final class Remedies {
    /**
     * Effects are measured ones: Spring Boot with 100 platform threads on one CPU of an AMD EPYC, Linux 6.18, JDK 25.0.3,
     * 60 s of load, single runs.
     */
    static final String BASIS = " (measured: Spring Boot, 1 CPU, JDK 25.0.3)";

    private static final FindingRemedy VIRTUAL_THREADS = new FindingRemedy(
                    "serve requests on virtual threads",
                    "spring.threads.virtual.enabled=true; Quarkus: @RunOnVirtualThread",
                    "code that pins a carrier, or relies on a thread pool as a limit, must change; 95 % of peak after 24"
                            + " s instead of never within 120 s" + BASIS,
                    RemedyPlace.LAUNCH_FLAG)
            .tried(Change.with(new Modifier.VirtualThreads()));

    /** Any other framework may have such a switch, or decide it in its code. */
    private static final FindingRemedy VIRTUAL_THREADS_ELSEWHERE = new FindingRemedy(
                    "serve requests on virtual threads, if its framework can",
                    VIRTUAL_THREADS.how(),
                    "nothing shows Spring Boot here, for which this was measured; " + VIRTUAL_THREADS.cost(),
                    RemedyPlace.LAUNCH_FLAG)
            .tried(Change.with(new Modifier.VirtualThreads()));

    static final FindingRemedy PRIORITY_AT_LAUNCH = new FindingRemedy(
                    "give the compiler threads priority from the launch on",
                    "-XX:ThreadPriorityPolicy=1 -XX:CompilerThreadPriority=-20",
                    "needs root or CAP_SYS_NICE, and raises the other priorities of the JVM too; 95 % of peak after 22 s"
                            + BASIS,
                    RemedyPlace.LAUNCH_FLAG)
            .tried(Change.with(new Modifier.CompilerPriority(ModifiedBy.AUTO)));

    static final FindingRemedy BATCH = new FindingRemedy(
                    "let callers wait for their compilation",
                    "-Xbatch",
                    "requests stall while their methods compile, and the start is longer: 11.6 s instead of 8.7 s; 3,164 instead of"
                            + " 1,897 req/s at the end of the warm-up" + BASIS,
                    RemedyPlace.LAUNCH_FLAG)
            .tried(Change.with(new Modifier.XBatch()));

    /** This much traffic is enough for the compilers to find the methods that matter. */
    private static final Duration TRAINING = Duration.ofSeconds(20);

    static final FindingRemedy AOT_TRAFFIC = new FindingRemedy(
                    "train an AOT cache with traffic",
                    "-XX:AOTCacheOutput=app.aot under load, then -XX:AOTCache=app.aot",
                    "a training run for each build; starts in 3.1 s instead of 8.7 s and peaks higher after a pause, but does not end"
                            + " the starvation by itself" + BASIS,
                    RemedyPlace.LAUNCH_FLAG)
            .tried(Change.with(new AotCache.Traffic(TRAINING)));

    static final FindingRemedy C1_ONLY = new FindingRemedy(
                    "switch C2 off",
                    "-XX:TieredStopAtLevel=1",
                    "a lower peak, reached at once",
                    RemedyPlace.LAUNCH_FLAG)
            .tried(Change.with(new Modifier.TieredStopAtLevel(1)));

    static final FindingRemedy READINESS = new FindingRemedy(
            "admit traffic slowly, until C2's queue is drained and the curve is flat",
            "slow start or a readiness gate of the load balancer",
            "other instances carry the load meanwhile",
            RemedyPlace.PLATFORM);

    static final FindingRemedy MORE_CPU = new FindingRemedy(
            "give the service more CPU while it warms up",
            "a higher cgroup weight or a CPU boost at start",
            "CPU that neighbours do not get meanwhile",
            RemedyPlace.PLATFORM);

    private static final String SPRING = "org.springframework.";

    /** Properties of Spring begin so among the options of the JVM. */
    private static final String SPRINGS_PROPERTY = "-dspring.";

    /** The pattern matches what Spring is called in the path of a jar, in a class and in a module. */
    private static final Pattern SPRINGS_NAME = Pattern.compile("spring-?boot|org\\.springframework");

    /** A file name in which it is a word of its own. */
    private static final Pattern SPRINGS_FILE = Pattern.compile("(^|[^a-z])spring([^a-z]|$)");

    private static final Set<String> MODULE = Set.of("-m", "--module");

    private static final Pattern PATH_SEPARATORS = Pattern.compile("[:,]");

    /** Spring Boot gives a thread this name that keeps the JVM alive while its own Tomcat serves. */
    private static final Pattern SPRINGS_THREAD = Pattern.compile("container-\\d+");

    private Remedies() {}

    /** Returns remedies with that of virtual threads: first where Spring serves, and last, with its condition, elsewhere. */
    static List<FindingRemedy> withVirtualThreads(WindowEvidence s, List<FindingRemedy> others) {
        return isOfSpring(s.evidence())
                ? Stream.concat(Stream.of(VIRTUAL_THREADS), others.stream()).toList()
                : Stream.concat(others.stream(), Stream.of(VIRTUAL_THREADS_ELSEWHERE))
                        .toList();
    }

    /** Tells whether something shows Spring: the code that the command runs, a thread dump, or a thread of its own. */
    private static boolean isOfSpring(RunEvidence evidence) {
        return runsSpring(evidence.info().command())
                || evidence.blocked().stream().anyMatch(row -> row.frame().startsWith(SPRING))
                || evidence.threads().stream()
                        .anyMatch(
                                thread -> SPRINGS_THREAD.matcher(thread.name()).matches());
    }

    /**
     * Tells whether the class path, the jar, a module or the main class of a command names it. What the code is told says
     * nothing, and neither do the words of a script: a user or a region may be called so.
     */
    private static boolean runsSpring(List<String> command) {
        // Words that pin it stand in front. A file of arguments stands where options do, and what is in it is not
        // known.
        List<String> java = command.stream()
                .dropWhile(word -> !JvmOptions.isJava(word))
                .filter(word -> !word.startsWith("@"))
                .toList();
        return JvmOptions.beforeMain(java).stream()
                .map(Remedies::code)
                .map(word -> word.toLowerCase(Locale.ROOT))
                .anyMatch(Remedies::namesSpring);
    }

    /** Returns what an option names, a module without the class in it; or the option itself. */
    private static String code(JvmOptions.Given given) {
        if (given.value().isEmpty()) {
            return given.word();
        }
        return MODULE.contains(given.name()) ? given.value().replaceFirst("/.*", "") : given.value();
    }

    private static boolean namesSpring(String word) {
        return word.startsWith("-")
                ? word.startsWith(SPRINGS_PROPERTY)
                : PATH_SEPARATORS
                        .splitAsStream(word)
                        .anyMatch(path -> SPRINGS_NAME.matcher(path).find()
                                || SPRINGS_FILE
                                        .matcher(path.substring(path.lastIndexOf('/') + 1))
                                        .find());
    }
}
