package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.window.DeoptimisationLooks;
import dev.kiln.explain.window.RequestCost;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.FlightCompilations;
import dev.kiln.model.run.FlightDigest.FlightDeoptimizations;
import dev.kiln.model.run.Machine;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * RecompilationGivenUp is the cause that code of C2 is left at the same place again and again, and HotSpot does not compile
 * it anew (JDK-8374307): a method that was recompiled too often keeps its traps, and the traps do nothing but leave the
 * code. The compilers are idle then, and no code is thrown away.
 */
final class RecompilationGivenUp {
    static final CauseId ID = new CauseId(
                    "recompilation-given-up",
                    "recompilation given up: compiled code is left again and again",
                    Curve.DEOPTIMISATIONS,
                    CauseId.ANY)
            .taking(BudgetPart.RUNNING, BudgetPart.CPU_WAIT);

    /** HotSpot leaves the code, and that is all, where the action has this name. */
    static final String NONE = "none";

    /** Recompilation is given up if at least this share of the deoptimisations change no code. */
    static final double MOST = 0.5;

    /**
     * Where actions were not recorded, it is given up if so many deoptimisations come on one compilation: in a storm that
     * recompiles, each is followed by about one.
     */
    private static final double FOR_A_COMPILATION = 20;

    /** The weight is a rank, no share, above that of a storm which recompiles: it does not end. */
    private static final double WEIGHT = 0.85;

    private static final Pattern FAST_THROW = Pattern.compile("-XX:([+-])OmitStackTraceInFastThrow");

    /**
     * Code of C2 that may throw no exception without its stack trace leaves at each implicit one, whatever the cutoffs are.
     * Tried on 17 and 25 with 50 such exceptions a request: 59,000 to 82,000 a second left the code with
     * either cutoffs, and none with this.
     */
    private static final FindingRemedy THROW_FAST = new FindingRemedy(
                    "let compiled code throw implicit exceptions by itself",
                    "-XX:+OmitStackTraceInFastThrow",
                    "an exception that is thrown often has no stack trace any more",
                    RemedyPlace.LAUNCH_FLAG)
            .tried(Change.flags("-XX:+OmitStackTraceInFastThrow"));

    private static final List<FindingRemedy> REMEDIES = List.of(
            new FindingRemedy(
                            "let HotSpot recompile a method as often as it likes",
                            "-XX:PerMethodRecompilationCutoff=10000 -XX:PerBytecodeRecompilationCutoff=10000",
                            "more compilation; a method that never settles is compiled again and again. It helps where"
                                    + " recompilations were counted out, and not against implicit exceptions",
                            RemedyPlace.LAUNCH_FLAG)
                    .tried(Change.flags(
                            "-XX:PerMethodRecompilationCutoff=10000", "-XX:PerBytecodeRecompilationCutoff=10000")),
            new FindingRemedy(
                    "find the method and the assumption of C2 that fails",
                    "jcmd PID VM.events log=deopt; jdk.Deoptimization of a flight recording",
                    "a change of code: fewer rare branches and types in one method",
                    RemedyPlace.LIVE_PROCESS),
            Remedies.C1_ONLY);

    /** Flight recordings have deoptimisations from this release of the JDK on (JDK-8216041). */
    private static final int FIRST_WITH_EVENTS = 14;

    private RecompilationGivenUp() {}

    static Finding judge(WindowEvidence s, Findings earlier) {
        Finding found = found(s);
        return found.state() == FindingState.NOT_OBSERVABLE
                ? ClosingDeoptimisations.closing(s)
                        .filter(left -> left.isOften() && left.mostlyChangesNothing())
                        .map(left -> present(s, left, found))
                        .orElse(found)
                : found;
    }

    /** What was left before was not known well enough: so it explains no difference. */
    private static Finding present(WindowEvidence s, ClosingDeoptimisations left, Finding unknown) {
        return ID.confirmed(
                ID.title(),
                CauseId.NONE,
                WEIGHT,
                Stream.concat(Stream.of(proof(left.words())), unknown.evidence().stream())
                        .toList(),
                remedies(s));
    }

