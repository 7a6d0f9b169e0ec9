package dev.kiln.explain;

import dev.kiln.stats.Peak;
import dev.kiln.stats.TimeToPeak;
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
            case PEAK -> real(run.series().measured().map(Peak::value));
            case T90 ->
                run.series().time(TimeToPeak.HEADLINE).map(TimeToPeak::seconds).orElse(OptionalDouble.empty());
            case DEFICIT ->
                real(run.series().deficit().map(deficit -> deficit.seconds().value()));
            case REQUESTS -> OptionalDouble.of(run.series().requests());
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

    private static OptionalDouble real(Optional<Double> value) {
        return value.map(OptionalDouble::of).orElse(OptionalDouble.empty());
    }

    private static OptionalDouble real(OptionalLong value) {
        return value.isPresent() ? OptionalDouble.of(value.getAsLong()) : OptionalDouble.empty();
    }
}
