package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.budget.Budget.BlockedTime;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.WaitKind;
import java.util.List;

/** Waits are all that thread dumps can name of what requests wait for, each before those that it is a form of. */
final class Waits {
    /** A limiter of a rate makes requests wait for their turn. */
    static final WaitCause RATE_LIMIT = new WaitCause(
            WaitCause.id("rate-limit", "requests wait for a rate limit"),
            place -> place.kind() == WaitKind.RATE_LIMIT,
            List.of(new FindingRemedy(
                    "raise the limit, or refuse what is over it in place of letting it wait",
                    "the frame above is the limiter",
                    "what the limit protects gets more at a time",
                    RemedyPlace.PLATFORM)));

    /** Requests wait until a line is written to the log, or for others that write one. */
    static final WaitCause SLOW_LOG = new WaitCause(
            WaitCause.id("logging", "requests wait for the log"),
            place -> place.kind() == WaitKind.LOGGING,
            List.of(new FindingRemedy(
                    "log less for each request, or write lines on a thread of the logger",
                    "Logback: AsyncAppender; Log4j: AsyncLogger; Quarkus: quarkus.log.file.async; the frame above is the logger, or what it writes to",
                    "lines that are not written yet are lost in a crash; a queue that is full blocks again, or drops lines",
                    RemedyPlace.PLATFORM)));

    /** Requests wait for a lock that another thread holds. */
    static final WaitCause LOCK_HELD = new WaitCause(
            WaitCause.id("lock", "requests wait for a lock"),
            Waits::isLockHeld,
            List.of(new FindingRemedy(
                    "hold the lock for less of a request, or split it",
                    "the frame above is where they wait; its owner is named where it is known",
                    "a change of the code; nothing that Kiln can try",
                    RemedyPlace.CODE)));

    /** Requests wait in front of a queue: for a worker of an executor that has too few, or for room. */
    static final WaitCause FULL_QUEUE = new WaitCause(
            WaitCause.id("queue", "requests wait in a queue"),
            Waits::isFullQueue,
            List.of(new FindingRemedy(
                    "give that executor more threads, or do the work on the thread of the request",
                    "the size of the executor that is named above, or that takes from the queue",
                    "threads; what its tasks use gets more at a time",
                    RemedyPlace.PLATFORM)));

    /** Requests wait for one of a few: a connection, a permit, or a member that a queue holds. */
    static final WaitCause POOL_EXHAUSTED = new WaitCause(
            WaitCause.id("pool", "requests wait for a pool or a permit"),
            Waits::isPoolExhausted,
            List.of(new FindingRemedy(
                    "make the pool larger, or hold its members for less of a request",
                    "the size of the pool that the frame above borrows from",
                    "what the pool protects gets more at a time",
                    RemedyPlace.PLATFORM)));

    /** Requests wait for the work of another thread: a future, a latch, a task of an executor. */
    static final WaitCause WAITS_FOR_TASK = new WaitCause(
            WaitCause.id("waits-for-task", "requests wait for a task of another thread"),
            Waits::isWaitsForTask,
            List.of(new FindingRemedy(
                    "give that executor more threads, or do the work on the thread of the request",
                    "the size of the executor behind the frame above",
                    "threads; or a request that cannot overlap its parts",
                    RemedyPlace.PLATFORM)));

    /**
     * Requests wait for a time that the code itself chose: a delay, a retry, a limit of a rate. A closed loop cannot tell these
     * apart: with so many requests in flight, one rate and one response time belong together, whichever of the two the code has
     * set. A limiter that is known by its name is {@link #RATE_LIMIT}.
     */
    static final WaitCause SLEEPING = new WaitCause(
            WaitCause.id("sleep", "requests wait for a time that the code itself chose: a sleep, or a limit of a rate"),
            place -> place.kind() == WaitKind.SLEEP,
            List.of(new FindingRemedy(
                    "do not sleep on the thread of a request, or raise the limit of the rate",
                    "the frame above is where it sleeps",
                    "a change of the code; nothing that Kiln can try",
                    RemedyPlace.CODE)));

    /** Requests wait until a connection to another service is made. */
    static final WaitCause SLOW_CONNECT = new WaitCause(
            WaitCause.id("slow-connect", "requests wait for connections to another service"),
            Waits::isSlowConnect,
            List.of(new FindingRemedy(
                    "keep connections open and use them again, or let that service accept sooner",
                    "a pool of connections, keep-alive; the backlog of the other side's listener (ListenOverflows in nstat)",
                    "connections that are open and idle",
                    RemedyPlace.PLATFORM)));

    /** Requests wait for the answer of another service. */
    static final WaitCause SLOW_SERVICE = new WaitCause(
            WaitCause.id("slow-service", "requests wait for another service"),
            Waits::isSlowService,
            List.of(new FindingRemedy(
                    "make that service faster, call it less often, or call it at the same time as others",
                    "the frame above is the caller",
                    "a change of that service, or of the code",
                    RemedyPlace.PLATFORM)));

    /** Requests wait for a file: a read, a write, or a forced one. */
    static final WaitCause SLOW_DISK = new WaitCause(
            WaitCause.id("disk", "requests wait for a file"),
            place -> place.kind() == WaitKind.FILE,
            List.of(new FindingRemedy(
                    "write less, in batches, or on another thread; force to disk less often",
                    "the frame above is the writer or reader",
                    "what is not forced is lost in a crash",
                    RemedyPlace.PLATFORM)));

