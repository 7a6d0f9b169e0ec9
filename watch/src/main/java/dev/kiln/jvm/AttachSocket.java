package dev.kiln.jvm;

import dev.kiln.files.Held;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.Signal;
import dev.kiln.jvm.Reply.Refusal;
import dev.kiln.jvm.Reply.Refusal.RefusalReason;
import dev.kiln.model.KilnException.IoReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * An AttachSocket asks a running HotSpot JVM, from JDK 17 on, over the socket that it opens in its /tmp, as
 * {@code jcmd} does. The request is a version, a name and three arguments, each ended by a zero byte. The answer is a
 * return code in a line of its own, then text to the end (attachListener.hpp). All JDKs know version 1; JDK 24 and
 * later know another one too.
 *
 * <p>A JVM opens its socket when it gets SIGQUIT and finds a file {@code .attach_pid<pid>}. Without a handler the
 * signal would kill it, so Kiln looks for the handler first. For use by one thread at a time.
 */
public final class AttachSocket implements AutoCloseable {
    /** Longest argument of protocol version 1, in bytes. */
    private static final int ARGUMENT_LIMIT = 1024;

    private static final int ARGUMENTS = 3;
    private static final long POLL_NANOS = 5_000_000;

    /** Kiln sends no more signals than these: if a JVM has its socket open already, a signal makes it print its threads. */
    private static final int SIGNALS = 2;

    private static final int WAITS_A_SIGNAL = 3;

    /** A JVM opens its socket within milliseconds, or within seconds if it is starved. */
    private static final long LOST_NANOS = 1_000_000_000;

    /** This is the wait for a socket that another program asked for: at a second signal the JVM would print threads. */
    private static final long ANOTHERS_NANOS = 3_000_000_000L;

    private final Attachable target;
    private final long pid;
    private Duration patience;
    private Optional<String> option = Optional.empty();
    private Optional<AttachTrigger> trigger = Optional.empty();
    private boolean leftToAnother;
    private long anothersUntil;
    private int waits;
    private boolean answered;

    /** @param patience limit for one answer, including the opening of the socket */
    public AttachSocket(ProcFs fs, long pid, Duration patience) {
        this.target = new Attachable(fs, pid);
        this.pid = pid;
        this.patience = patience;
    }

    /** Limits the answers from now on. */
    public void within(Duration limit) {
        patience = limit;
    }

    /** Says why the JVM cannot be asked at present, and sends nothing. If it is empty, the JVM may still not answer. */
    public Optional<Refusal> whyNot() {
        Optional<Refusal> no = target.whyNotHotSpot();
        return no.isPresent() || target.hasSocket() ? no : target.whyNotSignal();
    }

    /** Tells whether the JVM has opened its socket, for Kiln or for another program. */
    public boolean isOpen() {
        return target.hasSocket();
    }

    /**
     * Asks the JVM to do something.
     *
     * @param operation such as {@code jcmd}, with the whole command as its only argument, or {@code load}
     * @param arguments up to three, of 1024 bytes at most
     * @return what it said, without the return code, which was 0
     */
    public Reply<byte[]> ask(String operation, String... arguments) {
        if (arguments.length > ARGUMENTS) {
            throw new IllegalArgumentException(arguments.length + " arguments; the protocol has " + ARGUMENTS);
        }
        for (String argument : arguments) {
            if (argument.getBytes(StandardCharsets.UTF_8).length > ARGUMENT_LIMIT || argument.indexOf('\0') >= 0) {
                return new Refusal(
                                RefusalReason.FAILED,
                                "a JVM takes no argument of more than " + ARGUMENT_LIMIT + " bytes: " + argument)
                        .reply();
            }
        }
        Optional<Refusal> no = target.whyNotHotSpot();
        if (no.isPresent()) {
            return no.get().reply();
        }
        long deadline = System.nanoTime() + patience.toNanos();
        try {
            return asked(deadline, operation, arguments);
        } catch (IOException e) {
            answered = false;
            return failed(e).reply();
        }
    }

    private Reply<byte[]> asked(long deadline, String operation, String... arguments) throws IOException {
        Optional<Refusal> closed = open(deadline);
        if (closed.isPresent()) {
            return closed.get().reply();
        }
        if (option.isEmpty()) {
            Reply<byte[]> options = talk(deadline, "getversion", "options");
            Optional<Refusal> silent = options.refusal().filter(refusal -> refusal.reason() != RefusalReason.FAILED);
            if (silent.isPresent()) {
                return options;
            }
            // From JDK 25 on, a JVM sends its answer in pieces while it holds its locks, or its threads at a safepoint.
            // This option turns that off.
            boolean streams = options.told().map(AttachSocket::text).orElse("").contains("streaming");
            option = Optional.of(streams ? " streaming=0" : "");
        }
        return talk(deadline, operation + option.get(), arguments);
    }

    private Reply<byte[]> talk(long deadline, String operation, String... arguments) throws IOException {
        StringBuilder request = new StringBuilder("1\0").append(operation).append('\0');
        for (int i = 0; i < ARGUMENTS; i++) {
            request.append(i < arguments.length ? arguments[i] : "").append('\0');
        }
        Optional<byte[]> answer;
        try (Held socket = target.socket()) {
            answer = Conversation.hold(socket.path(), request.toString().getBytes(StandardCharsets.UTF_8), deadline);
        }
        if (target.hasEnded()) {
            return new Refusal(RefusalReason.DIED, "the process ended before it had answered").reply();
        }
        answered = answer.isPresent();
        return answer.isEmpty() ? late().reply() : understood(answer.get());
    }

