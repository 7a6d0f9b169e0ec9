package dev.kiln.load;

import dev.kiln.model.LoadSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Kiln's own driver: closed and open loops over Netty, in a JVM of its own, so that Kiln's work and the load's never wait for
 * each other. This is Kiln's side of it; {@link DriverMain} is the other.
 */
public final class NettyDriver implements LoadDriver {
    /** Measured: 18 to 20 s until the compilers were quiet, on a CPU that compilers of other programs shared. */
    private static final int WARM_UP_LIMIT_SECONDS = 20;

    /** Tests that look at what happens and not at figures need no hot driver: they say here after how many seconds it is enough. */
    private static final String WARM_UP_PROPERTY = "kiln.driver.warmUpSeconds";

    private static final Duration ANSWER_TIME = Duration.ofSeconds(30);

    /**
     * A small heap that is all there from the start, the collector with no threads of its own, a fixed number of compiler
     * threads (so that their CPU time can be read at any time), and Netty without its checks for users' mistakes.
     */
    private static final List<String> JVM_FLAGS = List.of(
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
            "-Dio.netty.leakDetection.level=disabled",
            "-Dio.netty.buffer.checkAccessible=false",
            "-Dio.netty.buffer.checkBounds=false",
            "-Dio.netty.noUnsafe=false");

    private final DriverProcess process;

    /**
     * Starts the driver's process.
     *
     * @param prefix put in front of its command, e.g. {@code taskset -c 1 setpriv --pdeathsig KILL --}; it must replace itself
     *     by the command, or at least pass its input and output on
     */
    public NettyDriver(List<String> prefix) {
        this(prefix, JVM_FLAGS);
    }

    /** @param temporary folder for what the driver needs for a moment; the caller deletes it */
    public NettyDriver(List<String> prefix, Path temporary) {
        this(
                prefix,
                Stream.concat(JVM_FLAGS.stream(), Stream.of("-Djava.io.tmpdir=" + temporary))
                        .toList());
    }

    /** For trying other flags. */
    NettyDriver(List<String> prefix, List<String> jvmFlags) {
        process = DriverProcess.start(prefix, jvmFlags);
    }

    static List<String> defaultJvmFlags() {
        return JVM_FLAGS;
    }

    @Override
    public DriverInfo info() {
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
        Duration limit = Duration.ofSeconds(Integer.getInteger(WARM_UP_PROPERTY, WARM_UP_LIMIT_SECONDS));
        Wire.Fields warm = process.ask(new Wire.Line("warm-up").add(limit.toNanos()), "warm", limit.plus(ANSWER_TIME));
        return new WarmUp(Duration.ofNanos(warm.number()), warm.real(), warm.flag());
    }

    @Override
    public LoadSession open(LoadSpec spec, Path runDirectory, long launchNanos) {
        Calls.check(spec);
        Wire.Line open = new Wire.Line("open")
                .add(runDirectory.toAbsolutePath().toString())
                .add(launchNanos);
        Wire.add(open, spec);
        process.ask(open, "opened", ANSWER_TIME);
        return new NettySession(process);
    }

    @Override
    public void close() {
        process.close();
    }
}
