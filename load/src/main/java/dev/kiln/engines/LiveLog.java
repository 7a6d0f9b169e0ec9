package dev.kiln.engines;

import dev.kiln.engines.Tool.Job;
import dev.kiln.engines.Tool.LiveSeconds;
import dev.kiln.files.InputFile;
import dev.kiln.importer.program.Request;
import dev.kiln.importer.program.Request.RequestOutcome;
import dev.kiln.load.LoadSession.Tick;
import dev.kiln.model.KilnException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;

/** A LiveLog reads a program's log of requests live; a second, from the first request, counts what ended. */
final class LiveLog implements LiveSeconds {
    private static final long SECOND = 1_000_000_000L;

    /** A request is expected in the log within this time of its end. A later one counts in the next second that is reported. */
    private static final long LATE_NANOS = 200_000_000;

    /** A last part of a second is not reported if it is shorter than this, because it says nothing. */
    private static final long SHORTEST_NANOS = 100_000_000;

    private static final long POLL_NANOS = 10_000_000;

    /** The reader gets this time for what the program wrote just before its end. */
    private static final long REST_MILLIS = 10_000;

    /** A Parser reads a log while it grows, and passes on each request. */
    interface Parser {
        void parse(Path file, InputStream log, Consumer<Request> requests);
    }

    /**
     * A Log is the file into which a program writes its requests.
     *
     * @param file empty before the program has made it
     * @param prompt whether a request is in the log as soon as it has ended: then one that does not grow shows that nothing
     *     ends
     */
    record Log(Supplier<Optional<Path>> file, boolean prompt, Parser parser) {}

    /** A LoggedSecond holds the requests that ended in one second. */
    private static final class LoggedSecond {
        private final Histogram latencies = new Histogram(3);
        private long errors;
    }

    private final String phase;
    private final Log log;
    private final Thread reader;
    private final TreeMap<Integer, LoggedSecond> seconds = new TreeMap<>();
    private volatile boolean over;

    /** This is the start of the first request, in ns since 1970 like all times here; 0 before it is read. */
    private long zeroNanos;

    /** All requests that ended before this time have been read. */
    private long readNanos;

    private int told;

    /** Reads a program's log of requests, each of which is in it as soon as it has ended. */
    static LiveLog prompt(Job job, Path file, Parser parser) {
        return new LiveLog(job.phase().name(), new Log(() -> Optional.of(file), true, parser));
    }

    LiveLog(String phase, Log log) {
        this.phase = phase;
        this.log = log;
        reader = Thread.ofPlatform().daemon().name("kiln-live-log").start(this::read);
    }

    private void read() {
        try (Growing growing = new Growing()) {
            Optional<Path> file = growing.await();
            if (file.isPresent()) {
                log.parser().parse(file.get(), growing, this::add);
            }
        } catch (KilnException | IOException e) {
            // Whoever reads the log when the program has ended reports it.
        }
    }

    private synchronized void add(Request request) {
        zeroNanos = zeroNanos == 0 ? request.startNanos() : zeroNanos;
        readNanos = Math.max(readNanos, request.endNanos());
        int second = (int) Math.max(told, (request.endNanos() - zeroNanos) / SECOND);
        LoggedSecond in = seconds.computeIfAbsent(second, any -> new LoggedSecond());
        if (request.outcome() == RequestOutcome.OK) {
            in.latencies.recordValue(Math.max(0, request.latencyNanos()));
        } else {
            in.errors++;
        }
    }

    private synchronized void readUpTo(long nanos) {
        readNanos = Math.max(readNanos, nanos);
    }

    @Override
    public void tell(boolean ended, Consumer<Tick> ticks) {
        if (ended) {
            over = true;
            join();
        }
        for (Optional<Tick> tick = next(ended); tick.isPresent(); tick = next(ended)) {
            ticks.accept(tick.get());
        }
    }

    private void join() {
        try {
            reader.join(REST_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the next second that is over; after the program's end also the part of a second that is left. */
    private synchronized Optional<Tick> next(boolean ended) {
        long sinceStart = readNanos - zeroNanos - told * SECOND;
        boolean whole = sinceStart >= SECOND + (ended ? 0 : LATE_NANOS);
        boolean rest = ended && sinceStart >= SHORTEST_NANOS;
        if (zeroNanos == 0 || !(whole || rest)) {
            return Optional.empty();
        }
        LoggedSecond second = Optional.ofNullable(seconds.remove(told++)).orElseGet(LoggedSecond::new);
        return Optional.of(new Tick(
                phase,
                told,
                second.latencies.getTotalCount() * 1e9 / Math.min(sinceStart, SECOND),
                second.latencies.getValueAtPercentile(99),
                second.errors));
    }

    @Override
    public void close() {
        over = true;
    }

    /** A Growing is a file that ends when its program has ended, and whose reader waits until then. */
    private final class Growing extends InputStream {
        private Optional<InputStream> in = Optional.empty();

        /** Waits until the file exists and opens it; empty if the program ended without one. */
        Optional<Path> await() throws IOException {
            while (true) {
                boolean last = over;
                Optional<Path> file = log.file().get().filter(Files::exists);
                if (file.isPresent()) {
                    in = Optional.of(InputFile.followed(file.get()));
                    return file;
                }
                if (last) {
                    return Optional.empty();
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            while (true) {
                // Asked before the read: what was written by then is read.
                boolean last = over;
                long now = wallNanos();
                int read = in.orElseThrow().read(bytes, offset, length);
                if (read >= 0) {
                    return read;
                }
                if (last) {
                    return -1;
                }
                if (log.prompt()) {
                    readUpTo(now);
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }

        private static long wallNanos() {
            Instant now = Instant.now();
            return now.getEpochSecond() * SECOND + now.getNano();
        }

        @Override
        public void close() throws IOException {
            if (in.isPresent()) {
                in.get().close();
            }
        }
    }
}
