package dev.kiln.recorder;

import dev.kiln.jvm.AttachSocket;
import dev.kiln.jvm.DiagnosticCommands;
import dev.kiln.jvm.Reply;
import dev.kiln.jvm.Reply.Refusal;
import dev.kiln.jvm.Reply.Refusal.RefusalReason;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.recorder.RecorderSpec.RecorderPace.Questions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * RecorderJit asks the target's JVM for its compile queues, methods by level and code cache. It has a thread of its
 * own, because a starved JVM answers late. How often it asks depends on what each question costs the JVM: see
 * bench/jit-probe.
 */
final class RecorderJit implements AutoCloseable {
    private static final String WHAT = "compile queues, methods by level and code cache";

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** A JVM handles the signal some 50 ms after its launch, a starved one seconds later. */
    private static final long EAGER_NANOS = 50_000_000;

    private static final long EAGER_FOR_NANOS = 10_000_000_000L;
    private static final long LAZY_NANOS = 1_000_000_000;

    /** Pause after a missing answer, doubled each time: the JVM still has to work off the question. */
    private static final Duration FIRST_REST = Duration.ofSeconds(5);

    private static final int LONGEST_REST = 12;

    /** The end of a run waits this long for an answer. */
    private static final long GRACE_MILLIS = 300;

    private final RecorderContext context;
    private final AttachSocket socket;
    private final DiagnosticCommands jvm;
    private final List<Question> questions;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread;
    private final long firstRestNanos;
    private Optional<Refusal> last = Optional.empty();
    private long restNanos;
    private int answers;
    private int missed;
    private volatile List<String> flags = List.of();
    private volatile OptionalInt c2Queue = OptionalInt.empty();
    private volatile Optional<RuntimeException> failure = Optional.empty();
    private boolean ended;

    RecorderJit(RecorderContext context) {
        this(context, PATIENCE, FIRST_REST);
    }

