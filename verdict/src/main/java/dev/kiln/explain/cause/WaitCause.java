package dev.kiln.explain.cause;

import dev.kiln.explain.budget.Budget;
import dev.kiln.explain.budget.Budget.BlockedTime;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.budget.Budget.BusyExecutor;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.Effect;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.Proof;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.Sample.WaitKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A WaitCause is one kind of thing that a request waits for while the target's CPUs are idle. {@link DatabaseLimit} says that
 * requests wait; thread dumps say for what. Where the CPUs are busy, a wait is only where requests queue for them.
 *
 * @param is tells whether a thread that is blocked there waits for this
 * @param remedies what would cure it, or that none is known
 */
record WaitCause(CauseId id, Predicate<BlockedTime> is, List<FindingRemedy> remedies) {
    /** A wait is named from this share of the response time on: less is not what holds a service that is idle. */
    private static final double NAMED = 0.25;

    /** What is waited for is known if it is at least this share of all that threads are blocked in. */
    private static final double MAIN = 0.5;

    /** What takes the time that it takes, however busy the CPUs are. */
    private static final Set<WaitKind> OF_ITS_OWN = EnumSet.of(WaitKind.FILE, WaitKind.SLEEP);

    /** CPUs that are busy for this share of the time are the limit themselves. */
    private static final double FULL = 0.95;

    /** What a thread does on a socket, or may do there. */
    private static final Set<WaitKind> OVER_NETWORK =
            EnumSet.of(WaitKind.SOCKET, WaitKind.CONNECT, WaitKind.LOGGING, WaitKind.RATE_LIMIT);

    static CauseId id(String id, String title) {
        return new CauseId(id, title, Curve.THROUGHPUT, CauseId.ANY, CauseId.Role.NEEDS_LOAD)
                .taking(BudgetPart.BLOCKED);
    }

    Finding judge(WindowEvidence s, Findings earlier) {
        Finding idle = earlier.of(DatabaseLimit.ID);
        String why = idle.evidence().getFirst().text();
        switch (idle.state()) {
            case RULED_OUT -> {
                if (!takesItsTime(s, earlier)) {
                    return id.ruledOut(CauseId.proof("requests do not wait while the CPUs are idle: " + why));
                }
            }
            case NOT_OBSERVABLE -> {
                return id.notObservable(why);
            }
            case CONFIRMED -> {}
        }
        Optional<Budget> end = earlier.budgets()
                .end()
                .filter(budget -> budget.of(BudgetPart.BLOCKED).isPresent());
        Optional<String> unseen = s.evidence()
                .info()
                .gap(NotRecorded.VIRTUAL_DUMPS)
                .map(reason -> "virtual threads were not dumped: " + reason);
        if (end.isEmpty()) {
            return id.notObservable(
                    unseen.orElse("threads were not dumped at the end of the load: thread dumps show what they wait for"
                            + " (they are on unless --no-thread-dumps is given)"));
        }
        if (end.get().blocked().isEmpty()) {
            return id.notObservable("thread dumps found no thread blocked with a request: requests wait in a queue, or"
                    + " without a thread, as in asynchronous code");
        }
        List<BlockedTime> mine = end.get().blocked().stream().filter(is).toList();
        double millis = sum(mine);
        String text = String.format(
                Locale.ROOT,
                "%.0f %% of the %s ms of a request were blocked so at the end of the load",
                100 * millis / end.get().responseMillis(),
                Explained.ms(end.get().responseMillis()));
        boolean most = millis >= MAIN * sum(end.get().blocked());
        if (!most || millis < NAMED * end.get().responseMillis()) {
            if (unseen.isPresent() && (end.get().restIsLarge() || mayBeAmong(end.get()))) {
                return id.notObservable(unseen.get());
            }
            // A pool that is smaller than the load has few threads to show what all requests wait for.
            return most && end.get().restIsLarge()
                    ? id.notObservable(text
                            + "; for most of it no thread had the request, and what that waited for is not" + " known")
                    : id.ruledOut(CauseId.proof(text));
        }
        if (sum(inNetwork(mine)) > millis / 2 && s.evidence().info().remote().isPresent()) {
            return id.notObservable(
                    text + ", on virtual threads that were not dumped: they may have waited for the load"
                            + " generator too, which is on another machine");
        }
        List<Proof> proofs = new ArrayList<>(List.of(CauseId.proof(text, s.moment(s.end()))));
        proofs.add(CauseId.proof(place(mine)));
        Set<Effect> did = did(end.get(), millis, earlier);
        return id.confirmed(
                did.isEmpty() ? id.title() + ", as much at the peak" : id.title(),
                did,
                millis / end.get().responseMillis(),
                proofs,
                remedies);
    }

