package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.budget.Budget;
import dev.kiln.explain.budget.Budget.BlockedTime;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.budget.Budgets;
import dev.kiln.explain.window.CpuUse;
import dev.kiln.explain.window.Thresholds;
import dev.kiln.explain.window.Window;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.Proof;
import dev.kiln.model.run.Finding.RemedyPlace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * OwnWarmUp is the cause that the application warms up by itself: a cache fills, a pool grows, a rate opens. Requests wait
 * less and less for something that is no CPU, while each of them costs as much CPU as before: so it is not the compilers'
 * work.
 */
final class OwnWarmUp {
    static final CauseId ID = new CauseId(
                    "own-warm-up",
                    "the application warms up by itself",
                    Curve.THROUGHPUT,
                    CauseId.LEVEL,
                    CauseId.Role.NEEDS_LOAD)
            .taking(BudgetPart.BLOCKED, BudgetPart.REST);

    private static final String OVER = "the application warmed up by itself, until before the end of the load";

    /** What fell is a large part of the time of the first requests from this share on, as for a wait. */
    private static final double LARGE = 0.25;

    /** Every service is slow for its first requests, whose classes are loaded and initialised; a choice. */
    private static final double LEAST_SECONDS = 3;

    private static final List<FindingRemedy> REMEDIES = List.of(
            new FindingRemedy(
                    "begin with what it grows to",
                    "the pool's least size; a cache that is filled before the service says that it is ready; a rate limit"
                            + " without a ramp",
                    "a longer start, and more load at once on what is behind; not tried by Kiln",
                    RemedyPlace.PLATFORM),
            Remedies.READINESS);

    private OwnWarmUp() {}

    static Finding judge(WindowEvidence s, Findings earlier) {
        Budgets budgets = earlier.budgets();
        Optional<Stage> end = budgets.end().filter(Stage::isKnown).map(Stage::of);
        if (end.isEmpty()) {
            return ID.notObservable(
                    "where the time of a request went at the end of the load is not known: kiln run" + " records it");
        }
        Optional<Stage> after = budgets.reference().filter(Stage::isKnown).map(Stage::of);
        Optional<FirstSeconds> seen =
                FirstSeconds.of(budgets.curve(), s.second(s.window().toNanos()), after.orElse(end.get()));
        if (seen.isEmpty()) {
            return ID.notObservable("where the time of a request went in the first seconds of the load is not known:"
                    + " kiln run records it");
        }
        FirstSeconds first = seen.get();
        Proof proof = proof(words(first, end.get(), after), s.moment(first.window()));
        if (first.stage().waits() - end.get().waits() < LARGE * first.stage().millis()) {
            return after.filter(then -> longer(end.get(), then)).isPresent()
                    ? ID.notObservable(
                            proof.text() + ": it was as long until the end of the load, so whether it fell little by"
                                    + " little, or at once, takes a longer load to tell")
                    : ID.ruledOut(proof);
        }
        if (first.lasted() < LEAST_SECONDS || !first.stage().waitsExplain(end.get(), cpus(s, first.window()))) {
            return ID.ruledOut(proof);
        }
        return unclear(s, first, earlier)
                .map(why -> ID.notObservable(proof.text() + "; " + why))
                .orElseGet(() -> confirmed(s, proof, end.get(), after, budgets));
    }

    /** Returns the CPUs that the target used, its compilers included. */
    private static double cpus(WindowEvidence s, Window window) {
        return s.threads().evenly(thread -> true, window).cpu();
    }

    /** Tells whether waits were longer by more than noise. */
    private static boolean longer(Stage now, Stage then) {
        return now.waits() - then.waits() > Explained.LONGER * now.millis();
    }

