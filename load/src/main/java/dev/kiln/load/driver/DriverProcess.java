package dev.kiln.load.driver;

import dev.kiln.host.process.ExitCode;
import dev.kiln.host.process.ExitCode.WaitStatus;
import dev.kiln.host.process.Launcher;
import dev.kiln.host.process.LimitedLines;
import dev.kiln.host.process.Programs;
import dev.kiln.load.LoadSession.Tick;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A DriverProcess is Kiln's end of the driver's process: it sends commands, receives answers, and keeps the last error output.
 */
final class DriverProcess implements AutoCloseable {
    /** A DriverWatch is what to check, and who gets the ticks, while an answer is awaited. */
    record DriverWatch(BooleanSupplier stillAlive, Consumer<Tick> live) {
        static final DriverWatch NOTHING = new DriverWatch(() -> true, tick -> {});
    }

    private static final int STDERR_LINES = 20;
    /** A message has a second's rows at the most. */
    private static final int LONGEST_LINE = 4 << 20;
    /** A driver that says so much while nobody asks is none. */
    private static final int MOST_WAITING = 100_000;

    private static final Duration START_TIME = Duration.ofSeconds(30);
    private static final Duration FAR_START_TIME = Duration.ofSeconds(60);
    private static final Duration EXIT = Duration.ofSeconds(10);
    private static final long WATCH_MILLIS = 10;

    /** What a process that has ended said is read by then, unless another one holds its pipe open. */
    private static final long LAST_WORDS_MILLIS = 1_000;

    /** END stands for the end of the answers. No line that was read has one. */
    private static final String END = "\n";

    private final Process process;
    private final Optional<FarLink> far;
    private final WaitStatus status;
    private final Writer in;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final Deque<String> lastWords = new ArrayDeque<>();
    private final Thread errors;
    private long pid;
    private List<String> notes = List.of();

    private DriverProcess(Process process, Optional<FarLink> far) {
        this.process = process;
        this.far = far;
        status = WaitStatus.of(process);
        pid = process.pid();
        in = process.outputWriter(StandardCharsets.UTF_8);
        daemon("kiln-driver-answers", () -> {
            LimitedLines.each(process.inputReader(StandardCharsets.UTF_8), LONGEST_LINE, this::answered)
                    .ifPresent(why -> {
                        complained(why);
                        process.destroyForcibly();
                    });
            over();
        });
        errors = daemon(
                "kiln-driver-errors",
                () -> LimitedLines.each(process.errorReader(StandardCharsets.UTF_8), LONGEST_LINE, this::complained));
    }

    private void over() {
        answers.add(END);
        far.ifPresent(FarLink::ended);
    }

    /** Ends the process here. What holds the other end of its pipes open may go on, so their end is not awaited. */
    private void giveUp() {
        process.destroyForcibly();
        over();
    }