    private static Finding found(WindowEvidence s) {
        Optional<FlightDigest> flight = counting(s);
        if (flight.isPresent() && !s.tooShort()) {
            return byEvents(s, flight.get());
        }
        return DeoptimisationLooks.of(s)
                .filter(looks -> !s.tooShort())
                .map(looks -> byLooks(s, looks))
                .orElseGet(() -> byCost(s, "the JVM was not asked for the last ones that it keeps"));
    }

    /** Returns the recording that has every deoptimisation; empty where there is none, and of a JDK that has no such event. */
    static Optional<FlightDigest> counting(WindowEvidence s) {
        int feature = s.evidence()
                .info()
                .jvm()
                .map(Machine.JvmInfo::feature)
                .orElse(OptionalInt.empty())
                .orElse(FIRST_WITH_EVENTS);
        return s.evidence()
                .flight()
                .filter(RecompilationGivenUp::recorded)
                .filter(flight -> feature >= FIRST_WITH_EVENTS);
    }

    /** Tells whether a recording has what the JIT does; one of a profiler has samples alone. */
    static boolean recorded(FlightDigest flight) {
        return !flight.compilations().isEmpty()
                || !flight.queues().isEmpty()
                || !flight.deoptimizations().isEmpty();
    }

    private static Finding byEvents(WindowEvidence s, FlightDigest flight) {
        List<FlightDeoptimizations> within = s.within(flight.deoptimizations(), FlightDeoptimizations::timeNanos);
        int all = within.stream().mapToInt(FlightDeoptimizations::count).sum();
        int compiled = s.within(flight.compilations(), FlightCompilations::timeNanos).stream()
                .mapToInt(FlightCompilations::count)
                .sum();
        boolean named = within.stream().anyMatch(row -> !row.action().isEmpty());
        int changeNothing = within.stream()
                .filter(row -> row.action().equals(NONE))
                .mapToInt(FlightDeoptimizations::count)
                .sum();
        boolean givenUp = named ? changeNothing >= MOST * all : all >= FOR_A_COMPILATION * compiled && compiled > 0;
        var proof = proof(
                String.format(
                        Locale.ROOT,
                        "%,.1f deoptimisations a second%s, and %.1f compilations",
                        all / s.seconds(),
                        named
                                ? String.format(
                                        Locale.ROOT, ", %.0f %% of which changed no code", percent(changeNothing, all))
                                : "",
                        compiled / s.seconds()),
                s.moment());
        return all / s.seconds() >= DeoptimisationStorm.DEOPTIMISATIONS_PER_SECOND && givenUp
                ? ID.confirmed(WEIGHT, List.of(proof), remedies(s))
                : ID.ruledOut(proof);
    }

    private static List<FindingRemedy> remedies(WindowEvidence s) {
        List<String> flags =
                s.evidence().info().jvm().map(Machine.JvmInfo::flags).orElse(List.of());
        boolean slowThrow = CompilationLimited.last(FAST_THROW, flags)
                .filter(given -> given.group(1).equals("-"))
                .isPresent();
        return Stream.concat(slowThrow ? Stream.of(THROW_FAST) : Stream.empty(), REMEDIES.stream())
                .toList();
    }

    private static double percent(int part, int all) {
        return all == 0 ? 0 : 100.0 * part / all;
    }

    /** Judges by the last deoptimisations that the JVM keeps: each look is of one kind, as it says which actions there were. */
    private static Finding byLooks(WindowEvidence s, DeoptimisationLooks looks) {
        double storm = DeoptimisationStorm.DEOPTIMISATIONS_PER_SECOND;
        var proof = proof(looks.words(storm), s.moment());
        if (looks.mostlyChangeNothing(storm, MOST)) {
            return ID.confirmed(WEIGHT, List.of(proof), remedies(s));
        }
        return looks.fewer(storm) || looks.mostlyChange(storm, MOST) ? ID.ruledOut(proof) : byCost(s, proof.text());
    }

    /**
     * Without a recording, and where the JVM does not tell enough, what requests cost says at least whether it can have taken
     * more here.
     */
    private static Finding byCost(WindowEvidence s, String told) {
        String missing =
                "deoptimisations after which nothing is compiled leave no trace in the JVM's counters: they take a"
                        + " flight recording (--flight-recorder)";
        return ID.notObservable(missing + "; " + told
                + RequestCost.of(s).map(cost -> "; " + cost.words()).orElse(""));
    }
}
