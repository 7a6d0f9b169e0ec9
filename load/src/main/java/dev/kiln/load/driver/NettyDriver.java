package dev.kiln.load.driver;

import dev.kiln.files.OutputFile;
import dev.kiln.load.LoadDriver;
import dev.kiln.load.LoadSession;
import dev.kiln.load.driver.http.LoadCheck;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.FeedTable;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.Sending.Http2;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A NettyDriver is Kiln's own driver: closed and open loops over Netty, in a JVM of its own, so that Kiln's work and the load's
 * never wait for each other. This is Kiln's side of it; {@link DriverMain} is the other.
 */
public final class NettyDriver implements LoadDriver {
    /**
     * The limit is above what was measured: 15 s until the compilers were quiet, and 21 to 27 s over TLS and HTTP/2
     * (bench/load).
     */
    private static final int WARM_UP_LIMIT_SECONDS = 30;

    /**
     * Tests that look at what happens and not at figures need no hot driver: they say here after how many seconds it is enough.
     * After none, it has no C2 either.
     */
    private static final String WARM_UP_PROPERTY = "kiln.driver.warmUpSeconds";

    static final Duration ANSWER_TIME = Duration.ofSeconds(30);

    /** A JVM that writes its AOT cache gets this time to end; it needs some 5 s on a CPU of its own. */
    private static final Duration TRAINED_EXIT = Duration.ofSeconds(60);

    /**
     * The flags give the driver a small heap that is all there from the start, the collector with no threads of its own, a
     * fixed number of compiler threads (so that their CPU time can be read at any time), and Netty without its checks for
     * users' mistakes.
     */
    static final List<String> JVM_FLAGS = List.of(
            "-XX:+UseSerialGC",
            "-Xms96m",
            "-Xmx96m",
            "-Xmn48m",
            "-XX:+AlwaysPreTouch",
            "-XX:-UseDynamicNumberOfCompilerThreads",
            "-XX:-UsePerfData",
            "-XX:+ExitOnOutOfMemoryError",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            // A JVM prints warnings where answers are expected.
            "-Xlog:disable",
            "-Xlog:all=error:stderr",
            "-Xlog:aot=off",
            "-Xlog:cds=off",
            "-Dio.netty.leakDetection.level=disabled",
            "-Dio.netty.buffer.checkAccessible=false",
            "-Dio.netty.buffer.checkBounds=false",
            "-Dio.netty.noUnsafe=false");

    private final List<String> prefix;
    private final List<String> jvmFlags;
    private final Optional<DriverCache> cache;
    private final Optional<Path> training;
    private final Optional<Path> feed;
    private final Set<Trait> traits;
    private DriverProcess process;
    private boolean closed;

    /**
     * Starts the driver's process.
     *
     * @param prefix put in front of its command, e.g. {@code taskset -c 1 setpriv --pdeathsig KILL --}; it must replace itself
     *     by the command, or at least pass its input and output on
     * @param temporary folder for what the driver needs for a moment; the caller deletes it
     * @param feed of the loads that need one
     * @param traits of the loads to come
     */
    public NettyDriver(List<String> prefix, Path temporary, Optional<FeedTable> feed, Set<Trait> traits) {
        this(
                prefix,
                Stream.concat(JVM_FLAGS.stream(), Stream.of("-Djava.io.tmpdir=" + temporary))
                        .toList(),
                DriverCache.configured(traits),
                Optional.of(temporary.resolve("driver.aot")),
                feed.map(table -> write(table, temporary.resolve("feed.bin"))),
                traits);
    }

    /** Starts the driver's process with other JVM flags, for trials. */
    NettyDriver(List<String> prefix, List<String> jvmFlags) {
        this(prefix, jvmFlags, Optional.empty(), Optional.empty(), Optional.empty(), Set.of());
    }

    private NettyDriver(
            List<String> prefix,
            List<String> jvmFlags,
            Optional<DriverCache> cache,
            Optional<Path> trainingOutput,
            Optional<Path> feed,
            Set<Trait> traits) {
        this.feed = feed;
        this.traits = traits;
        this.prefix = prefix;
        this.jvmFlags = jvmFlags;
        this.cache = cache;
        training = cache.filter(DriverCache::isMissing).flatMap(missing -> trainingOutput);
        process = start(training.map(DriverCache::training).orElseGet(this::cacheFlags));
    }