    static DriverProcess start(List<String> prefix, List<String> jvmFlags) {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvmFlags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), DriverMain.class.getName()));
        return started(command, Optional.empty(), START_TIME);
    }

    /** Starts the driver on another machine. */
    static DriverProcess at(DriverPlace place, List<String> jvmFlags) {
        List<String> words = new ArrayList<>(jvmFlags);
        words.addAll(List.of(DriverMain.class.getName(), DriverMain.FAR));
        DriverProcess started = started(place.command(words), Optional.of(new FarLink(place)), FAR_START_TIME);
        started.far().keepAlive(started::send, started::giveUp);
        return started;
    }

    private static DriverProcess started(List<String> command, Optional<FarLink> far, Duration limit) {
        DriverProcess started =
                new DriverProcess(Launcher.startBound("the load driver", new ProcessBuilder(command)), far);
        try {
            DriverLines.MessageFields ready = started.await("ready", limit, DriverWatch.NOTHING);
            started.pid = ready.number();
            started.notes = ready.texts();
            far.ifPresent(link -> link.ready(ready));
        } catch (RuntimeException e) {
            started.process.destroyForcibly();
            throw e;
        }
        return started;
    }

    /** Returns what there is to know of a driver on another machine. */
    FarLink far() {
        return far.orElseThrow(() -> new IllegalStateException("the driver is on this machine"));
    }

    private static Thread daemon(String name, Runnable body) {
        return Thread.ofPlatform().daemon().name(name).start(body);
    }

    private void answered(String line) {
        if (far.isEmpty() || !far.get().hears(line)) {
            answers.add(line);
        }
        if (answers.size() > MOST_WAITING) {
            process.destroyForcibly();
        }
    }

    private void complained(String line) {
        synchronized (lastWords) {
            if (!line.isEmpty()) {
                lastWords.add(line);
            }
            if (lastWords.size() > STDERR_LINES) {
                lastWords.remove();
            }
        }
    }

    long pid() {
        return pid;
    }

    List<String> notes() {
        return notes;
    }

    DriverLines.MessageFields ask(DriverLines.MessageWriter command, String answer, Duration limit) {
        return ask(command, answer, limit, DriverWatch.NOTHING);
    }

    /** Sends a command and waits for its answer. */
    DriverLines.MessageFields ask(DriverLines.MessageWriter command, String answer, Duration limit, DriverWatch watch) {
        send(command);
        return await(answer, limit, watch);
    }

    /** Sends a command without waiting for an answer. Any thread may call it. */
    void send(DriverLines.MessageWriter command) {
        try {
            synchronized (in) {
                in.write(command.end().toString());
                in.flush();
            }
        } catch (IOException e) {
            throw dead();
        }
    }

    private DriverLines.MessageFields await(String answer, Duration limit, DriverWatch watch) {
        long end = System.nanoTime() + limit.toNanos();
        Trouble trouble = new Trouble();
        while (System.nanoTime() < end) {
            String line = null;
            try {
                line = answers.poll(WATCH_MILLIS, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                trouble.interrupted = true;
            }
            Optional<DriverLines.MessageFields> fields =
                    line == null ? Optional.empty() : take(line, answer, watch, trouble);
            if (fields.isPresent()) {
                trouble.tell();
                return fields.get();
            }
            trouble.guard(() -> {
                if (!watch.stillAlive().getAsBoolean()) {
                    trouble.cancel();
                }
            });
            if (trouble.isThere()) {
                trouble.cancel();
            }
        }
        throw KilnException.machine(
                "the load driver (" + far.map(FarLink::name).orElse("process " + pid) + ") does not answer",
                "check the machine's load");
    }

    /**
     * Trouble is what goes wrong in Kiln while the driver works: it cancels what goes on in the driver, and is thrown once that
     * has ended, so that no answer is left over for the next question.
     */
    private final class Trouble {
        private boolean interrupted;
        private boolean cancelled;
        private @Nullable RuntimeException failure;

        boolean isThere() {
            return interrupted || failure != null;
        }

        void guard(Runnable watching) {
            try {
                watching.run();
            } catch (RuntimeException e) {
                failure = failure == null ? e : failure;
            }
        }

        void cancel() {
            if (!cancelled) {
                cancelled = true;
                send(new DriverLines.MessageWriter("cancel"));
            }
        }

        void tell() {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            if (failure != null) {
                throw failure;
            }
        }
    }

    /** Handles a line, and returns its fields if it is the answer that is awaited. */
    private Optional<DriverLines.MessageFields> take(String line, String answer, DriverWatch watch, Trouble trouble) {
        DriverLines.MessageFields fields = new DriverLines.MessageFields(
                line, e -> far.isPresent() ? far.get().foreign(line) : e);
        String message = line.equals(END) ? END : fields.text();
        if (message.equals(answer)) {
            return Optional.of(fields);
        }
        switch (message) {
            case "tick" -> {
                Tick tick = DriverLines.tick(fields);
                trouble.guard(() -> watch.live().accept(tick));
            }
            case "rows", "part" -> trouble.guard(() -> far().take(message, fields));
            case "failed" -> throw new KilnException(fields.one(Exit.class), fields.text(), fields.text());
            case END -> {
                answers.add(END);
                throw dead();
            }
            default -> {
                if (far.isPresent()) {
                    throw far.get().foreign(line);
                }
                throw new IllegalStateException("unexpected answer of the load driver: " + message);
            }
        }
        return Optional.empty();
    }

    private KilnException dead() {
        String how = "ended";
        try {
            if (process.waitFor(EXIT.toMillis(), TimeUnit.MILLISECONDS)) {
                how = status.exit().map(ExitCode::text).orElse(how);
            }
            errors.join(LAST_WORDS_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (lastWords) {
            String words = lastWords.isEmpty() ? "" : "; its last words:\n  " + String.join("\n  ", lastWords);
            if (far.isPresent()) {
                return far.get().loss(words);
            }
            return KilnException.machine(
                    "the load driver (process " + pid + ") " + how + words,
                    "if the machine killed it, free memory; what it recorded is in the run's folder");
        }
    }

    /** Closes the driver's input, at whose end the driver ends. */
    @Override
    public void close() {
        close(EXIT);
    }

    void close(Duration limit) {
        far.ifPresent(FarLink::closing);
        Programs.end(
                process,
                () -> {
                    synchronized (in) {
                        in.close();
                    }
                },
                limit);
    }
}
