package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.budget.Budget;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.budget.Budgets;
import dev.kiln.explain.cause.CauseId.Role;
import dev.kiln.explain.cause.Difference.Taken;
import dev.kiln.explain.window.ThreadTimes.Use;
import dev.kiln.explain.window.Window;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.explain.window.WindowStatistics.PartUse;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.Proof;
import dev.kiln.model.run.Finding.RemedyPlace;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * DatabaseLimit is the cause that the target waits for something behind it: its CPUs are idle while requests are in
 * flight. From outside a slow database looks like a slow service behind it, or a lock inside it.
 */
final class DatabaseLimit {
    static final CauseId ID = new CauseId(
                    "database-limit",
                    "the database, or something else the target waits for, is the limit",
                    Curve.THROUGHPUT,
                    CauseId.ANY,
                    Role.NEEDS_LOAD)
            .taking(BudgetPart.BLOCKED, BudgetPart.REST);

    /**
     * A target under full load that uses less than this share of its CPUs waits for something else, where a database is
     * recorded.
     */
    private static final double TARGET_IDLE = 0.7;

    /** The share is smaller where no database is recorded: the target has then to be idle for most of the time. */
    private static final double TARGET_IDLE_ALONE = 0.5;

    /** Thread dumps find what requests wait for from this share of their time on, as {@link WaitCause} has it. */
    private static final double BLOCKED = 0.25;

    /** A thread is full that runs or waits for a CPU for this share of the time: it still rests while it waits for the kernel. A guess. */
    private static final double FULL = 0.9;

    /** The load is no limit if at least this share of the requests that can be in flight are. */
    private static final double IN_FLIGHT = 0.8;

    private static final List<FindingRemedy> REMEDIES = List.of(
            new FindingRemedy(
                    "give the database more CPUs, or look at its queries",
                    "--cpus target=0-3,load=4,database=5-7; EXPLAIN ANALYZE",
                    "CPUs, or an index",
                    RemedyPlace.PLATFORM),
            new FindingRemedy(
                    "allow more connections to it, if its CPU is idle",
                    "spring.datasource.hikari.maximum-pool-size; quarkus.datasource.jdbc.max-size",
                    "memory in the database; more connections than it has CPUs seldom help",
                    RemedyPlace.LAUNCH_FLAG));

    /** The weight is a rank, no share, just below a generator that is the limit. */
    private static final double WEIGHT_SATURATED = 0.95;

    private DatabaseLimit() {}

    static Finding judge(WindowEvidence s, Findings earlier) {
        return held(found(s, earlier), s, earlier.budgets());
    }

    /**
     * Leaves the effects that the difference to the load after the pause leaves: by what a request waited, and where that is
     * not known, by how idle the CPUs were.
     */
    private static Finding held(Finding finding, WindowEvidence s, Budgets budgets) {
        Difference idle = Difference.of(DatabaseLimit::takes);
        Optional<WindowEvidence> reference = s.others().reference();
        Optional<Budget> before = budgets.end().filter(Stage::isKnown);
        Optional<Budget> then = budgets.reference().filter(Stage::isKnown);
        if (before.isEmpty() || then.isEmpty() || reference.isEmpty()) {
            return idle.judge(ID, finding, s);
        }
        Budget end = before.get();
        Budget after = then.get();
        double longer = Math.min(
                end.responseMillis() - after.responseMillis(),
                Stage.of(end).waits() - Stage.of(after).waits());
        Proof same = proof(
                String.format(
                        Locale.ROOT,
                        "a request waited %s after the pause as well, and %s before: it explains none of what was missing",
                        Stage.of(after).waitWords(),
                        Stage.of(end).waitWords()),
                reference.get().moment());
        return idle.judge(
                ID,
                finding,
                s,
                longer > Explained.LONGER * end.responseMillis() ? Optional.empty() : Optional.of(same));
    }

    private static Finding found(WindowEvidence s, Findings earlier) {
        Optional<PartUse> behind = s.behind();
        boolean database = behind.isPresent();
        String used = behind.map(part ->
                        String.format(Locale.ROOT, "the %s used %.0f %% of a CPU", part.part(), 100 * part.cpuShare()))
                .orElse("");
        if (s.labSaturated()
                && behind.filter(part -> part.cpuShare() > 0).isPresent()
                && !earlier.confirmed(GeneratorLimit.ID)) {
            return saturated(s, used);
        }
        UsedCpus cpus = UsedCpus.of(s, earlier.budgets(), used);
        if (cpus.share().isEmpty()) {
            return ID.notObservable(cpus.words());
        }
        double busy = cpus.share().getAsDouble();
        String text = cpus.words();
        if (earlier.confirmed(Throttling.ID) && idle(busy, database)) {
            return ID.notObservable(text + ": the CPU limit keeps the target idle; measure without the limit");
        }
        if (earlier.confirmed(NoisyNeighbour.ID) && idle(busy, database) && !idle(cpus.wanted(), database)) {
            return ID.notObservable(
                    text + ": it could have used more CPU, but other programs had it; measure without them");
        }
        boolean waits = idle(busy, database) && isLoaded(s) && !earlier.confirmed(GeneratorLimit.ID);
        return waits ? waiting(s, earlier, 1 - busy, text) : ID.ruledOut(proof(text, s.moment()));
    }