    /** @param firstRest pause after the first answer that does not come within {@code patience} */
    RecorderJit(RecorderContext context, Duration patience, Duration firstRest) {
        this.context = context;
        this.socket = new AttachSocket(context.fs(), context.pid(), patience);
        this.firstRestNanos = firstRest.toNanos();
        this.jvm = new DiagnosticCommands(socket);
        Questions often = context.pace().questions();
        this.questions = List.of(
                new Question(
                        "compile queues",
                        often.queuesEvery(),
                        often,
                        () -> jvm.queue().then(q -> told(q.c1(), q.c2()))),
                new Question(
                        "methods by level",
                        often.levelsEvery(),
                        often,
                        () -> jvm.levels().then(levels -> told(sample().with(levels)))),
                new Question(
                        "code cache",
                        often.cacheEvery(),
                        often,
                        () -> jvm.codeCache().then(cache -> told(sample().with(cache)))),
                new Question(
                        "deoptimisations",
                        often.queuesEvery(),
                        often,
                        () -> jvm.deoptimisations().then(last -> told(sample().with(last)))));
        this.thread = Thread.ofPlatform().daemon().name("kiln-jit").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Ends without a word, and asks the process that the context follows now. */
    RecorderJit followed() {
        end();
        RecorderJit next = new RecorderJit(context);
        next.start();
        return next;
    }

    /** Writes nothing any more. */
    void end() {
        stop.countDown();
        synchronized (this) {
            ended = true;
        }
    }

    /** Returns the JVM's flags in force; empty if it has not told them. */
    List<String> flags() {
        return flags;
    }

    /** Returns how many methods waited for C2 when the JVM told it last; empty where it has not. */
    OptionalInt c2Queue() {
        return c2Queue;
    }

    /** Returns why the JVM did not answer last; empty where it has always answered, or was not asked yet. */
    synchronized Optional<Refusal> refusal() {
        return last;
    }

    /** Says why it ended before it was stopped: a full disk, or a bug. */
    Optional<RuntimeException> failure() {
        return failure;
    }

    /** Ends soon, even if the JVM does not answer. Nothing is written after it. */
    @Override
    public void close() {
        stop.countDown();
        try {
            thread.join(GRACE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            if (!ended) {
                ended = true;
                tellGaps();
            }
        }
    }

    private void run() {
        try (socket) {
            if (awaitReadiness()) {
                // They do not change, and one line costs the JVM nothing; the other questions tell why it does not
                // answer.
                flags = jvm.flags().told().orElse(List.of());
                ask();
            }
        } catch (RuntimeException e) {
            failure = Optional.of(e);
        } catch (Error e) {
            failure = Optional.of(new IllegalStateException("the recorder failed: " + e, e));
        }
    }

    /** Waits until the JVM can be asked. Returns false if it never will. */
    private boolean awaitReadiness() {
        long begin = System.nanoTime();
        while (true) {
            Optional<Refusal> no = socket.whyNot();
            if (no.isEmpty()) {
                return true;
            }
            note(no.get());
            boolean eager = System.nanoTime() - begin < EAGER_FOR_NANOS;
            if (no.get().isLasting() || stopped(eager ? EAGER_NANOS : LAZY_NANOS)) {
                return false;
            }
        }
    }

    private void ask() {
        long next;
        do {
            for (Question question : questions) {
                if (question.isDue() && !ask(question)) {
                    return;
                }
                if (restNanos > 0) {
                    break;
                }
            }
            next = questions.stream().mapToLong(Question::dueInNanos).min().orElseThrow();
        } while (!stopped(Math.max(restNanos, next)));
    }

    /** Returns false if no other question is worth asking. */
    private boolean ask(Question question) {
        long begin = System.nanoTime();
        Reply<JitSample> reply = question.ask.get();
        // The first answer, and a missing one, do not show what the question costs.
        question.asked(begin, answers > 0 && reply.told().isPresent() ? System.nanoTime() - begin : 0);
        return switch (reply) {
            case Reply.ToldReply<JitSample> told -> keep(question, told.value());
            case Reply.Refused<JitSample> refused -> refused(question, refused.why());
        };
    }

    private synchronized boolean keep(Question question, JitSample sample) {
        question.excuse = Optional.empty();
        answers++;
        restNanos = 0;
        if (!ended) {
            context.appendOfProcess(sample);
        }
        return !ended;
    }

    private synchronized boolean refused(Question question, Refusal why) {
        c2Queue = OptionalInt.empty();
        if (ended || stop.getCount() == 0) {
            return false;
        }
        if (why.reason() == RefusalReason.NOT_READY) {
            restNanos = 0;
            question.excuse = Optional.of(why.why());
            return true;
        }
        if (why.reason() == RefusalReason.FAILED || why.reason() == RefusalReason.NOT_UNDERSTOOD) {
            restNanos = 0;
            context.gap(question.what, why.why());
            question.never();
            return true;
        }
        missed += why.reason() == RefusalReason.DIED ? 0 : 1;
        last = Optional.of(why);
        restNanos = restNanos == 0 ? firstRestNanos : Math.min(2 * restNanos, LONGEST_REST * firstRestNanos);
        return !why.isLasting();
    }

    private synchronized void note(Refusal why) {
        // The earlier reason why it could not be asked says more than its death.
        if (why.reason() != RefusalReason.DIED || last.isEmpty()) {
            last = Optional.of(why);
        }
    }

    private void tellGaps() {
        String why = last.map(Refusal::why).orElse("the run ended before the JVM could be asked");
        if (answers == 0) {
            context.gap(WHAT, why);
            return;
        }
        questions.forEach(question -> question.excuse.ifPresent(excuse -> context.gap(question.what, excuse)));
        if (missed > 0) {
            context.gap(WHAT + ", at times", missed + " of " + (answers + missed) + " questions unanswered: " + why);
        }
    }

    private boolean stopped(long nanos) {
        try {
            return stop.await(nanos, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            return true;
        }
    }

    /** A JVM that has just started has no compilers yet. */
    private Reply<JitSample> told(OptionalInt c1, OptionalInt c2) {
        c2Queue = c2;
        return c1.isPresent() || c2.isPresent()
                ? told(sample().queues(c1, c2))
                : new Reply.Refused<>(
                        new Refusal(RefusalReason.NOT_READY, "the JVM has no compilers: it only interprets"));
    }

    private JitSample sample() {
        return JitSample.at(context.now());
    }

    private static Reply<JitSample> told(JitSample sample) {
        return new Reply.ToldReply<>(sample);
    }

    /** A Question is asked of the JVM, and knows when it is asked next. */
    private static final class Question {
        final String what;
        final Supplier<Reply<JitSample>> ask;
        private final long everyNanos;

        /** Limits what the answers cost a JVM with much code. A starved JVM answers late too, and is worth watching. */
        private final Questions often;

        private long dueNanos = System.nanoTime();
        private boolean never;

        /** The excuse says why the last answer is missing. */
        Optional<String> excuse = Optional.empty();

        Question(String what, Duration every, Questions often, Supplier<Reply<JitSample>> ask) {
            this.what = what;
            this.everyNanos = every.toNanos();
            this.often = often;
            this.ask = ask;
        }

        boolean isDue() {
            return dueInNanos() <= 0;
        }

        long dueInNanos() {
            return never ? Long.MAX_VALUE : dueNanos - System.nanoTime();
        }

        void asked(long beginNanos, long tookNanos) {
            dueNanos =
                    beginNanos + Math.clamp(often.answerShare() * tookNanos, everyNanos, often.seldom() * everyNanos);
        }

        void never() {
            never = true;
        }
    }
}
