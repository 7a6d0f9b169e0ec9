package dev.kiln.load.driver;

import dev.kiln.files.InputFile;
import dev.kiln.load.LoadDriver.WarmUp;
import dev.kiln.load.PhaseResult.Cost;
import dev.kiln.load.driver.bins.BinQueue;
import dev.kiln.load.driver.http.IoThread;
import dev.kiln.load.driver.http.IoThread.Transport;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.FeedTable;
import dev.kiln.model.load.LoadSpec;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * DriverMain is the driver's process: it reads commands from standard input, one a line, and answers on standard output. It
 * ends when its input does, so that nothing outlives a Kiln that was killed; what is recorded by then is in the files.
 */
public final class DriverMain {
    private static final int BUG = 70;
    private static final long EXIT_SECONDS = 5;

    private final IoThread io = new IoThread(Transport.pick());
    private final BinQueue queue = new BinQueue();
    private final BinWriter writer = new BinWriter(queue);
    private final PrintStream out;
    private volatile @Nullable LocalSession session;
    private final LoopCpus cpus = LoopCpus.ofThisJvm();
    private final WarmUpRun warmUp = new WarmUpRun(io, queue, writer, cpus);

    private DriverMain(PrintStream out) {
        this.out = out;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
            e.printStackTrace();
            Runtime.getRuntime().halt(BUG);
        });
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        // Whatever a library prints must not be taken for an answer.
        System.setOut(System.err);
        new DriverMain(out).serve(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
        System.exit(0);
    }

    private void serve(BufferedReader in) throws IOException, InterruptedException {
        send(new DriverLines.MessageWriter("ready")
                .add(ProcessHandle.current().pid())
                .addAll(io.transport().notes()));
        // Commands have a thread of their own, so that this one can always hear a cancel, a finish and the end of
        // input.
        ExecutorService commands = Executors.newSingleThreadExecutor();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String command = line;
            if (command.equals("cancel")) {
                cancel();
            } else if (command.equals("finish")) {
                finish();
            } else {
                commands.execute(() -> answer(command));
            }
        }
        cancel();
        commands.shutdown();
        if (!commands.awaitTermination(EXIT_SECONDS, TimeUnit.SECONDS)) {
            System.err.println("the last command did not end in time");
        }
        close();
    }

    private void cancel() {
        warmUp.stop();
        LocalSession open = session;
        if (open != null) {
            open.cancel();
        }
    }

    private void finish() {
        LocalSession open = session;
        if (open != null) {
            open.finish();
        }
    }

    private void close() {
        LocalSession open = session;
        if (open != null) {
            session = null;
            open.close();
        }
    }

    private void send(DriverLines.MessageWriter line) {
        String text = line.end().toString();
        // One write, because ticks and answers come from different threads.
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.write(bytes, 0, bytes.length);
        out.flush();
    }

    private void answer(String line) {
        try {
            send(answer(new DriverLines.MessageFields(line)));
        } catch (KilnException e) {
            send(new DriverLines.MessageWriter("failed")
                    .add(e.exit().name())
                    .add(String.valueOf(e.getMessage()))
                    .add(e.remedy()));
        }
    }

    private DriverLines.MessageWriter answer(DriverLines.MessageFields fields) {
        String command = fields.text();
        return switch (command) {
            case "warm-up" -> {
                Duration limit = Duration.ofNanos(fields.number());
                WarmUp warm = warmUp.run(
                        limit, fields.texts().stream().map(Trait::valueOf).collect(Collectors.toSet()));
                yield new DriverLines.MessageWriter("warm")
                        .add(warm.duration().toNanos())
                        .add(warm.jitShare())
                        .add(warm.quiet());
            }
            case "open" -> {
                close();
                Path directory = Path.of(fields.text());
                long launch = fields.number();
                LoadSpec spec = DriverLines.spec(fields);
                Optional<FeedTable> feed = fields.texts().stream().findFirst().map(file -> mapped(Path.of(file)));
                session = new LocalSession(
                        io,
                        queue,
                        writer,
                        spec,
                        feed,
                        directory,
                        launch,
                        PhaseRecorder.Cut.STANDARD,
                        cpus,
                        Cost::ofThisJvm);
                yield new DriverLines.MessageWriter("opened");
            }
            case "probe" -> DriverLines.line(open().awaitFirstResponse(Duration.ofNanos(fields.number()), () -> true));
            case "load" ->
                DriverLines.line(open().load(DriverLines.phase(fields), tick -> send(DriverLines.line(tick))));
            case "pause" -> {
                open().pause(new Phase.Pause(fields.text(), Duration.ofNanos(fields.number())));
                yield new DriverLines.MessageWriter("paused");
            }
            case "close" -> {
                close();
                yield new DriverLines.MessageWriter("closed");
            }
            default -> throw new IllegalStateException("unknown command: " + command);
        };
    }

    /** Maps a feed's table and loads all of it into memory before a request needs it. */
    private static FeedTable mapped(Path file) {
        try (FileChannel channel = InputFile.openFollowed(file)) {
            return FeedTable.of(
                    channel.map(MapMode.READ_ONLY, 0, channel.size()).load());
        } catch (IOException e) {
            throw KilnException.machine(e, "cannot read " + file, "check the temporary directory");
        }
    }

    private LocalSession open() {
        LocalSession open = session;
        if (open == null) {
            throw new IllegalStateException("no session is open");
        }
        return open;
    }
}
