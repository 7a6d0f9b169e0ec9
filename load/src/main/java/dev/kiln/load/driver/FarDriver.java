package dev.kiln.load.driver;

import dev.kiln.evidence.LatencyLog;
import dev.kiln.evidence.LoadFile;
import dev.kiln.files.InputFile;
import dev.kiln.files.OutputFile;
import dev.kiln.load.LoadDriver;
import dev.kiln.load.LoadSession;
import dev.kiln.load.PhaseResult;
import dev.kiln.load.driver.DriverLines.MessageFields;
import dev.kiln.load.driver.DriverLines.MessageWriter;
import dev.kiln.load.driver.http.LoadCheck;
import dev.kiln.model.ClockOffset;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.FeedTable;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.Sending.Tls;
import dev.kiln.model.run.Machine.LoadHost;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.model.run.Sample.PartSample.Modes;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A FarDriver is Kiln's own driver where the user wants the load to come from. Its process is at the far end of a pipe, and its bins
 * come back as they are written. They are counted by the clock there: the launch is told to it in that clock, so all times since
 * launch fit, to within the offset's uncertainty.
 */
public final class FarDriver implements LoadDriver {
    private static final Duration CLOCK = Duration.ofSeconds(20);
    private static final Duration CLOCK_AGAIN = Duration.ofSeconds(5);
    private static final int EXCHANGES = 100;
    private static final int EXCHANGES_AGAIN = 50;
    private static final Duration SEND = Duration.ofSeconds(60);

    /** So many bytes of a file go in one message. The driver hears nothing until all of one is there, which must not pass for silence. */
    private static final int PIECE = 1 << 16;

    /** The script there keeps its JVM from the second compiler, which is right for a recorder. */
    private static final String ALL_COMPILERS = "-XX:TieredStopAtLevel=4";

    private static final Set<String> FILES = Set.of(LoadFile.NAME, LatencyLog.NAME, LoadFile.CallFile.NAME);

    private final Optional<FeedTable> feed;
    private final Set<Trait> traits;
    private final DriverProcess process;
    private Optional<String> feedThere = Optional.empty();
    private Optional<String> issuersThere = Optional.empty();
    /** The clock of the session that is to be opened next. */
    private Optional<ClockOffset> clockNow = Optional.empty();

    private volatile LoadHost from;

    /**
     * Starts the driver's process.
     *
     * @param feed of the loads that need one
     * @param traits of the loads to come
     */
    public FarDriver(DriverPlace place, Optional<FeedTable> feed, Set<Trait> traits) {
        this.feed = feed;
        this.traits = traits;
        process = DriverProcess.at(place, NettyDriver.flags(List.of(ALL_COMPILERS)));
        from = process.far().host();
    }

    @Override
    public DriverInfo info() {
        return NettyDriver.info(process);
    }

    /** Returns nothing: the process here only leads to the driver. */
    @Override
    public OptionalLong pid() {
        return OptionalLong.empty();
    }

    @Override
    public boolean isAlive() {
        return !process.far().isLost();
    }

    @Override
    public Optional<LoadHost> from() {
        return Optional.of(from);
    }

    @Override
    public WarmUp warmUp() {
        return NettyDriver.warmUp(process, traits);
    }

    /** Asks for the clock there, and sends the files that the load needs. */
    @Override
    public void prepare(LoadSpec load) {
        LoadCheck.check(load);
        ClockOffset clock = process.far().measure(EXCHANGES, CLOCK, process::send);
        from = from(clock, OptionalLong.empty());
        clockNow = Optional.of(clock);
        theirs(load);
    }

    /** Opens a session by the clock of {@link #prepare}, which is done here if nobody did it for this session. */
    @Override
    public LoadSession open(LoadSpec spec, Path runDirectory, long launchNanos) {
        if (clockNow.isEmpty()) {
            prepare(spec);
        }
        ClockOffset clock = clockNow.orElseThrow();
        clockNow = Optional.empty();
        LoadSpec sent = theirs(spec);
        FarSession session = new FarSession(clock, runDirectory);
        process.far().listen(session);
        process.ask(
                NettyDriver.opening("", launchNanos, clock.nanos(), sent, feedThere),
                "opened",
                NettyDriver.ANSWER_TIME);
        return session;
    }

