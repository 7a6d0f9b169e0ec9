package dev.kiln.remote;

import dev.kiln.host.process.Launcher;
import dev.kiln.host.process.LimitedLines;
import dev.kiln.model.ClockOffset;
import dev.kiln.model.KilnException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * An AgentLink is the connection to an agent. Questions go out, answers come back in the same order, and events come in
 * between.
 */
final class AgentLink implements AutoCloseable {
    private static final long EXIT_SECONDS = 10;

    /** A message has at most a megabyte of output, each byte of which may be six characters of JSON. */
    private static final int LONGEST_LINE = 16 << 20;

    /** An agent that sends more answers than it was asked for is none of this Kiln. */
    private static final int MOST_ANSWERS = 100;

    private static final int MOST_EXCHANGES = 100_000;

    /** Once the user has ended everything, an agent has so long to end. */
    private static final long HURRIED_EXIT_SECONDS = 5;

    /** Once the user has ended everything, a connection on which nothing has come since then is given up after this time. */
    private static final Duration HURRY = Duration.ofSeconds(3);

    /** A wait looks so often whether the user has ended everything. */
    private static final long LOOK_MILLIS = 100;

    private final FarShell shell;
    private final Supplier<Optional<Duration>> interrupted;
    private final Process process;
    private final Writer out;
    private final BlockingQueue<Optional<Tell.AgentAnswer>> answers = new LinkedBlockingQueue<>(MOST_ANSWERS);
    private final List<ClockOffset.ClockExchange> exchanges = new ArrayList<>();
    private final Thread reader;
    private final LastWords lastWords;
    private volatile long heardNanos = System.nanoTime();
    private volatile boolean lost;
    private volatile Optional<String> foreign = Optional.empty();
    private volatile Consumer<Tell.Event> events = event -> {};
    private volatile Runnable onLost = () -> {};

    /**
     * Starts the agent by a script.
     *
     * @param prefix words before the command that leads there, for its session, CPUs and end
     * @param interrupted says how long ago the user ended everything; empty where nobody has
     */
    AgentLink(FarShell shell, List<String> prefix, String script, Supplier<Optional<Duration>> interrupted) {
        this.shell = shell;
        this.interrupted = interrupted;
        List<String> command = new ArrayList<>(prefix);
        command.addAll(shell.command(script));
        process = Launcher.startBound("the connection to " + shell.name(), new ProcessBuilder(command));
        out = process.outputWriter(StandardCharsets.UTF_8);
        lastWords = LastWords.of(process);
        reader = Thread.ofPlatform().daemon().name("kiln-agent-answers").start(this::collect);
    }

    /** Handles events from now on, one at a time and in their order. */
    void listen(Consumer<Tell.Event> toEvents, Runnable toLoss) {
        events = toEvents;
        onLost = toLoss;
        if (lost) {
            toLoss.run();
        }
    }

    /** Says that the connection was lost, and why if that can be known. */
    String lostWords() {
        return shell.lost();
    }

    boolean isLost() {
        return lost;
    }

    /**
     * Sends a question and waits for its answer, one at a time.
     *
     * @throws KilnException when the agent fails or does not answer
     */
    synchronized <T extends Tell.AgentAnswer> T ask(Ask question, Class<T> answer, Duration limit) {
        if (lost) {
            throw loss();
        }
        send(question);
        try {
            Tell.AgentAnswer tell = answer(limit).orElseThrow(this::loss);
            if (tell instanceof Tell.Failed failed) {
                throw new KilnException(failed.exit(), shell.name() + ": " + failed.what(), failed.remedy());
            }
            if (!answer.isInstance(tell)) {
                foreign = Optional.of("it answers something else than it was asked for");
                abandon();
                throw loss();
            }
            return answer.cast(tell);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw KilnException.machine("interrupted while waiting for " + shell.name(), "run it again", e);
        }
    }