    /** Judges a database, or a backend, whose CPU has no room. Where the target's have none either, they may be the limit as well. */
    private static Finding saturated(WindowEvidence s, String used) {
        String text = used
                + String.format(
                        Locale.ROOT,
                        ", and its CPU had no room left (%.0f %% busy)",
                        100 * s.observed().labBusy().orElse(0));
        double cpus = s.targetCpus().orElse(Double.POSITIVE_INFINITY);
        return s.target().filter(target -> target.cpu() >= CpuRoom.FULL * cpus).isPresent()
                ? ID.notObservable(
                        text + "; but neither had those of the target, and which of them is the limit takes a run with"
                                + " more CPUs for one of both")
                : confirmed(WEIGHT_SATURATED, text, s);
    }

    /** Judges a target whose CPUs are idle while requests are in flight. */
    private static Finding waiting(WindowEvidence s, Findings earlier, double weight, String text) {
        if (s.observed().lab().generator().share().isEmpty()) {
            return ID.notObservable(
                    text + ": a load generator without CPU to spare looks the same, and its CPU time is not known");
        }
        return fullThread(s, earlier.budgets())
                .map(full -> ID.notObservable(text + "; " + full))
                .orElseGet(() -> confirmed(weight, text, s));
    }

    /**
     * Returns in words that one thread had no room, as that of a single event loop: then others wait for it, and the CPUs are idle.
     * It is empty where no thread was so busy, and where thread dumps find requests that wait: they say for what.
     */
    private static Optional<String> fullThread(WindowEvidence s, Budgets budgets) {
        if (budgets.end()
                        .flatMap(end ->
                                end.share(BudgetPart.BLOCKED).stream().boxed().findFirst())
                        .orElse(0.0)
                >= BLOCKED) {
            return Optional.empty();
        }
        // Of one CPU that is idle nobody waits but for other programs.
        boolean several = s.targetCpus().orElse(1) > 1;
        Window sampled = s.threads().sampled(s.window());
        double seconds = sampled.seconds();
        return s.threads().between(sampled.fromNanos(), sampled.toNanos()).stream()
                .filter(use -> !use.last().role().isOfJvm())
                .filter(use -> (several ? use.demand(seconds) : use.cpuNanos() / 1e9 / seconds) >= FULL)
                .max(Comparator.comparingLong(Use::cpuNanos))
                .map(use -> String.format(
                        Locale.ROOT,
                        "but its thread %s ran for %.0f %% of the time%s: requests may wait for it, and then"
                                + " more such threads would use the CPUs",
                        use.last().name(),
                        use.cpuNanos() / 1e7 / seconds,
                        use.cpuNanos() / 1e9 >= FULL * seconds
                                ? ""
                                : String.format(
                                        Locale.ROOT,
                                        ", and waited for a CPU for %.0f %%",
                                        use.waitNanos() / 1e7 / seconds)));
    }

    /** Tells whether about as many requests were in flight as the load allows: under a rate that is met, few are. */
    static boolean isLoaded(WindowEvidence s) {
        return UsedCpus.inFlight(s).orElse(Double.NaN) >= IN_FLIGHT * UsedCpus.most(s);
    }

    static Optional<Taken> takes(WindowEvidence s) {
        return s.target()
                .filter(target -> s.targetCpus().isPresent())
                .map(target -> target.cpu() / s.targetCpus().getAsDouble())
                .map(busy -> new Taken(
                        1 - busy,
                        Difference.SHARE_NOISE,
                        String.format(Locale.ROOT, "the target left %.0f %% of its CPUs idle", 100 * (1 - busy))));
    }

    private static boolean idle(double used, boolean database) {
        return used < (database ? TARGET_IDLE : TARGET_IDLE_ALONE);
    }

    private static Finding confirmed(double weight, String text, WindowEvidence s) {
        return ID.confirmed(weight, List.of(proof(text, s.moment())), REMEDIES);
    }
}