    /** Requests wait until a name is resolved to an address. */
    static final WaitCause NAME_LOOKUP = new WaitCause(
            WaitCause.id("name-lookup", "requests wait for a name lookup"),
            place -> place.kind() == WaitKind.NAME_LOOKUP,
            List.of(new FindingRemedy(
                    "keep addresses longer, keep connections open, or use a resolver nearby",
                    "networkaddress.cache.ttl in java.security",
                    "an address that changes is noticed later",
                    RemedyPlace.PLATFORM)));

    /** Requests wait until another thread has initialised a class. */
    static final WaitCause CLASS_INIT = new WaitCause(
            WaitCause.id("class-initialisation", "requests wait for the initialisation of a class"),
            place -> place.kind() == WaitKind.CLASS_INIT,
            List.of(new FindingRemedy(
                    "initialise the class at the start, or do less in its initialiser",
                    "the frame above needs the class",
                    "a longer start",
                    RemedyPlace.CODE)));

    /** Virtual threads keep their carriers while they are blocked. */
    static final WaitCause PINNED_CARRIER = new WaitCause(
            WaitCause.id("pinned", "virtual threads keep their carriers while they wait"),
            place -> place.kind() == WaitKind.PINNED,
            List.of(new FindingRemedy(
                    "let nothing block in a static initialiser, below native code, or before JDK 24 in synchronized"
                            + " (java.util.concurrent locks do not keep the carrier)",
                    "-Djdk.virtualThreadScheduler.parallelism=N gives more carriers meanwhile",
                    "a change of the code, or another JDK",
                    RemedyPlace.CODE)));

    static final List<WaitCause> ALL = List.of(
            RATE_LIMIT,
            SLOW_LOG,
            LOCK_HELD,
            FULL_QUEUE,
            POOL_EXHAUSTED,
            WAITS_FOR_TASK,
            SLEEPING,
            SLOW_CONNECT,
            SLOW_SERVICE,
            SLOW_DISK,
            NAME_LOOKUP,
            CLASS_INIT,
            PINNED_CARRIER);

    private Waits() {}

    static Finding judge(WaitCause wait, WindowEvidence s, Findings earlier) {
        Finding finding = wait.judge(s, earlier);
        return wait.id().equals(SLOW_DISK.id()) ? DeepSleep.beside(SLOW_DISK.id(), finding, earlier) : finding;
    }

    /**
     * Lets the general cause give way where thread dumps name what requests wait for. A wait for the network is for the
     * database, if the target has one.
     */
    static void named(WindowEvidence s, Findings judged) {
        if (judged.confirmed(SLOW_SERVICE.id()) && s.behind().isPresent()) {
            Finding wait = judged.of(SLOW_SERVICE.id());
            judged.replace(
                    SLOW_SERVICE.id(),
                    SLOW_SERVICE
                            .id()
                            .ruledOut(proof("requests wait for the network, and a "
                                    + s.behind().get().part() + " was recorded: see database-limit")));
            judged.replace(DatabaseLimit.ID, judged.of(DatabaseLimit.ID).with(wait.evidence()));
            return;
        }
        if (judged.confirmed(DatabaseLimit.ID)
                && !judged.of(OwnWarmUp.ID).explains().isEmpty()) {
            judged.replace(
                    DatabaseLimit.ID,
                    DatabaseLimit.ID.ruledOut(proof("what requests wait for grows by itself: see own-warm-up")));
            return;
        }
        ALL.stream()
                .map(WaitCause::id)
                .filter(judged::confirmed)
                .findFirst()
                .ifPresent(known -> judged.replace(
                        DatabaseLimit.ID, DatabaseLimit.ID.ruledOut(proof("thread dumps name it: " + known.title()))));
    }

    /** Names the class whose initialisation the first requests waited for, beside what is said of the end. */
    static void atFirst(WindowEvidence s, Findings judged) {
        judged.replace(CLASS_INIT.id(), FirstInitialisation.before(CLASS_INIT, judged.of(CLASS_INIT.id()), s));
    }

    private static boolean isLockHeld(BlockedTime place) {
        return place.kind() == WaitKind.MONITOR || (place.kind() == WaitKind.PARK && isOfAJdkLock(place.detail()));
    }

    /** Tells whether a blocker is one of the JDK's locks: a thread dump names its class. */
    private static boolean isOfAJdkLock(String blocker) {
        return blocker.contains("ReentrantLock")
                || blocker.contains("ReentrantReadWriteLock")
                || blocker.contains("StampedLock");
    }

    private static boolean isFullQueue(BlockedTime place) {
        return place.kind() == WaitKind.FULL_QUEUE || place.behind().isPresent();
    }

    private static boolean isPoolExhausted(BlockedTime place) {
        return place.kind() == WaitKind.QUEUE
                || place.kind() == WaitKind.CONDITION
                || (place.kind() == WaitKind.PARK && place.detail().contains("Semaphore"));
    }

    private static boolean isWaitsForTask(BlockedTime place) {
        return (place.kind() == WaitKind.TASK || place.kind() == WaitKind.PARK)
                && !isFullQueue(place)
                && !isLockHeld(place)
                && !isPoolExhausted(place);
    }

    private static boolean isSlowConnect(BlockedTime place) {
        return place.kind() == WaitKind.CONNECT
                // So it was recorded before it had a kind of its own.
                || (place.kind() == WaitKind.SOCKET && place.detail().equals("connect"));
    }

    private static boolean isSlowService(BlockedTime place) {
        return (place.kind() == WaitKind.NETWORK && place.detail().equals(BlockedSample.TO_READ))
                || (place.kind() == WaitKind.SOCKET && !isSlowConnect(place));
    }
}