    /** Returns the next answer; empty where the connection is lost. */
    private Optional<Tell.AgentAnswer> answer(Duration limit) throws InterruptedException {
        long asked = System.nanoTime();
        while (true) {
            Optional<Tell.AgentAnswer> told = answers.poll(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            if (told != null) {
                return told;
            }
            if (System.nanoTime() - asked > limit.toNanos() || isStalled(asked)) {
                throw silent(asked);
            }
        }
    }

    /**
     * Tells whether nothing has come since the user ended everything, for longer than a person waits, though the agent was asked for
     * as long: before, it may have had nothing to say.
     */
    private boolean isStalled(long askedNanos) {
        return System.nanoTime() - askedNanos > HURRY.toNanos()
                && interrupted
                        .get()
                        .filter(ago -> ago.compareTo(HURRY) > 0 && silence().compareTo(ago) > 0)
                        .isPresent();
    }

    /** Gives the connection up: if an answer still came, it would be taken for the answer to the next question. */
    private AgentLost silent(long askedNanos) {
        abandon();
        return new AgentLost(
                shell.name() + " did not answer within "
                        + Duration.ofNanos(System.nanoTime() - askedNanos).toSeconds() + " s",
                "check that machine's load and the network");
    }

    /** Asks the agent for its time, again and again, until it has so many answers or the limit is over. */
    ClockOffset measureClock(int times, Duration limit) {
        long begun = System.nanoTime();
        synchronized (exchanges) {
            exchanges.clear();
        }
        try {
            // Where the network is slow, fewer exchanges bound the offset too, but less tightly.
            for (int known = 0; known < times && !lost; known++) {
                askTime();
                if (exchanged(known, begun, limit) <= known) {
                    break;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw KilnException.machine("interrupted while waiting for " + shell.name(), "run it again", e);
        }
        if (lost) {
            throw loss();
        }
        synchronized (exchanges) {
            if (!exchanges.isEmpty()) {
                return ClockOffset.of(exchanges);
            }
        }
        throw silent(begun);
    }

    /** Waits for one more exchange than these until the limit is over, and returns how many there are. */
    private int exchanged(int known, long begunNanos, Duration limit) throws InterruptedException {
        synchronized (exchanges) {
            while (exchanges.size() <= known
                    && !lost
                    && System.nanoTime() - begunNanos < limit.toNanos()
                    && !isStalled(begunNanos)) {
                exchanges.wait(LOOK_MILLIS);
            }
            return exchanges.size();
        }
    }

    /** Returns the time since the agent's last message. */
    Duration silence() {
        return Duration.ofNanos(System.nanoTime() - heardNanos);
    }

    /** Gives the connection up. What holds its other end open may go on, so its end is not awaited. */
    void abandon() {
        // What the reader meets when its stream is closed here is no reason.
        lost = true;
        process.destroyForcibly();
        over();
    }

    private void over() {
        lost = true;
        synchronized (exchanges) {
            exchanges.notifyAll();
        }
        // Of too many answers none is the one that was asked for.
        if (!answers.offer(Optional.empty())) {
            answers.clear();
            answers.add(Optional.empty());
        }
        onLost.run();
    }

    /** Asks for the time, and so tells the agent that Kiln still lives. */
    void askTime() {
        synchronized (out) {
            send(new Ask.ReadClock(System.nanoTime()));
        }
    }

    private void send(Ask question) {
        try {
            synchronized (out) {
                out.write(Wire.line(question) + "\n");
                out.flush();
            }
        } catch (IOException e) {
            throw loss();
        }
    }

    private KilnException loss() {
        lastWords.await();
        if (lastWords.told().equals(OptionalInt.of(FarScripts.NO_JDK))) {
            return shell.noJdk("", "");
        }
        if (foreign.isPresent()) {
            return KilnException.machine(
                    "no agent of this Kiln answers at " + shell.name() + ": " + foreign.get(),
                    "what leads there must pass both streams on as they are, and print nothing to its output itself");
        }
        return new AgentLost(
                "the connection to " + shell.name() + " was lost: " + FarShell.lastLine(lastWords.text()),
                "check whether that machine is up; what was recorded so far is kept");
    }

    private void collect() {
        try (BufferedReader in =
                new BufferedReader(new LimitedLines(process.inputReader(StandardCharsets.UTF_8), LONGEST_LINE))) {
            for (String line = in.readLine(); line != null && !lost; line = in.readLine()) {
                long received = System.nanoTime();
                heardNanos = received;
                take(Wire.read(line, Tell.class), received);
            }
        } catch (Wire.NotUnderstood | RuntimeException e) {
            foreign = Optional.of(String.valueOf(e.getMessage()));
            process.destroyForcibly();
        } catch (IOException e) {
            if (!lost) {
                lastWords.add(String.valueOf(e.getMessage()));
            }
            process.destroyForcibly();
        } finally {
            over();
        }
    }

    private void take(Tell tell, long received) {
        switch (tell) {
            case Tell.Time time -> {
                synchronized (exchanges) {
                    if (exchanges.size() < MOST_EXCHANGES) {
                        exchanges.add(new ClockOffset.ClockExchange(time.number(), time.nanos(), received));
                    }
                    exchanges.notifyAll();
                }
            }
            case Tell.AgentAnswer answer -> {
                if (!answers.offer(Optional.of(answer))) {
                    throw new IllegalStateException("it answers what it was not asked");
                }
            }
            case Tell.Event event -> events.accept(event);
        }
    }

    /** Closes the agent's input. The agent then ends with all that it started. */
    @Override
    public void close() {
        try {
            out.close();
        } catch (IOException e) {
            // It is gone already.
        }
        try {
            boolean hurried = interrupted.get().isPresent();
            if (!process.waitFor(hurried ? HURRIED_EXIT_SECONDS : EXIT_SECONDS, TimeUnit.SECONDS)) {
                abandon();
            }
            reader.join(TimeUnit.SECONDS.toMillis(lost ? 1 : EXIT_SECONDS));
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
