package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.RunInfo;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * ProcessorCount is the cause that the JVM counts other CPUs than it may use: it sizes its collector, its compilers and
 * many pools by that count. It is present, and explains nothing by itself.
 */
final class ProcessorCount {
    static final CauseId ID =
            new CauseId("processor-count", "the JVM counts other CPUs than it may use", Curve.THROUGHPUT, CauseId.NONE);

    private static final Pattern ACTIVE = Pattern.compile("-XX:ActiveProcessorCount=(\\d{1,4})");
    private static final Pattern GC_THREADS = Pattern.compile("-XX:ParallelGCThreads=(\\d{1,4})");
    private static final Pattern COMPILERS = Pattern.compile("-XX:CICompilerCount=(\\d{1,4})");

    /** HotSpot has a thread of the collector for each CPU up to this many, and five for eight CPUs beyond them. */
    private static final int ONE_EACH = 8;

    /** The weight is a rank, no share. */
    private static final double WEIGHT = 0.2;

    /**
     * A Count is how many CPUs the JVM counts.
     *
     * @param from the flag that shows it, in words
     */
    private record Count(int cpus, String from) {}

    private ProcessorCount() {}

    static Finding judge(WindowEvidence s, Findings earlier) {
        RunInfo info = s.evidence().info();
        int most =
                info.cpus().pinned() ? info.cpus().target().size() : info.host().cpus();
        int allowed = info.treatment().limits().cpus().stream()
                .mapToInt(quota -> (int) Math.min(most, Math.ceil(quota)))
                .findFirst()
                .orElse(most);
        Optional<Count> counted = counted(info, allowed);
        if (counted.isEmpty() || allowed < 1) {
            return ID.notObservable("how many CPUs the JVM counts was not recorded: it takes its flags in force (the"
                    + " attach socket)");
        }
        Count count = counted.get();
        String text = "the JVM counts " + cpus(count.cpus()) + " (" + count.from() + "), and may use " + allowed;
        if (count.cpus() > allowed) {
            return confirmed(text, allowed);
        }
        if (count.cpus() == allowed) {
            return ID.ruledOut(proof(text));
        }
        return limitKnown(s, info)
                ? confirmed(text, allowed)
                : ID.notObservable(text + " of this machine; a limit that Kiln does not know may leave it fewer");
    }

    private static String cpus(int count) {
        return count == 1 ? "1 CPU" : count + " CPUs";
    }

    private static Finding confirmed(String text, int allowed) {
        String flag = "-XX:ActiveProcessorCount=" + allowed;
        return ID.confirmed(
                WEIGHT,
                List.of(proof(text)),
                List.of(new FindingRemedy(
                                "let the JVM count the CPUs that it may use",
                                flag,
                                "threads of the collector, the compilers and many pools change in number",
                                RemedyPlace.LAUNCH_FLAG)
                        .tried(Change.flags(flag))));
    }

    /** Tells whether Kiln gave the target its CPUs, and no limit but its own was in force. */
    private static boolean limitKnown(WindowEvidence s, RunInfo info) {
        boolean own = info.treatment().limits().cpus().isPresent();
        boolean none = s.cpuLimit().filter(limit -> limit.periods() <= 0).isPresent();
        return info.cpus().pinned() && (own || none);
    }

    /**
     * Returns what the JVM counts, by the flag that says it, or by the threads that it chose for it. A small code cache
     * lowers the number of compilers too, so that alone shows no lower count.
     */
    private static Optional<Count> counted(RunInfo info, int allowed) {
        if (info.jvm().isEmpty()) {
            return Optional.empty();
        }
        List<String> chosen = info.jvm().get().inForce();
        Optional<Count> told = count(ACTIVE, info.jvm().get().flags()).stream()
                .mapToObj(cpus -> new Count(cpus, "-XX:ActiveProcessorCount=" + cpus))
                .findFirst();
        // ZGC has three threads for five CPUs, and Shenandoah one for two.
        Optional<Count> collector = count(GC_THREADS, chosen).stream()
                .filter(threads -> threads > 0 && !info.jvm().get().collectsBeside())
                .mapToObj(threads -> new Count(
                        gcThreads(allowed) == threads ? allowed : cpusOf(threads),
                        "it chose " + threads + (threads == 1 ? " thread" : " threads") + " for its collector"))
                .findFirst();
        Optional<Count> compilers = count(COMPILERS, chosen).stream()
                .mapToObj(threads -> new Count(
                        threads > compilerThreads(allowed) ? cpusFor(threads) : allowed,
                        "it chose " + threads + " compiler threads"))
                .findFirst();
        return told.or(() -> collector).or(() -> compilers);
    }

    private static OptionalInt count(Pattern flag, List<String> flags) {
        return flags.stream().map(flag::matcher).filter(Matcher::matches).reduce((first, last) -> last).stream()
                .mapToInt(found -> Integer.parseInt(found.group(1)))
                .findFirst();
    }

    private static int gcThreads(int cpus) {
        return cpus <= ONE_EACH ? cpus : ONE_EACH + (cpus - ONE_EACH) * 5 / 8;
    }

    private static int cpusOf(int gcThreads) {
        int cpus = gcThreads;
        while (gcThreads(cpus) < gcThreads) {
            cpus++;
        }
        return cpus;
    }

    /** Returns how many compiler threads HotSpot has with tiers: log2 n times log2 log2 n times 1.5, two at the least. */
    static int compilerThreads(int cpus) {
        int log = log2(cpus);
        return Math.max(2, log * log2(log) * 3 / 2);
    }

    private static int log2(int number) {
        return 31 - Integer.numberOfLeadingZeros(Math.max(1, number));
    }

    private static int cpusFor(int compilerThreads) {
        int cpus = 1;
        while (compilerThreads(cpus) < compilerThreads) {
            cpus++;
        }
        return cpus;
    }
}
