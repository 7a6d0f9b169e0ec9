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
    /** The argument of a process that is not on Kiln's machine. */
    static final String FAR = "far";

    /** The ticks go to Kiln on the thread that writes the evidence. */
    private static final String FAR_SINK = "the disk there, or the connection to Kiln,";

    private static final int BUG = 70;
    private static final long EXIT_SECONDS = 5;
    private static final String CLOCK = "clock\t";

    private final IoThread io = new IoThread(Transport.pick());
    private final BinQueue queue = new BinQueue();
    private final BinWriter writer = new BinWriter(queue);
    private final PrintStream out;
    private final Optional<FarEnd> far;
    private volatile @Nullable LocalSession session;
    private final LoopCpus cpus = LoopCpus.ofThisJvm();
    private final WarmUpRun warmUp = new WarmUpRun(io, queue, writer, cpus);

    private DriverMain(PrintStream out, boolean isFar) {
        this.out = out;
        far = isFar ? Optional.of(new FarEnd(this::send)) : Optional.empty();
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
            e.printStackTrace();
            Runtime.getRuntime().halt(BUG);
        });
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        // Whatever a library prints must not be taken for an answer.
        System.setOut(System.err);
        made(out, args.length > 0 && args[0].equals(FAR))
                .serve(new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)));
        System.exit(0);
    }

    private static DriverMain made(PrintStream out, boolean isFar) {
        try {
            return new DriverMain(out, isFar);
        } catch (KilnException e) {
            System.err.println(e.getMessage() + "; " + e.remedy());
            System.exit(e.exit().code());
            throw e;
        }
    }

    private void serve(BufferedReader in) throws IOException, InterruptedException {
        DriverLines.MessageWriter ready = new DriverLines.MessageWriter("ready")
                .add(ProcessHandle.current().pid())
                .addAll(io.transport().notes());
        far.ifPresent(end -> end.describe(ready));
        send(ready);
        far.ifPresent(FarEnd::start);
        // Commands have a thread of their own, so that this one can always hear a cancel, a finish and the end of
        // input.
        ExecutorService commands = Executors.newSingleThreadExecutor();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String command = line;
            far.ifPresent(FarEnd::heard);
            if (command.startsWith(CLOCK)) {
                DriverLines.MessageFields question = new DriverLines.MessageFields(command);
                question.text();
                send(FarEnd.time(question));
            } else if (command.equals("cancel")) {
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
        DriverLines.MessageWriter answer;
        try {
            answer = answer(new DriverLines.MessageFields(line));
        } catch (KilnException e) {
            answer = new DriverLines.MessageWriter("failed")
                    .add(e.exit().name())
                    .add(String.valueOf(e.getMessage()))
                    .add(e.remedy());
        }
        // Before the answer: Kiln may end the session with it.
        far.ifPresent(FarEnd::flush);
        send(answer);
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
                open(fields);
                yield new DriverLines.MessageWriter("opened");
            }
            case "probe" -> DriverLines.line(open().awaitFirstResponse(Duration.ofNanos(fields.number()), () -> true));
            case "load" ->
                DriverLines.line(open().load(DriverLines.phase(fields), tick -> send(DriverLines.line(tick))));
            case "pause" -> {
                open().pause(new Phase.Pause(fields.text(), Duration.ofNanos(fields.number())));
                yield new DriverLines.MessageWriter("paused");
            }
            case "piece" ->
                new DriverLines.MessageWriter("placed")
                        .add(far.orElseThrow().take(fields.text(), fields.number(), fields.text()));
            case "close" -> {
                close();
                yield new DriverLines.MessageWriter("closed");
            }
            default -> throw new IllegalStateException("unknown command: " + command);
        };
    }

    private void open(DriverLines.MessageFields fields) {
        close();
        String folder = fields.text();
        long launch = fields.number();
        long launchMillis = fields.number();
        Path directory = far.map(end -> end.open(launch)).orElseGet(() -> Path.of(folder));
        LoadSpec spec = SpecLine.read(fields);
        Optional<FeedTable> feed = fields.texts().stream().findFirst().map(file -> mapped(Path.of(file)));
        session = new LocalSession(
                io,
                queue,
                writer,
                spec,
                feed,
                directory,
                launch,
                launchMillis,
                PhaseRecorder.Cut.STANDARD,
                cpus,
                Cost::ofThisJvm,
                far.map(end -> FAR_SINK).orElse(LocalSession.DISK));
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
