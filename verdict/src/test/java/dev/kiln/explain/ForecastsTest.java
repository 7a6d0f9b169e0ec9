package dev.kiln.explain;

import static dev.kiln.explain.HandMade.nanos;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.Forecaster.Forecast;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.FlightCompilations;
import dev.kiln.model.run.JitState;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.model.run.Sample.ThreadRole;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Load from second 10 on; C2 got 0.5 s of CPU in each of the four seconds before, and then a sixteenth of a CPU. */
class ForecastsTest {
    private static final int ZERO = 10;
    private static final double BEFORE = 2;
    private static final double SHARE = 0.0625;

    private static List<Curves.JitPoint> points(int seconds) {
        List<Curves.JitPoint> points = new ArrayList<>();
        for (int s = -4; s < seconds; s++) {
            points.add(new Curves.JitPoint(s, s < 0 ? BEFORE / 4 : SHARE, s < 0 ? 0 : 0.95));
        }
        return points;
    }

    private static HandMade seenFromLaunch() {
        return new HandMade("a", 1).thread(0.5, 2, "C2 CompilerThre", ThreadRole.C2, 0, 0);
    }

    private static List<Forecast> of(HandMade made, int recorded, double end) {
        return Forecaster.of(made.evidence(), points(recorded), nanos(ZERO), end);
    }

    /** What the forecaster says after so many seconds, told the same. */
    private static Forecast after(int seconds, double queued) {
        Forecaster forecaster = new Forecaster();
        for (int i = 0; i < seconds; i++) {
            forecaster.second(SHARE, 0.95);
        }
        forecaster.backlog(queued);
        return forecaster.forecast().orElseThrow();
    }

    private static JitSample asked(double second, OptionalInt queue, Optional<Integer> level4) {
        return new JitSample(
                nanos(ZERO + second),
                OptionalInt.empty(),
                queue,
                level4.map(methods -> new JitState.CodeLevels(0, 0, 0, methods, OptionalInt.empty())),
                Optional.empty(),
                Optional.empty());
    }

    @Test
    void everyTenSecondsOfTheFirstLoadAndAtItsEnd() {
        List<Forecast> forecasts = of(seenFromLaunch(), 40, 25);

        assertThat(forecasts).containsExactly(after(10, 0), after(20, 0), after(25, 0));
    }

    /** A hundred compilations took the 2.5 s of CPU until then. */
    @Test
    void theQueueAndTheMethodsInUseTellTheBacklog() {
        HandMade made = seenFromLaunch();
        made.jit.add(asked(2, OptionalInt.of(900), Optional.of(50)));
        made.jit.add(asked(8, OptionalInt.of(5000), Optional.of(100)));
        made.jit.add(asked(9, OptionalInt.empty(), Optional.empty()));
        made.jit.add(asked(10.5, OptionalInt.of(1), Optional.of(400)));

        Forecast forecast = of(made, 10, 10).getLast();

        assertThat(forecast).isEqualTo(after(10, 5000 * (BEFORE + 10 * SHARE) / 100));
        assertThat(forecast.low()).isGreaterThan(500);
    }

    @Test
    void aFlightRecordingsCompilationsByC2GoFirst() {
        HandMade made = seenFromLaunch();
        made.jit.add(asked(8, OptionalInt.of(5000), Optional.of(100)));
        made.flight = Optional.of(HandMade.flight(new FlightDigest.FlightJit(
                List.of(
                        new FlightCompilations(nanos(ZERO + 1), 4, 150, 0, 1, 1, ""),
                        new FlightCompilations(nanos(ZERO + 2), 3, 7000, 0, 1, 1, ""),
                        new FlightCompilations(nanos(ZERO + 3), 4, 100, 0, 1, 1, ""),
                        new FlightCompilations(nanos(ZERO + 20), 4, 9000, 0, 1, 1, "")),
                List.of(),
                List.of(),
                List.of(),
                List.of())));

        assertThat(of(made, 10, 10).getLast()).isEqualTo(after(10, 5000 * (BEFORE + 10 * SHARE) / 250));
    }

    @Test
    void aQueueOfWhichNothingWasCompiledTellsNoTime() {
        HandMade made = seenFromLaunch();
        made.jit.add(asked(8, OptionalInt.of(5000), Optional.of(0)));

        assertThat(of(made, 10, 10)).containsExactly(after(10, 0));
    }
}