    /** Returns why requests may have waited at first for something else than the application; empty where they did not. */
    private static Optional<String> unclear(WindowEvidence s, FirstSeconds first, Findings earlier) {
        if (earlier.confirmed(GeneratorLimit.ID)) {
            return Optional.of("the load generator is the limit");
        }
        if (earlier.confirmed(Throttling.ID)) {
            return Optional.of("under a CPU limit the compilers take of what requests get; measure without the limit");
        }
        if (s.targetCpus().isEmpty()) {
            return Optional.of("the number of the target's CPUs is not known");
        }
        double busy = cpus(s, first.window()) / s.targetCpus().getAsDouble();
        if (busy >= Stage.BUSY) {
            return Optional.of(String.format(
                    Locale.ROOT,
                    "but the target used %.0f %% of its CPUs then, with its compilers: how much of it was theirs is not known",
                    100 * busy));
        }
        double busiest = first.busiestThread(s.threads());
        return busiest >= Stage.BUSY
                ? Optional.of(String.format(
                        Locale.ROOT,
                        "but one thread wanted a CPU for %.0f %% of the time then, and the others may have waited for it",
                        100 * busiest))
                : Optional.empty();
    }

    private static Finding confirmed(WindowEvidence s, Proof proof, Stage end, Optional<Stage> after, Budgets budgets) {
        boolean below = after.filter(then -> longer(end, then) && end.waitsExplain(then, cpus(s, s.end())))
                .isPresent();
        boolean compiling = s.c2().map(CpuUse::demand).orElse(0.0) >= Thresholds.QUIET_DEMAND;
        boolean over = after.isPresent() && !below;
        List<Proof> proofs = new ArrayList<>(List.of(proof));
        proofs.add(proof(Places.words(budgets)));
        if (below && compiling) {
            proofs.add(
                    proof("C2 was still at work at the end of the load, so whether the difference to the load after the"
                            + " pause comes of this is not known"));
        }
        Set<Finding.Effect> did = below && !compiling ? ID.can() : CauseId.NONE;
        return ID.confirmed(over ? OVER : ID.title(), did, end.waits() / end.millis(), proofs, REMEDIES);
    }

    private static String words(FirstSeconds first, Stage end, Optional<Stage> after) {
        return String.format(
                        Locale.ROOT,
                        "of a request's time no CPU was wanted for %s in the first %.0f s, %s at the end of the load",
                        first.stage().waitWords(),
                        first.window().seconds(),
                        end.waitWords())
                + after.map(then -> ", " + then.waitWords() + " after the pause")
                        .orElse("")
                + String.format(
                        Locale.ROOT,
                        "; it cost %s, %s%s ms of CPU",
                        Explained.ms(first.stage().cpu()),
                        Explained.ms(end.cpu()),
                        after.map(then -> " and " + Explained.ms(then.cpu())).orElse(""));
    }

    /** Places are where threads were blocked at the beginning of a load, held against where they are later on. */
    static final class Places {
        private Places() {}

        /** Returns in words where a request was blocked for less time than at the beginning, by the most. */
        static String words(Budgets budgets) {
            Optional<Budget> first = budgets.beginning().filter(Places::dumped);
            Optional<Budget> last = budgets.reference()
                    .filter(Places::dumped)
                    .or(() -> budgets.end().filter(Places::dumped));
            if (first.isEmpty() || last.isEmpty()) {
                return "where they waited is not known: it takes thread dumps in the first seconds of the load (they are on"
                        + " unless --no-thread-dumps is given)";
            }
            return first.get().blocked().stream()
                    .max(Comparator.comparingDouble(
                            place -> fell(place, last.get().blocked())))
                    .filter(place -> fell(place, last.get().blocked()) > 0)
                    .map(place -> String.format(
                            Locale.ROOT,
                            "what fell most: %s ms in the first seconds, later %s ms %s",
                            Explained.ms(place.millis()),
                            Explained.ms(same(place, last.get().blocked())),
                            WaitCause.at(place)))
                    .orElse(
                            "thread dumps found no place where threads were blocked for less time later: requests waited in a"
                                    + " queue, or without a thread");
        }

        private static boolean dumped(Budget budget) {
            return budget.of(BudgetPart.BLOCKED).isPresent();
        }

        private static double fell(BlockedTime place, List<BlockedTime> later) {
            return place.millis() - same(place, later);
        }

        private static double same(BlockedTime place, List<BlockedTime> later) {
            return later.stream()
                    .filter(other -> other.kind() == place.kind()
                            && other.frame().equals(place.frame())
                            && other.detail().equals(place.detail()))
                    .mapToDouble(BlockedTime::millis)
                    .sum();
        }
    }
}