    /** Checks what can be checked of a load before its target is known. */
    public static void check(int connections, Optional<Http2> http2) {
        LoadCheck.checkHttp2(connections, http2);
    }

    private static Path write(FeedTable table, Path file) {
        try (FileChannel out = OutputFile.anew(file)) {
            ByteBuffer bytes = table.bytes();
            while (bytes.hasRemaining()) {
                out.write(bytes);
            }
            return file.toAbsolutePath();
        } catch (IOException e) {
            throw KilnException.machine(e, "cannot write " + file, "check the disk's space");
        }
    }

    private List<String> cacheFlags() {
        return cache.map(DriverCache::flags).orElse(List.of());
    }

    private DriverProcess start(List<String> more) {
        return DriverProcess.start(prefix, flags(jvmFlags, more));
    }

    private static List<String> flags(List<String> own, List<String> more) {
        Stream<String> cold = warmUpLimit().isZero() ? Stream.of("-XX:TieredStopAtLevel=1") : Stream.empty();
        Stream<String> loops = Optional.ofNullable(System.getProperty(LoopCpus.PROPERTY)).stream()
                .map(least -> "-D" + LoopCpus.PROPERTY + "=" + least);
        return Stream.of(own.stream(), more.stream(), cold, loops)
                .flatMap(flags -> flags)
                .toList();
    }

    /** Returns the flags of the driver's JVM, wherever that runs, with some more. */
    static List<String> flags(List<String> more) {
        return flags(JVM_FLAGS, more);
    }

    @Override
    public DriverInfo info() {
        return info(process);
    }

    static DriverInfo info(DriverProcess process) {
        String version = NettyDriver.class.getPackage().getImplementationVersion();
        return new DriverInfo(
                "kiln", version == null ? "development" : version, "100 ms bins by completion", process.notes());
    }

    @Override
    public OptionalLong pid() {
        return OptionalLong.of(process.pid());
    }

    @Override
    public WarmUp warmUp() {
        WarmUp warm = warmUp(process, traits);
        if (training.isPresent() && cache.isPresent()) {
            process.close(TRAINED_EXIT);
            cache.get().take(training.get());
            again();
            warm = warmUp(process, traits);
        }
        return warm;
    }

    private static Duration warmUpLimit() {
        return Duration.ofSeconds(Integer.getInteger(WARM_UP_PROPERTY, WARM_UP_LIMIT_SECONDS));
    }

    private synchronized void again() {
        if (!closed) {
            process = start(cacheFlags());
        }
    }

    static WarmUp warmUp(DriverProcess process, Set<Trait> traits) {
        Duration limit = warmUpLimit();
        DriverLines.MessageWriter ask = new DriverLines.MessageWriter("warm-up")
                .add(limit.toNanos())
                .addAll(traits.stream().map(Trait::name).toList());
        DriverLines.MessageFields warm = process.ask(ask, "warm", limit.plus(ANSWER_TIME));
        return new WarmUp(Duration.ofNanos(warm.number()), warm.real(), warm.flag());
    }

    @Override
    public LoadSession open(LoadSpec spec, Path runDirectory, long launchNanos) {
        LoadCheck.check(spec);
        String directory = runDirectory.toAbsolutePath().toString();
        process.ask(opening(directory, launchNanos, 0, spec, feed.map(Path::toString)), "opened", ANSWER_TIME);
        return new DriverSession(process);
    }

    /**
     * Returns the message that opens a session.
     *
     * @param launchNanos by the monotonic clock here
     * @param clockOffsetNanos what is to be added to the driver's monotonic clock to get the one here
     * @param feed its file, where the driver is
     */
    static DriverLines.MessageWriter opening(
            String directory, long launchNanos, long clockOffsetNanos, LoadSpec spec, Optional<String> feed) {
        DriverLines.MessageWriter open = new DriverLines.MessageWriter("open")
                .add(directory)
                .add(launchNanos - clockOffsetNanos)
                .add(System.currentTimeMillis() - (System.nanoTime() - launchNanos) / 1_000_000);
        SpecLine.write(open, spec);
        return open.addAll(feed.stream().toList());
    }

    @Override
    public synchronized void close() {
        closed = true;
        process.close();
    }
}
