package dev.kiln.remote;

import dev.kiln.host.process.Launcher;
import dev.kiln.model.ClockOffset;
import dev.kiln.model.KilnException;
import dev.kiln.text.LimitedLines;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * An AgentLink is the connection to an agent. Questions go out, answers come back in the same order, and events come in
 * between.
 */
final class AgentLink implements AutoCloseable {
    private static final int LAST_WORDS = 20;
    private static final long EXIT_SECONDS = 10;

    /** A message has at most a megabyte of output, each byte of which may be six characters of JSON. */
    private static final int LONGEST_LINE = 16 << 20;

    /** An agent that sends more answers than it was asked for is none of this Kiln. */
    private static final int MOST_ANSWERS = 100;

    private static final int MOST_EXCHANGES = 100_000;

    private final FarShell shell;
    private final Process process;
    private final Writer out;
    private final BlockingQueue<Optional<Tell.AgentAnswer>> answers = new LinkedBlockingQueue<>(MOST_ANSWERS);
    private final List<ClockOffset.ClockExchange> exchanges = new ArrayList<>();
    private final Deque<String> lastWords = new ArrayDeque<>();
    private final Thread reader;
    private final Thread errors;
    private volatile long heardNanos = System.nanoTime();
    private volatile boolean lost;
    private volatile OptionalInt told = OptionalInt.empty();
    private volatile Optional<String> foreign = Optional.empty();
    private volatile Consumer<Tell.Event> events = event -> {};
    private volatile Runnable onLost = () -> {};

    /**
     * Starts the agent by a script.
     *
     * @param prefix words before the command that leads there, for its session, CPUs and end
     */
    AgentLink(FarShell shell, List<String> prefix, String script) {
        this.shell = shell;
        List<String> command = new ArrayList<>(prefix);
        command.addAll(shell.command(script));
        process = Launcher.startBound("the connection to " + shell.name(), new ProcessBuilder(command));
        out = process.outputWriter();
        errors = daemon("kiln-agent-errors", this::collectErrors);
        reader = daemon("kiln-agent-answers", this::collect);
    }

    private static Thread daemon(String name, Runnable body) {
        return Thread.ofPlatform().daemon().name(name).start(body);
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
            Optional<Tell.AgentAnswer> told = answers.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (told == null) {
                // If its answer still came, it would be taken for the answer to the next question.
                abandon();
                throw KilnException.machine(
                        shell.name() + " did not answer within " + limit.toSeconds() + " s",
                        "check that machine's load and the network");
            }
            Tell.AgentAnswer tell = told.orElseThrow(this::loss);
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

    /** Asks the agent for its time, again and again, until it has so many answers or the limit is over. */
    ClockOffset measureClock(int times, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        synchronized (exchanges) {
            exchanges.clear();
        }
        try {
            for (int i = 0; i < times; i++) {
                askTime();
                synchronized (exchanges) {
                    while (exchanges.size() <= i && !lost && System.nanoTime() < deadline) {
                        exchanges.wait(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
                    }
                    if (exchanges.size() <= i) {
                        if (lost || exchanges.isEmpty()) {
                            throw loss();
                        }
                        // The network is slow. Fewer exchanges bound the offset too, but less tightly.
                        break;
                    }
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw KilnException.machine("interrupted while waiting for " + shell.name(), "run it again", e);
        }
        synchronized (exchanges) {
            return ClockOffset.of(exchanges);
        }
    }

    /** Returns the time since the agent's last message. */
    Duration silence() {
        return Duration.ofNanos(System.nanoTime() - heardNanos);
    }

    /** Gives the connection up. */
    void abandon() {
        lost = true;
        process.destroyForcibly();
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
        try {
            errors.join(TimeUnit.SECONDS.toMillis(1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (told.equals(OptionalInt.of(FarScripts.NO_JDK))) {
            return shell.noJdk("", "");
        }
        if (foreign.isPresent()) {
            return KilnException.machine(
                    "no agent of this Kiln answers at " + shell.name() + ": " + foreign.get(),
                    "what leads there must pass both streams on as they are, and print nothing to its output itself");
        }
        String said;
        synchronized (lastWords) {
            said = String.join("\n", lastWords);
        }
        return KilnException.machine(
                "the connection to " + shell.name() + " was lost: " + FarShell.lastLine(said),
                "check whether that machine is up; what was recorded so far is kept");
    }

    private void collect() {
        try (BufferedReader in = new BufferedReader(new LimitedLines(process.inputReader(), LONGEST_LINE))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                long received = System.nanoTime();
                heardNanos = received;
                take(Wire.read(line, Tell.class), received);
            }
        } catch (Wire.NotUnderstood | RuntimeException e) {
            foreign = Optional.of(String.valueOf(e.getMessage()));
            process.destroyForcibly();
        } catch (IOException e) {
            synchronized (lastWords) {
                lastWords.add(String.valueOf(e.getMessage()));
            }
            process.destroyForcibly();
        } finally {
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

    private void collectErrors() {
        try (BufferedReader in = new BufferedReader(new LimitedLines(process.errorReader(), LONGEST_LINE))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                OptionalInt code = FarShell.told(line);
                if (code.isPresent()) {
                    told = code;
                    continue;
                }
                synchronized (lastWords) {
                    lastWords.add(line);
                    if (lastWords.size() > LAST_WORDS) {
                        lastWords.remove();
                    }
                }
            }
        } catch (IOException e) {
            // The agent is gone.
            return;
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
            if (!process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            reader.join();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
