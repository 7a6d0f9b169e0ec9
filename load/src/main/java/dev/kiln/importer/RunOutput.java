package dev.kiln.importer;

import dev.kiln.evidence.LatencyLog;
import dev.kiln.evidence.LatencyTable;
import dev.kiln.evidence.LoadFile;
import dev.kiln.evidence.RunWriter;
import dev.kiln.importer.ForeignRun.Phases;
import dev.kiln.importer.format.LoadSource.LoadSink;
import dev.kiln.importer.format.LoadSource.LoadSink.LoadRow;
import dev.kiln.importer.format.SystemLog;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.Latency.LatencyInterval;
import dev.kiln.model.load.Latency.Quantiles;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Course;
import dev.kiln.model.run.Provenance;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.Sample;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/** A RunOutput writes a run's sources as its evidence on its own clock; it keeps only phases in memory. */
final class RunOutput implements LoadSink, SystemLog.Sink, AutoCloseable {
    private static final long SECOND = 1_000_000_000L;

    /** Files are written once in this many rows. */
    private static final int BATCH = 512;

    /** This many gaps are named one by one; the rest is counted. */
    private static final int GAPS = 20;

    /** The failed requests of a load whose files do not count them. */
    static final NotRecorded UNCOUNTED = new NotRecorded(NotRecorded.ERRORS, "the files do not count them");

    private final RunWriter run;
    private final LoadFile load;
    private final Path directory;
    private final long zero;
    private final long launchEpochMillis;
    private Optional<LatencyTable> quantiles = Optional.empty();
    private Optional<LatencyLog> histograms = Optional.empty();
    private final Phases phases = new Phases();
    private final List<String> gaps = new ArrayList<>();
    private final List<Sample.MemorySample> memories = new ArrayList<>();
    private int moreGaps;
    private final List<Provenance.SeenSpan> unseen = new ArrayList<>();
    private long shift;
    private int rows;
    private long completed;
    private OptionalDouble rate = OptionalDouble.empty();
    private boolean uncounted;

    /** @param zero of the run's times, on the clock of its sources */
    RunOutput(Path directory, long zero, long launchEpochMillis) {
        this.directory = directory;
        this.zero = zero;
        this.launchEpochMillis = launchEpochMillis;
        run = new RunWriter(directory);
        load = new LoadFile(directory);
    }

    /** Sets what is added to the times of the load source that is read next. */
    void shift(long nanos) {
        shift = nanos;
    }

    @Override
    public void phase(String name, long startNanos) {
        phases.begin(name, since(startNanos + shift));
        completed = 0;
    }

    @Override
    public void row(LoadRow row) {
        long start = since(row.startNanos() + shift);
        long end = start + row.endNanos() - row.startNanos();
        phases.row(start, end).ifPresent(this::gap);
        completed += row.completed();
        String phase = phases.current();
        load.write(new LoadBin(phase, start, end, row.started(), row.completed(), row.errors(), 0, 0));
        if (row.latencies().quantiles()) {
            quantiles().second(row.interval(phase, start, end));
        }
        if (++rows % BATCH == 0) {
            load.flush();
        }
    }

    @Override
    public void latencies(long startNanos, long endNanos, Histogram latencies) {
        if (histograms.isEmpty()) {
            histograms = Optional.of(new LatencyLog(directory, launchEpochMillis));
        }
        histograms.get().write(phases.current(), since(startNanos + shift), since(endNanos + shift), latencies);
        histograms.get().flush();
    }

    @Override
    public void end(long endNanos) {
        phases.end(since(endNanos + shift));
    }

    @Override
    public void offered(double perSecond) {
        rate = OptionalDouble.of(perSecond);
    }

    /** Returns the offered requests per second, from the last source that reported them; empty where none did. */
    OptionalDouble rate() {
        return rate;
    }

    @Override
    public void total(Quantiles total) {
        Course.PhaseTime phase = phases.last();
        quantiles()
                .phase(new LatencyInterval(
                        phase.name(), phase.startNanos(), phase.endNanos().orElseThrow(), total));
    }

    @Override
    public void append(Sample sample) {
        if (sample instanceof Sample.MemorySample memory) {
            memories.add(memory);
        } else {
            run.append(sample);
        }
    }

    /** Joins memory samples: one source has how much there was, another collections, and rows have both. */
    private void memory() {
        memories.sort(Comparator.comparingLong(Sample.MemorySample::timeNanos));
        long rss = 0;
        Optional<Sample.MemorySample> counted = Optional.empty();
        for (Sample.MemorySample own : memories) {
            rss = own.rssBytes() > 0 ? own.rssBytes() : rss;
            counted = own.safepoints() > 0 ? Optional.of(own) : counted;
            Sample.MemorySample counts = counted.orElse(own);
            run.append(new Sample.MemorySample(
                    own.timeNanos(),
                    rss,
                    own.pssBytes(),
                    counts.collections(),
                    counts.collectionNanos(),
                    counts.safepoints(),
                    counts.safepointNanos(),
                    counts.toSafepointNanos(),
                    counts.generations(),
                    Optional.empty()));
        }
        memories.clear();
    }

    @Override
    public void unseen(long fromNanos, long toNanos) {
        unseen.add(new Provenance.SeenSpan(fromNanos, toNanos));
        gap(String.format(
                Locale.ROOT,
                "no thread was sampled from second %.0f to %.0f of the run",
                (double) fromNanos / SECOND,
                (double) toNanos / SECOND));
    }

    @Override
    public void uncounted() {
        uncounted = true;
    }

    /** Returns that failed requests were not counted in a load, if so. */
    Optional<NotRecorded> notCounted() {
        return uncounted ? Optional.of(UNCOUNTED) : Optional.empty();
    }

    @Override
    public void gap(String what) {
        if (gaps.size() < GAPS) {
            gaps.add(what);
        } else {
            moreGaps++;
        }
    }

    List<String> gaps() {
        List<String> all = new ArrayList<>(gaps);
        if (moreGaps > 0) {
            all.add(moreGaps + " more gaps");
        }
        return all;
    }

    /** Returns the successful responses per second of the phase that ended last. */
    double throughput() {
        Course.PhaseTime phase = phases.last();
        return completed * 1e9 / (phase.endNanos().orElseThrow() - phase.startNanos());
    }

    List<Provenance.SeenSpan> unseen() {
        return unseen;
    }

    Phases phases() {
        return phases;
    }

    void write(RunInfo info) {
        memory();
        run.write(info);
    }

    private long since(long nanos) {
        if (nanos < zero) {
            throw KilnException.usage(
                    "a record lies " + (zero - nanos) / 1_000_000 + " ms before the first one of its files",
                    "import files of one run, in the order they were written");
        }
        return nanos - zero;
    }

    private LatencyTable quantiles() {
        if (quantiles.isEmpty()) {
            quantiles = Optional.of(new LatencyTable(directory));
        }
        return quantiles.get();
    }

    @Override
    public void close() {
        try (run;
                load) {
            quantiles.ifPresent(LatencyTable::close);
            histograms.ifPresent(LatencyLog::close);
        }
    }
}
