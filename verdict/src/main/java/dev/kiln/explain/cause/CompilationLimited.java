package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.Machine;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Verdict.PeakCode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * CompilationLimited is the cause that flags, or a debugger, keep HotSpot from compiling as it would. The peak was measured
 * under the same limit, so it explains nothing of a difference to it: the peak itself is lower.
 */
public final class CompilationLimited {
    static final CauseId ID = new CauseId(
            "compilation-limited", "compilation switched off or limited", Curve.METHOD_LEVELS, CauseId.NONE);

    private static final Pattern MODE = Pattern.compile("-X(int|mixed|comp)");
    private static final Pattern STOP_AT = Pattern.compile("-XX:TieredStopAtLevel=(\\d)");
    private static final Pattern QUICK_ONLY = Pattern.compile("-XX:CompilationMode=(.*)");
    private static final Pattern USE_COMPILER = Pattern.compile("-XX:([+-])UseCompiler");
    private static final Pattern TIERED = Pattern.compile("-XX:([+-])TieredCompilation");
    private static final Pattern SCALING = Pattern.compile("-XX:CompileThresholdScaling=([0-9.]{1,12})");
    private static final Pattern THRESHOLD = Pattern.compile("-XX:CompileThreshold=(\\d{1,9})");
    private static final Pattern LEFT_OUT =
            Pattern.compile("(?i)-XX:CompileCommand=\\s*(?:exclude|compileonly)\\b.*|-XX:CompileOnly=.+");
    private static final Pattern THREADS = Pattern.compile("-XX:CICompilerCount=(\\d{1,4})");
    private static final Pattern DEBUGGER =
            Pattern.compile("-agentlib:jdwp\\b.*|-agentpath:.*\\bjdwp\\b.*|-Xrunjdwp\\b.*");

    /** HotSpot's own CompileThreshold, which counts only without tiers. */
    private static final double OWN_THRESHOLD = 10_000;

    /** A threshold is far from HotSpot's own from this factor on, in either direction; a guess. */
    private static final double FAR = 5;

    /** C2's code has this level. */
    private static final int C2 = 4;

    /** The weight is a rank, no share: without C2 there is little else to say. */
    private static final double WITHOUT_C2 = 0.9;

    private static final double LIMITED = 0.3;

    /**
     * A Limit is one thing that is in force.
     *
     * @param flag that sets it
     * @param means what it means for compilation
     * @param code of which the peak is
     * @param undo a flag that takes it back; empty where none does
     */
    private record Limit(String flag, String means, PeakCode code, String undo) {}

    private CompilationLimited() {}

    /** Returns the code that the target could run at best, as far as its flags are known. */
    public static PeakCode code(RunInfo info) {
        List<Limit> limits = limits(info);
        return Stream.of(PeakCode.INTERPRETED, PeakCode.C1)
                .filter(code -> limits.stream().anyMatch(limit -> limit.code() == code))
                .findFirst()
                .orElse(PeakCode.ANY);
    }

    /** Tells whether flags keep methods from C2 or from both compilers. */
    static boolean without(RunInfo info) {
        return code(info) != PeakCode.ANY;
    }

    static Finding judge(WindowEvidence s, Findings earlier) {
        RunInfo info = s.evidence().info();
        if (info.jvm().isEmpty()) {
            return ID.notObservable("the JVM's flags were not recorded");
        }
        List<Limit> limits = new ArrayList<>(limits(info));
        Optional<Limit> threads = threads(info);
        if (countKnown(s, info)) {
            threads.ifPresent(limits::add);
        }
        if (limits.isEmpty()) {
            return threads.map(few -> ID.notObservable(few.flag()
                            + " is in force, and a CPU limit or -XX:ActiveProcessorCount is too, or may be: how many compiler"
                            + " threads HotSpot would have is not known"))
                    .orElseGet(() ->
                            ID.ruledOut(proof("no flag in force limits compilation, and no debugger is attached")));
        }
        PeakCode code = code(info);
        return ID.confirmed(
                code == PeakCode.ANY ? LIMITED : WITHOUT_C2,
                limits.stream()
                        .map(limit -> proof(limit.flag() + " is in force: " + limit.means()
                                + (limit.code() == PeakCode.ANY
                                        ? ""
                                        : "; the peak, too, is that of "
                                                + limit.code().text())))
                        .toList(),
                limits.stream().map(CompilationLimited::remedy).toList());
    }

    /** Returns how to undo the flags that leave methods out of compilation; none where none does. */
    static List<FindingRemedy> leftOut(RunInfo info) {
        return limits(info).stream()
                .filter(limit -> LEFT_OUT.matcher(limit.flag()).matches())
                .map(CompilationLimited::remedy)
                .toList();
    }

    private static FindingRemedy remedy(Limit limit) {
        FindingRemedy without = new FindingRemedy(
                "start it without " + limit.flag(),
                limit.undo(),
                "what the flag was given for, and more compilation in the warm-up",
                RemedyPlace.LAUNCH_FLAG);
        return limit.undo().isEmpty() ? without : without.tried(Change.flags(limit.undo()));
    }

