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
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.WaitKind;
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
 * requests wait; thread dumps say for what. Where the CPUs are busy, a wait may be only where requests queue for them.
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

    /** Where a rate is served, few threads are blocked at a time: the interval of fewer can be over 40 percentage points wide. */
    private static final double LEAST_FOUND = 20;

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
        return switch (idle.state()) {
            case CONFIRMED -> byDumps(s, earlier, false);
            case NOT_OBSERVABLE -> id.notObservable(why);
            case RULED_OUT ->
                takesItsTime(s, earlier)
                        ? byDumps(s, earlier, false)
                        : CpuRoom.isEasyRate(s, earlier) ? byRate(s, earlier) : besideBusyCpus(s, earlier, why);
        };
    }

    private Finding byRate(WindowEvidence s, Findings earlier) {
        return CpuRoom.isServed(s)
                ? byDumps(s, earlier, true)
                : id.notObservable("fewer requests succeeded than "
                        + (s.evidence().info().load().rate().isPresent()
                                ? "the rate that was sent"
                                : "thinking users send who get their answers at once")
                        + ", though the CPUs were idle: what the others waited for is not known");
    }

    /**
     * Judges a wait where the CPUs are used for half of the time or more. Requests may wait for it because whoever they wait for waits
     * for a CPU; but not where CPUs have room, and hardly any request waits for one.
     */
    private Finding besideBusyCpus(WindowEvidence s, Findings earlier, String why) {
        Optional<Budget> end = earlier.budgets().end();
        List<BlockedTime> mine =
                end.map(Budget::blocked).orElse(List.of()).stream().filter(is).toList();
        boolean most = end.filter(budget -> sum(mine) >= MAIN * budget.responseMillis())
                .isPresent();
        if (!most || !CpuRoom.below(CpuRoom.ROOM, s)) {
            return id.ruledOut(CauseId.proof("requests do not wait while the CPUs are idle: " + why));
        }
        if (!CpuRoom.isFullLoad(s, earlier)) {
            return id.notObservable(text(end.orElseThrow(), mine) + "; " + why
                    + "; more requests could have been in flight, so whether this held anything back is not known");
        }
        return CpuRoom.isForRequests(end.orElseThrow(), earlier)
                ? byDumps(s, earlier, false)
                : id.notObservable(
                        text(end.get(), mine) + "; " + why
                                + "; that requests hardly waited for a CPU is not known: whoever they wait for may wait for one");
    }

    /** @param served whether a rate was sent, and served with CPU to spare: then no wait holds throughput back */
    private Finding byDumps(WindowEvidence s, Findings earlier, boolean served) {
        Optional<Budget> end = earlier.budgets()
                .end()
                .filter(budget -> budget.of(BudgetPart.BLOCKED).isPresent());
        if (end.isEmpty()) {
            return id.notObservable(unseen(s)
                    .orElse("threads were not dumped at the end of the load: thread dumps show what they wait for"
                            + " (they are on unless --no-thread-dumps is given)"));
        }
        if (end.get().blocked().isEmpty()) {
            return id.notObservable("thread dumps found no thread blocked with a request: requests wait in a queue, or"
                    + " without a thread, as in asynchronous code");
        }
        List<BlockedTime> mine = end.get().blocked().stream().filter(is).toList();
        String text = text(end.get(), mine);
        Optional<Finding> less = less(s, end.get(), mine, text);
        if (less.isPresent()) {
            return less.get();
        }
        RunInfo info = s.evidence().info();
        if (sum(inNetwork(mine)) > sum(mine) / 2
                && (info.remote().isPresent() || info.loadFrom().isPresent())) {
            return id.notObservable(
                    text + ", on virtual threads that were not dumped: they may have waited for the load"
                            + " generator too, which is on another machine");
        }
        if (served) {
            return besideARate(s, end.get(), mine);
        }
        Set<Effect> did = did(end.get(), sum(mine), earlier);
        return confirmed(s, did.isEmpty() ? id.title() + ", as much at the peak" : id.title(), did, end.get(), mine);
    }

    private static String text(Budget end, List<BlockedTime> mine) {
        return String.format(
                Locale.ROOT,
                "%.0f %% of the %s ms of a request were blocked so at the end of the load",
                100 * sum(mine) / end.responseMillis(),
                Explained.ms(end.responseMillis()));
    }

    private static Optional<String> unseen(WindowEvidence s) {
        return s.evidence()
                .info()
                .gap(NotRecorded.VIRTUAL_DUMPS)
                .map(reason -> "virtual threads were not dumped: " + reason);
    }

    /** Judges a wait that is not most of what requests are blocked in, or little of a request; empty for any other. */
    private Optional<Finding> less(WindowEvidence s, Budget end, List<BlockedTime> mine, String text) {
        double millis = sum(mine);
        boolean most = millis >= MAIN * sum(end.blocked());
        if (most && millis >= NAMED * end.responseMillis()) {
            return Optional.empty();
        }
        Optional<String> unseen = unseen(s);
        if (unseen.isPresent() && (end.restIsLarge() || mayBeAmong(end))) {
            return unseen.map(id::notObservable);
        }
        // A pool that is smaller than the load has few threads to show what all requests wait for.
        return Optional.of(
                most && end.restIsLarge()
                        ? id.notObservable(text
                                + "; for most of it no thread had the request, and what that waited for is not"
                                + " known")
                        : id.ruledOut(CauseId.proof(text)));
    }

    private Finding confirmed(
            WindowEvidence s, String title, Set<Effect> did, Budget end, List<BlockedTime> mine, Proof... more) {
        List<Proof> proofs = new ArrayList<>(List.of(CauseId.proof(text(end, mine), s.moment(s.end()))));
        proofs.add(CauseId.proof(place(mine)));
        proofs.addAll(List.of(more));
        return id.confirmed(title, did, sum(mine) / end.responseMillis(), proofs, remedies);
    }

    /** Confirms what is most of a request's time where a rate is served: it is there, and holds no throughput back. */
    private Finding besideARate(WindowEvidence s, Budget end, List<BlockedTime> mine) {
        String text = text(end, mine);
        if (sum(mine) < MAIN * end.responseMillis()) {
            return id.ruledOut(CauseId.proof(text + ", and the rate that was sent was served"));
        }
        long dumps = s.end().of(s.evidence().blocked(), BlockedSample::timeNanos).stream()
                .mapToLong(BlockedSample::timeNanos)
                .distinct()
                .count();
        double found = dumps * sum(mine) / 1e3 * end.requestsPerSecond();
        if (found < LEAST_FOUND) {
            return id.notObservable(String.format(
                    Locale.ROOT,
                    "%s, but thread dumps found about %.0f threads so, which are too few to tell",
                    text,
                    found));
        }
        return confirmed(
                s,
                id.title(),
                CauseId.NONE,
                end,
                mine,
                CauseId.proof("the rate that was sent was served, so this makes requests longer and holds no throughput"
                        + " back"));
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
        return share >= MAIN && CpuRoom.below(CpuRoom.FULL, s) && CpuRoom.isFullLoad(s, earlier);
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