    private Reply<byte[]> understood(byte[] answer) {
        int line = 0;
        while (line < answer.length && answer[line] != '\n') {
            line++;
        }
        if (line == answer.length) {
            return hungUp().reply();
        }
        byte[] said = new byte[answer.length - line - 1];
        System.arraycopy(answer, line + 1, said, 0, said.length);
        if (line == 1 && answer[0] == '0') {
            return new Reply.ToldReply<>(said);
        }
        String complaint = text(said).strip();
        return new Refusal(
                        RefusalReason.FAILED,
                        "the JVM refused: " + complaint.lines().findFirst().orElse("no reason given"))
                .reply();
    }

    private Refusal hungUp() {
        return target.shouldAnswer()
                ? new Refusal(RefusalReason.NO_ANSWER, "the JVM hung up without an answer")
                : new Refusal(
                        RefusalReason.NOT_PERMITTED,
                        "the JVM hung up without an answer: it answers only its own user and root");
    }

    /** Makes sure that the socket is open. Asks the JVM to open it if necessary. */
    private Optional<Refusal> open(long deadline) throws IOException {
        if (target.hasSocket() && (answered || listens(deadline))) {
            return Optional.empty();
        }
        answered = false;
        Optional<Refusal> no = target.whyNotSignal();
        if (no.isPresent()) {
            return no;
        }
        Optional<Refusal> stopped = whyNotRunning(deadline);
        if (stopped.isPresent()) {
            return stopped;
        }
        if (trigger.isEmpty()) {
            AttachTrigger made = AttachTrigger.make(target.tmp(), target.name(Attachable.TRIGGER));
            trigger = Optional.of(made);
            leftToAnother = made.isAnothers();
            anothersUntil = System.nanoTime() + ANOTHERS_NANOS;
        }
        // Once the name is taken, by Kiln or by somebody else: before, another user could still take it.
        Optional<String> planted = target.planted();
        if (planted.isPresent()) {
            // At a signal the JVM would print its threads.
            close();
            return Optional.of(new Refusal(
                    RefusalReason.NOT_PERMITTED,
                    "another user's file " + planted.get() + " in /tmp keeps the JVM from answering: remove it"));
        }
        boolean due = waits % WAITS_A_SIGNAL == 0 && waits < SIGNALS * WAITS_A_SIGNAL && !leftToAnother;
        if (due && !Signal.QUIT.send(pid)) {
            close();
            return Optional.of(
                    target.hasEnded()
                            ? new Refusal(RefusalReason.DIED, "the process had ended")
                            : new Refusal(RefusalReason.NOT_PERMITTED, "not permitted to signal the process"));
        }
        waits++;
        return awaitSocket(deadline);
    }

    /**
     * Waits until it is not stopped. A stopped JVM gets neither file nor signal: the file would stay if Kiln were killed,
     * and a JVM that goes on and finds none prints its threads.
     */
    private Optional<Refusal> whyNotRunning(long deadline) {
        while (target.isStopped()) {
            if (System.nanoTime() - deadline >= 0 || Thread.currentThread().isInterrupted()) {
                return Optional.of(new Refusal(
                        RefusalReason.NO_ANSWER,
                        "the JVM is stopped, by SIGSTOP or a debugger: let it go on (SIGCONT)"));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return target.hasEnded()
                ? Optional.of(
                        new Refusal(RefusalReason.DIED, "the process ended before it had opened its attach socket"))
                : Optional.empty();
    }

    /** A JVM that starts deletes the file that an earlier one left under its pid. */
    private boolean listens(long deadline) throws IOException {
        try (Held socket = target.socket()) {
            return Conversation.listens(socket.path(), deadline);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private Optional<Refusal> awaitSocket(long deadline) throws IOException {
        long nextLook = System.nanoTime() + LOST_NANOS;
        while (!target.hasSocket() || !listens(deadline)) {
            if (target.hasEnded()) {
                close();
                return Optional.of(
                        new Refusal(RefusalReason.DIED, "the process ended before it had opened its attach socket"));
            }
            if (System.nanoTime() - deadline >= 0 || Thread.currentThread().isInterrupted()) {
                // The file stays: a JVM that handles the signal late and finds no file prints its threads instead.
                return Optional.of(late());
            }
            if (leftToAnother && System.nanoTime() - anothersUntil >= 0) {
                leftToAnother = false;
                Signal.QUIT.send(pid);
            } else if (System.nanoTime() - nextLook >= 0) {
                nextLook += LOST_NANOS;
                if (target.listensInVain()) {
                    Signal.QUIT.send(pid);
                }
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        waits = 0;
        close();
        return Optional.empty();
    }

    /** Removes the file that tells the JVM to open its socket. The JVM can still be asked again. */
    @Override
    public void close() {
        trigger.ifPresent(AttachTrigger::close);
        trigger = Optional.empty();
    }

    private Refusal late() {
        return new Refusal(
                RefusalReason.NO_ANSWER, "the JVM did not answer within " + patience.toMillis() / 1000.0 + " s");
    }

    private Refusal failed(IOException e) {
        if (target.hasEnded()) {
            return new Refusal(RefusalReason.DIED, "the process ended before it had answered");
        }
        if (e instanceof AccessDeniedException) {
            return new Refusal(
                    RefusalReason.NOT_PERMITTED,
                    "not permitted to reach the JVM's attach socket: run Kiln as the same user, or as root");
        }
        return target.shouldAnswer()
                ? new Refusal(RefusalReason.NO_ANSWER, "the JVM's attach socket failed: " + IoReason.of(e))
                : new Refusal(
                        RefusalReason.NOT_PERMITTED,
                        "the JVM belongs to another user (" + IoReason.of(e) + "): run Kiln as that user, or as root");
    }

    static String text(byte[] said) {
        return new String(said, StandardCharsets.UTF_8);
    }
}
