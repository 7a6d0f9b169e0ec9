package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.cause.Difference.Taken;
import dev.kiln.explain.window.DeoptimisationLooks;
import dev.kiln.explain.window.RequestCost;
import dev.kiln.explain.window.Thresholds;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.Sample.CompilerSample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** DeoptimisationStorm is the cause that code is thrown away as fast as it is compiled. */
final class DeoptimisationStorm {
    static final CauseId ID = new CauseId(
                    "deoptimisation-storm", "deoptimisation storm", Curve.DEOPTIMISATIONS, CauseId.ANY)
            .taking(BudgetPart.RUNNING, BudgetPart.CPU_WAIT);

    /**
     * A storm has at least this many deoptimisations a second in the second half of a warm-up; a settled service has
     * under one.
     */
    static final double DEOPTIMISATIONS_PER_SECOND = 50;

    /**
     * Where methods in use are not known, this many compilations a second are a storm if they do not fall off as those
     * of a warm-up do. Measured in a cold Spring Boot: 750 in the first seconds, 200 after ten, under 50 after fifteen.
     */
    private static final double CHURN_ALONE_PER_SECOND = 100;

    /**
     * Compilations do not fall off from this ratio of the rate in the later half of the window to that in the earlier.
     */
    private static final double CHURN_LASTS = 0.8;

    /** The weight is a rank, no share: what throws code away costs no time of its own that could be counted. */
    private static final double WEIGHT = 0.8;

    /** A C2 that starves has the storm's methods to compile, so the storm comes before all that takes the CPU from it. */
    private static final double WEIGHT_STARVING = 1;

    private static final List<FindingRemedy> REMEDIES = List.of(
            new FindingRemedy(
                    "find the method and the assumption of C2 that failed",
                    "jcmd PID VM.events log=deopt; jdk.Deoptimization of a flight recording",
                    "a change of code",
                    RemedyPlace.LIVE_PROCESS),
            Remedies.C1_ONLY);

    private static final String MISSING =
            "deoptimisations were not recorded: they take a flight recording, or compilations (hsperfdata) together with"
                    + " methods by level (the attach socket)";

    private DeoptimisationStorm() {}

    static Finding judge(WindowEvidence s, Findings earlier) {
        Finding found = found(s, earlier);
        return found.state() == Finding.FindingState.NOT_OBSERVABLE
                ? ClosingDeoptimisations.closing(s)
                        .filter(ClosingDeoptimisations::isOften)
                        .map(left -> afterIt(earlier, left, found))
                        .orElse(found)
                : found;
    }

    /**
     * Judges by the recording that was made when all else was measured: a storm there is present, and explains no
     * difference. No storm there says nothing of before.
     */
    private static Finding afterIt(Findings earlier, ClosingDeoptimisations left, Finding unknown) {
        if (earlier.confirmed(RecompilationGivenUp.ID) || left.mostlyChangesNothing()) {
            return unknown;
        }
        List<Finding.Proof> proofs = new ArrayList<>(List.of(proof(left.words())));
        proofs.addAll(unknown.evidence());
        return ID.confirmed(ID.title(), CauseId.NONE, WEIGHT, proofs, REMEDIES);
    }

    private static Finding found(WindowEvidence s, Findings earlier) {
        if (earlier.explaining(CodeCacheFull.ID)) {
            return ID.ruledOut(proof("code is thrown away for lack of room in the code cache, which is the cause"));
        }
        Optional<FlightDigest> flight = RecompilationGivenUp.counting(s);
        if (flight.isPresent() && !s.tooShort()) {
            return byEvents(s, earlier, flight.get());
        }
        Optional<DeoptimisationLooks> looks = DeoptimisationLooks.of(s).filter(some -> !s.tooShort());
        return looks.flatMap(some -> byLooks(s, earlier, some)).orElseGet(() -> {
            Finding told = besideCodeCache(s, earlier, byCompilations(s));
            // Compilations say nothing against a storm that was there at times.
            return looks.filter(some -> told.state() == FindingState.RULED_OUT)
                    .filter(some -> some.atTimes(DEOPTIMISATIONS_PER_SECOND))
                    .map(some -> ID.notObservable(some.words(DEOPTIMISATIONS_PER_SECOND) + ": too few looks to tell; a"
                            + " flight recording counts all (--flight-recorder)"))
                    .orElse(told);
        });
    }

    /** Code that left a small code cache is compiled again as well. */
    private static Finding besideCodeCache(WindowEvidence s, Findings earlier, Finding told) {
        return told.state() != FindingState.CONFIRMED
                ? told
                : CodeTurnover.beside(s, earlier.of(CodeCacheFull.ID))
                        .map(why -> ID.notObservable(told.evidence().getFirst().text() + "; " + why.text()))
                        .orElse(told);
    }

    private static Finding byCompilations(WindowEvidence s) {
        List<CompilerSample> compiler = s.within(s.evidence().compiler(), CompilerSample::timeNanos);
        if (compiler.size() < 3 || s.tooShort()) {
            return ID.notObservable(MISSING);
        }
        return Churn.of(s).map(churn -> byChurn(s, churn)).orElseGet(() -> byRate(s, compiler));
    }