    private LoadHost from(ClockOffset clock, OptionalLong drift) {
        LoadHost host = process.far().host();
        return new LoadHost(host.name(), host.host(), host.cpus(), clock.uncertaintyNanos(), drift);
    }

    /** Sends the files that a load needs, once, and returns the load with their paths there. */
    private LoadSpec theirs(LoadSpec spec) {
        if (feed.isPresent() && feedThere.isEmpty()) {
            feedThere = Optional.of(place("feed.bin", feed.get().bytes()));
        }
        Optional<String> issuers = spec.tls().flatMap(Tls::ca);
        if (issuers.isPresent() && issuersThere.isEmpty()) {
            issuersThere = Optional.of(place("issuers.pem", ByteBuffer.wrap(read(Path.of(issuers.get())))));
        }
        return issuers.isPresent()
                ? spec.with(new Tls(issuersThere, spec.tls().orElseThrow().insecure()))
                : spec;
    }

    private static byte[] read(Path issuers) {
        try (InputStream in = InputFile.followed(issuers)) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw KilnException.usage("cannot read " + issuers, "name a PEM file with the issuers to trust", e);
        }
    }

    private String place(String name, ByteBuffer bytes) {
        String path = "";
        long offset = 0;
        while (bytes.hasRemaining()) {
            byte[] piece = new byte[Math.min(PIECE, bytes.remaining())];
            bytes.get(piece);
            path = process.ask(
                            new MessageWriter("piece")
                                    .add(name)
                                    .add(offset)
                                    .add(Base64.getEncoder().encodeToString(piece)),
                            "placed",
                            SEND)
                    .text();
            offset += piece.length;
        }
        return path;
    }

    @Override
    public void close() {
        process.close();
    }

    /** A FarSession is Kiln's side of a session, with the other clock's times made into those of this one. */
    private final class FarSession implements LoadSession, FarLink.FarRows {
        private final LoadSession session = new DriverSession(process);
        private final ClockOffset clock;
        private final Path directory;
        private volatile Consumer<PartSample> cpu = sample -> {};
        private boolean closed;

        FarSession(ClockOffset clock, Path directory) {
            this.clock = clock;
            this.directory = directory;
        }

        @Override
        public void take(String message, MessageFields fields) {
            if (message.equals("part")) {
                cpu.accept(new PartSample(
                        fields.number(),
                        "load",
                        fields.number(),
                        fields.number(),
                        Optional.of(new Modes(fields.number(), fields.number()))));
                return;
            }
            String file = fields.text();
            if (!FILES.contains(file)) {
                throw process.far().foreign(file);
            }
            try {
                OutputFile.append(directory.resolve(file), fields.text().getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw KilnException.machine(e, "cannot write " + directory.resolve(file), "check the disk's space");
            }
        }

        @Override
        public void watchCpu(Consumer<PartSample> to) {
            cpu = to;
        }

        @Override
        public Probe awaitFirstResponse(Duration timeout, BooleanSupplier stillAlive) {
            return switch (session.awaitFirstResponse(timeout, stillAlive)) {
                case Probe.Answered answered ->
                    new Probe.Answered(answered.nanoTime() + clock.nanos(), answered.attempts());
                case Probe.NoAnswer none -> none;
            };
        }

        @Override
        public PhaseResult load(Phase.Load phase, Consumer<Tick> live) {
            return session.load(phase, live);
        }

        @Override
        public void pause(Phase.Pause phase) {
            session.pause(phase);
        }

        @Override
        public void finish() {
            session.finish();
        }

        @Override
        public void cancel() {
            process.far().cancelling();
            session.cancel();
        }

        /** Ends the session, and looks first how far the clocks have drifted apart. */
        @Override
        public void close() {
            if (closed) {
                return;
            }
            closed = true;
            try {
                if (isAlive()) {
                    ClockOffset now = process.far().measure(EXCHANGES_AGAIN, CLOCK_AGAIN, process::send);
                    from = from(clock, OptionalLong.of(now.nanos() - clock.nanos()));
                }
            } catch (KilnException lost) {
                // The session's own end tells.
                from = from(clock, OptionalLong.empty());
            }
            session.close();
            process.far().listen((message, fields) -> {});
        }
    }
}