    /**
     * Tells whether requests wait for this most of their time though the CPUs are busy. A disk or a sleep takes its time whatever
     * the CPUs do; a lock, a pool or a connection may have a queue only because whoever holds it waits for a CPU.
     */
    private boolean takesItsTime(WindowEvidence s, Findings earlier) {
        double share = earlier.budgets()
                .end()
                .map(end -> sum(end.blocked().stream()
                                .filter(is)
                                .filter(place -> OF_ITS_OWN.contains(place.kind()))
                                .toList())
                        / end.responseMillis())
                .orElse(0.0);
        return share >= MAIN && isBusy(s) && DatabaseLimit.isLoaded(s) && !earlier.confirmed(GeneratorLimit.ID);
    }

    private static boolean isBusy(WindowEvidence s) {
        return s.target().isPresent()
                && s.targetCpus().isPresent()
                && s.target().get().cpu() < FULL * s.targetCpus().getAsDouble();
    }

    /** Returns what it did: nothing where it, or the whole request, takes as long after the pause. */
    private Set<Effect> did(Budget end, double millis, Findings earlier) {
        Optional<Budget> reference = earlier.budgets()
                .reference()
                .filter(budget -> budget.of(BudgetPart.BLOCKED).isPresent());
        // A few dumps are a rough count: where a request takes no longer, none of its parts held it back.
        boolean longer = reference
                .map(after -> Math.min(
                                end.responseMillis() - after.responseMillis(),
                                millis - sum(after.blocked().stream().filter(is).toList()))
                        > Explained.LONGER * end.responseMillis())
                .orElse(true);
        return longer ? id.can() : Set.of();
    }

    private static List<BlockedTime> inNetwork(List<BlockedTime> places) {
        return places.stream().filter(place -> place.kind() == WaitKind.NETWORK).toList();
    }

    /** Tells whether virtual threads that wait for the network, of which nothing else is known, may be waiting for this. */
    private boolean mayBeAmong(Budget end) {
        return sum(inNetwork(end.blocked())) >= NAMED * end.responseMillis()
                && OVER_NETWORK.stream().anyMatch(kind -> is.test(new BlockedTime(kind, "", "", 0)));
    }

    private static double sum(List<BlockedTime> places) {
        return places.stream().mapToDouble(BlockedTime::millis).sum();
    }

    private static String words(BusyExecutor executor) {
        return String.format(
                Locale.ROOT,
                "; %s of %s had a task in every dump",
                executor.threads() == 1 ? "the one thread" : "all " + executor.threads() + " threads",
                executor.pool());
    }

    /** Returns in words one place, and what is waited for there. */
    static String at(BlockedTime place) {
        String code = place.frame().isEmpty() ? "in the JDK's own code" : "at " + place.frame();
        String detail = place.detail().isEmpty() ? "" : ", " + place.detail();
        return (place.kind() == WaitKind.NETWORK
                        ? "in the network, on virtual threads that the JVM counts"
                        : (place.kind() == WaitKind.PINNED ? "on a carrier, or waiting for one, that is kept " : "")
                                + code)
                + detail;
    }

    /** Returns in words where most of it was: the frame that matters, and what it waits for. */
    private static String place(List<BlockedTime> places) {
        Map<String, Double> byPlace = places.stream()
                .collect(Collectors.groupingBy(
                        place ->
                                at(place) + place.behind().map(WaitCause::words).orElse(""),
                        Collectors.summingDouble(BlockedTime::millis)));
        return byPlace.entrySet().stream()
                .max(Comparator.comparingDouble(Map.Entry::getValue))
                .map(entry -> String.format(
                        Locale.ROOT,
                        "%s of %s ms %s",
                        Explained.ms(entry.getValue()),
                        Explained.ms(sum(places)),
                        entry.getKey()))
                .orElse("");
    }
}