    private static Finding byEvents(WindowEvidence s, Findings earlier, FlightDigest flight) {
        Map<String, Integer> byReason =
                s.within(flight.deoptimizations(), FlightDigest.FlightDeoptimizations::timeNanos).stream()
                        .collect(Collectors.groupingBy(
                                FlightDigest.FlightDeoptimizations::reason,
                                Collectors.summingInt(FlightDigest.FlightDeoptimizations::count)));
        double perSecond =
                byReason.values().stream().mapToInt(Integer::intValue).sum() / s.seconds();
        String most = byReason.entrySet().stream()
                .max(Comparator.comparingInt((Map.Entry<String, Integer> e) -> e.getValue())
                        .thenComparing(Map.Entry::getKey))
                .map(e -> ", most of them " + e.getKey())
                .orElse("");
        String text = String.format(Locale.ROOT, "%.1f deoptimisations a second%s", perSecond, most);
        return judged(s, earlier, text, perSecond >= DEOPTIMISATIONS_PER_SECOND);
    }

    /** Judges by the last deoptimisations that the JVM keeps; empty where they do not decide it. */
    private static Optional<Finding> byLooks(WindowEvidence s, Findings earlier, DeoptimisationLooks looks) {
        boolean storm = looks.mostlyChange(DEOPTIMISATIONS_PER_SECOND, RecompilationGivenUp.MOST);
        return storm || looks.fewer(DEOPTIMISATIONS_PER_SECOND) || earlier.confirmed(RecompilationGivenUp.ID)
                ? Optional.of(judged(s, earlier, looks.words(DEOPTIMISATIONS_PER_SECOND), storm))
                : Optional.empty();
    }

    private static Finding judged(WindowEvidence s, Findings earlier, String text, boolean storm) {
        if (earlier.confirmed(RecompilationGivenUp.ID)) {
            return ID.ruledOut(proof(text + ", but what they leave is not compiled again", s.moment()));
        }
        return storm ? confirmed(s, proof(text, s.moment())) : ID.ruledOut(proof(text, s.moment()));
    }

    private static Finding byChurn(WindowEvidence s, Churn churn) {
        var proof = proof(churn.words(), s.moment());
        boolean storm = churn.perSecond() >= Thresholds.CHURN_PER_SECOND
                && churn.isForNothing()
                && s.starvedC2().isEmpty();
        boolean hidden = churn.perSecond() < Thresholds.CHURN_PER_SECOND
                && RequestCost.of(s).map(RequestCost::rose).orElse(true);
        return storm
                ? confirmed(s, proof)
                : hidden
                        ? ID.notObservable(
                                proof.text() + "; a storm without compilations would not show there, and takes"
                                        + " a flight recording (--flight-recorder)")
                        : ID.ruledOut(proof);
    }

    private static Finding byRate(WindowEvidence s, List<CompilerSample> compiler) {
        int middle = compiler.size() / 2;
        double earlier = WindowEvidence.compilationsPerSecond(compiler.subList(0, middle + 1));
        double later = WindowEvidence.compilationsPerSecond(compiler.subList(middle, compiler.size()));
        String text = String.format(
                Locale.ROOT, "%.0f compilations a second, then %.0f, so they did not become fewer", earlier, later);
        boolean storm = Math.min(earlier, later) >= CHURN_ALONE_PER_SECOND
                && later >= CHURN_LASTS * earlier
                && s.starvedC2().isEmpty();
        return storm ? confirmed(s, proof(text, s.moment())) : ID.notObservable(MISSING);
    }

    /**
     * Returns how hard the storm blows. Rates of deoptimisations come in bursts, so only twice as many are a difference; a
     * guess.
     */
    static Optional<Taken> takes(WindowEvidence s) {
        List<CompilerSample> compiler = s.within(s.evidence().compiler(), CompilerSample::timeNanos);
        return RecompilationGivenUp.counting(s)
                .map(flight ->
                        s.within(flight.deoptimizations(), FlightDigest.FlightDeoptimizations::timeNanos).stream()
                                        .mapToInt(FlightDigest.FlightDeoptimizations::count)
                                        .sum()
                                / s.seconds())
                .map(rate -> taken(rate, "deoptimisations"))
                // Of a run with looks, compilations in one window would be held against deoptimisations in another.
                .or(() -> s.evidence().jit().stream()
                                .anyMatch(row -> row.deoptimisations().isPresent())
                        ? DeoptimisationLooks.of(s).map(looks -> taken(looks.perSecond(), "deoptimisations"))
                        : compiler.size() < 2
                                ? Optional.empty()
                                : Optional.of(taken(WindowEvidence.compilationsPerSecond(compiler), "compilations")));
    }

    private static Taken taken(double perSecond, String what) {
        return new Taken(
                perSecond, perSecond / 2, String.format(Locale.ROOT, "there were %.0f %s a second", perSecond, what));
    }

    private static Finding confirmed(WindowEvidence s, Finding.Proof proof) {
        return ID.confirmed(s.starvedC2().isPresent() ? WEIGHT_STARVING : WEIGHT, List.of(proof), REMEDIES);
    }
}