    private static List<Limit> limits(RunInfo info) {
        List<String> given = given(info);
        List<String> all = Stream.concat(
                        info.jvm().map(Machine.JvmInfo::inForce).orElse(List.of()).stream(), given.stream())
                .toList();
        List<Limit> limits = new ArrayList<>();
        last(MODE, given)
                .filter(mode -> mode.group(1).equals("int"))
                .ifPresent(mode -> limits.add(interpreted(mode.group(), "-Xmixed")));
        // In force it is off as well while a full code cache stops compilation.
        last(USE_COMPILER, given)
                .filter(use -> use.group(1).equals("-"))
                .ifPresent(use -> limits.add(interpreted(use.group(), "-XX:+UseCompiler")));
        last(STOP_AT, all)
                .filter(level -> Integer.parseInt(level.group(1)) < C2)
                .ifPresent(level -> limits.add(
                        level.group(1).equals("0")
                                ? interpreted(level.group(), "-XX:TieredStopAtLevel=4")
                                : c1(level.group(), "-XX:TieredStopAtLevel=4")));
        last(QUICK_ONLY, all)
                .filter(mode -> mode.group(1).equals("quick-only"))
                .ifPresent(mode -> limits.add(c1(mode.group(), "-XX:CompilationMode=default")));
        threshold(all).ifPresent(limits::add);
        all.stream()
                .filter(flag -> LEFT_OUT.matcher(flag).matches())
                .map(flag -> new Limit(flag, "methods that it leaves out are interpreted", PeakCode.ANY, ""))
                .forEach(limits::add);
        all.stream()
                .filter(flag -> DEBUGGER.matcher(flag).matches())
                .map(flag -> new Limit(
                        flag,
                        "a debugger may be attached; methods with its breakpoints are interpreted, and so are those that"
                                + " it steps through",
                        PeakCode.ANY,
                        ""))
                .forEach(limits::add);
        return limits;
    }

    private static Limit interpreted(String flag, String undo) {
        return new Limit(flag, "methods are interpreted and never compiled", PeakCode.INTERPRETED, undo);
    }

    private static Limit c1(String flag, String undo) {
        return new Limit(flag, "C1 compiles, and C2 does not", PeakCode.C1, undo);
    }

    private static Optional<Limit> threshold(List<String> flags) {
        boolean tiered =
                last(TIERED, flags).map(found -> found.group(1).equals("+")).orElse(true);
        Optional<Matcher> scaling = last(SCALING, flags);
        Optional<Matcher> threshold = tiered ? Optional.empty() : last(THRESHOLD, flags);
        OptionalDouble factor = Stream.concat(
                        scaling.stream().map(found -> factor(found.group(1), 1)),
                        threshold.stream().map(found -> factor(found.group(1), OWN_THRESHOLD)))
                .mapToDouble(Double::doubleValue)
                .findFirst();
        String flag = scaling.or(() -> threshold).map(Matcher::group).orElse("");
        String undo = scaling.isPresent() ? "-XX:CompileThresholdScaling=1" : "-XX:CompileThreshold=10000";
        if (factor.isEmpty() || (factor.getAsDouble() < FAR && factor.getAsDouble() > 1 / FAR)) {
            return Optional.empty();
        }
        return Optional.of(
                factor.getAsDouble() == 0
                        ? interpreted(flag, undo)
                        : new Limit(
                                flag,
                                "methods are compiled after " + threeDigits(factor.getAsDouble())
                                        + " times as many calls and loops as usual",
                                PeakCode.ANY,
                                undo));
    }

    private static String threeDigits(double factor) {
        return BigDecimal.valueOf(factor)
                .round(new MathContext(3))
                .stripTrailingZeros()
                .toPlainString();
    }

    private static double factor(String figure, double of) {
        try {
            return Double.parseDouble(figure) / of;
        } catch (NumberFormatException e) {
            return 1;
        }
    }

    /**
     * Tells whether HotSpot counts the CPUs that Kiln knows of. Under a quota, or with a count of its own, it chooses fewer threads by
     * itself. A quota of others shows in the cgroup, if at all.
     */
    private static boolean countKnown(WindowEvidence s, RunInfo info) {
        boolean limited = s.cpuLimit().map(limit -> limit.periods() > 0).orElse(info.startedByOthers());
        return !limited
                && info.treatment().limits().cpus().isEmpty()
                && given(info).stream().noneMatch(flag -> flag.startsWith("-XX:ActiveProcessorCount="));
    }

    private static List<String> given(RunInfo info) {
        return info.jvm().map(Machine.JvmInfo::flags).orElse(List.of());
    }

    /** Returns the limit of fewer compiler threads than HotSpot chooses by all CPUs; what it chose itself is none. */
    private static Optional<Limit> threads(RunInfo info) {
        int cpus =
                info.cpus().pinned() ? info.cpus().target().size() : info.host().cpus();
        return last(THREADS, given(info))
                .filter(found -> Integer.parseInt(found.group(1)) < ProcessorCount.compilerThreads(cpus))
                .map(found -> new Limit(
                        found.group(),
                        "HotSpot would have " + ProcessorCount.compilerThreads(cpus) + " compiler threads on " + cpus
                                + " CPUs",
                        PeakCode.ANY,
                        ""));
    }

    /** Of several flags of one kind HotSpot uses the last. */
    static Optional<Matcher> last(Pattern pattern, List<String> flags) {
        return flags.stream().map(pattern::matcher).filter(Matcher::matches).reduce((first, later) -> later);
    }
}
