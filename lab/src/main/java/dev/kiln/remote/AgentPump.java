package dev.kiln.remote;

import dev.kiln.files.Growth;
import dev.kiln.host.process.AttachedProcess;
import dev.kiln.host.process.ExitCode;
import dev.kiln.host.process.TargetProcess;
import dev.kiln.recorder.Recorder;
import dev.kiln.recorder.Recording.CompilerLoad;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** An AgentPump sends what a target's evidence and output have gained since it last sent some. */
final class AgentPump implements AutoCloseable {
    private static final long PERIOD_MILLIS = 250;

    /** The limit of one message is this many bytes. The rest goes with the next. */
    private static final int MOST = 1 << 20;

    private final Path evidence;
    private final Path log;
    private final Recorder recorder;
    private final TargetProcess process;
    private final Consumer<Tell> tell;
    private final Growth growth = new Growth(MOST);
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("kiln-agent-pump").factory());
    private Optional<CompilerLoad> c2 = Optional.empty();
    private boolean jvmTold;
    private boolean endTold;

    AgentPump(Path evidence, Path log, Recorder recorder, TargetProcess process, Consumer<Tell> tell) {
        this.evidence = evidence;
        this.log = log;
        this.recorder = recorder;
        this.process = process;
        this.tell = tell;
    }

    void start() {
        var unused = timer.scheduleWithFixedDelay(this::look, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        // A death is sent at once, so that the load stops.
        process.whenEnded(this::look);
    }

    private synchronized void look() {
        // Before its output is read, so that its end is sent after its last words.
        boolean ended = !process.isAlive();
        rows();
        log();
        if (!jvmTold) {
            recorder.jvm().ifPresent(info -> {
                jvmTold = true;
                tell.accept(new Tell.TargetJvm(info));
            });
        }
        Optional<CompilerLoad> now = recorder.c2LastSecond();
        if (!now.equals(c2)) {
            c2 = now;
            now.ifPresent(load -> tell.accept(new Tell.C2(load)));
        }
        if (!endTold && ended) {
            endTold = true;
            Optional<ExitCode> exit = process.exit();
            tell.accept(new Tell.TargetEnded(
                    process instanceof AttachedProcess ? exit : exit.or(() -> Optional.of(ExitCode.unsure(-1)))));
        }
    }

    /** Sends the new rows of the tables, whole rows only. */
    synchronized void rows() {
        for (Path table : tables()) {
            boolean header = growth.isNew(table);
            for (byte[] lines = growth.lines(table); lines.length > 0; lines = growth.lines(table)) {
                String text = new String(lines, StandardCharsets.UTF_8);
                String rows = header ? text.substring(text.indexOf('\n') + 1) : text;
                header = false;
                if (!rows.isEmpty()) {
                    tell.accept(new Tell.NewRows(String.valueOf(table.getFileName()), rows));
                }
            }
        }
    }

    /** Sends the new output of the target. */
    synchronized void log() {
        for (byte[] bytes = growth.bytes(log); bytes.length > 0; bytes = growth.bytes(log)) {
            tell.accept(new Tell.TargetOutput(new String(bytes, StandardCharsets.ISO_8859_1)));
        }
    }

    private List<Path> tables() {
        try (Stream<Path> files = Files.list(evidence)) {
            return files.filter(file -> file.toString().endsWith(".csv")).toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
