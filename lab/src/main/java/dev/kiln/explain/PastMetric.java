package dev.kiln.explain;

import dev.kiln.stats.Deficit;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** What is followed from experiment to experiment. Each is one figure a run. */
public enum PastMetric {
    START("start", "s", false),
    FIRST_RESPONSE("firstResponse", "s", false),
    END_OF_WARMUP("endOfWarmup", "req/s", true),
    /** Of the measuring phase; a level that throughput alone tells of is none. */
    PEAK("peak", "req/s", true),
    T90("t90", "s", false),
    /** Lost requests as seconds at the peak; 0 or less where nothing was lost. */
    DEFICIT("deficit", "s", false),
    /** Completed in the warm-up's load, as in {@code kiln compare}. */
    REQUESTS("requests", "requests", true),
    MAX_RSS("maxRss", "bytes", false),
    /** Of one CPU, in the second half of the warm-up. */
    C2_WAIT("c2Wait", "share", false),
    COMPILATIONS("compilations", "methods", false),
    COMPILE_TIME("compileTime", "s", false);

    /** A time is read off bins of a second. */
    private static final double BIN_SECONDS = 1;

    private static final int HEADLINE_PERCENT = 90;

    private final String key;
    private final String unit;
    private final boolean higherIsBetter;

    PastMetric(String key, String unit, boolean higherIsBetter) {
        this.key = key;
        this.unit = unit;
        this.higherIsBetter = higherIsBetter;
    }

    public String key() {
        return key;
    }

    public String unit() {
        return unit;
    }

    public boolean higherIsBetter() {
        return higherIsBetter;
    }

    OptionalDouble of(RunResult run) {
        return switch (this) {
            case START -> run.startSeconds();
            case FIRST_RESPONSE -> run.firstResponseSeconds();
            case END_OF_WARMUP -> run.endOfWarmup();
            case PEAK -> peak(run);
            case T90 -> t90(run);
            case DEFICIT ->
                run.measure().isEmpty()
                        ? OptionalDouble.empty()
                        : real(run.deficit().map(Deficit::deficitSeconds));
            case REQUESTS -> OptionalDouble.of(run.warmup().requests());
            case MAX_RSS -> real(run.observed().maxRssBytes());
            case C2_WAIT -> run.observed().c2WaitShare();
            case COMPILATIONS -> real(run.observed().compilations());
            case COMPILE_TIME -> run.observed().compileSeconds();
        };
    }

    /** Known no better than this. */
    double resolution() {
        return this == T90 ? BIN_SECONDS : 0;
    }

    /** Whether a peak that is a lower bound makes this one too. */
    boolean againstPeak() {
        return this == PEAK || this == T90 || this == DEFICIT;
    }

    /** Mean of the measuring phase without its first second, in which connections start again. */
    private static OptionalDouble peak(RunResult run) {
        if (run.measure().isEmpty()) {
            return OptionalDouble.empty();
        }
        String measuring = run.curves().load().getLast().phase();
        return run.curves().load().stream()
                .filter(point -> point.phase().equals(measuring))
                .skip(1)
                .mapToDouble(Curves.LoadPoint::requestsPerSecond)
                .average();
    }

    private static OptionalDouble t90(RunResult run) {
        return Optional.ofNullable(run.timeToReferencePeak().get(HEADLINE_PERCENT))
                .map(time -> time.seconds())
                .orElse(OptionalDouble.empty());
    }

    private static OptionalDouble real(Optional<Double> value) {
        return value.map(OptionalDouble::of).orElse(OptionalDouble.empty());
    }

    private static OptionalDouble real(OptionalLong value) {
        return value.isPresent() ? OptionalDouble.of(value.getAsLong()) : OptionalDouble.empty();
    }
}
