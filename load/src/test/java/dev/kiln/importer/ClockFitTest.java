package dev.kiln.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.importer.format.LoadSource.Span;
import dev.kiln.importer.format.SystemLog;
import dev.kiln.importer.format.SystemLog.LogClock;
import dev.kiln.model.KilnException;
import java.time.ZoneId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClockFitTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long HOUR = 3600 * SECOND;

    /** 2 June 2026, 17:00 on the log's wall. */
    private static final long LOCAL = 1_780_419_600L * SECOND;

    @Test
    void aZoneIsFoundByAligningWithTheLoad() {
        Span load = new Span(LOCAL + 4 * HOUR + 10 * SECOND, LOCAL + 4 * HOUR + 190 * SECOND);
        ClockFit fit = ClockFit.of(log(LogClock.LOCAL, LOCAL, 180), Optional.of(load), Optional.empty());

        assertThat(fit.shiftNanos()).isEqualTo(4 * HOUR);
        assertThat(fit.uncertaintyNanos()).isEqualTo(SECOND);
        assertThat(fit.words()).contains("the time zone of pidstat is UTC-04:00: found by aligning it with the load");
    }

    @Test
    void zonesOfHalfAndQuarterHoursAreFoundToo() {
        long nepal = 5 * HOUR + 2700 * SECOND;
        Span load = new Span(LOCAL - nepal, LOCAL - nepal + 60 * SECOND);

        assertThat(ClockFit.of(log(LogClock.LOCAL, LOCAL, 60), Optional.of(load), Optional.empty())
                        .words())
                .contains("the time zone of pidstat is UTC+05:45: found by aligning it with the load");
    }

    @Test
    void aGivenZoneIsTaken() {
        ClockFit fit = ClockFit.of(
                log(LogClock.LOCAL, LOCAL, 60), Optional.empty(), Optional.of(ZoneId.of("America/New_York")));

        assertThat(fit.shiftNanos()).isEqualTo(4 * HOUR);
    }

    @Test
    void aMissingDateIsThatOfTheLoad() {
        long timeOfDay = 17 * HOUR;
        Span load = new Span(LOCAL + 4 * HOUR, LOCAL + 4 * HOUR + 60 * SECOND);

        ClockFit found = ClockFit.of(log(LogClock.TIME_OF_DAY, timeOfDay, 60), Optional.of(load), Optional.empty());
        assertThat(found.shiftNanos()).isEqualTo(LOCAL + 4 * HOUR - timeOfDay);
        assertThat(found.words())
                .contains(
                        "the time zone of pidstat is UTC-04:00 and its date that of the load: found by aligning the two");
        assertThat(ClockFit.of(
                                log(LogClock.TIME_OF_DAY, timeOfDay, 60),
                                Optional.of(load),
                                Optional.of(ZoneId.of("America/New_York")))
                        .shiftNanos())
                .isEqualTo(LOCAL + 4 * HOUR - timeOfDay);
    }

    @Test
    void withNothingToAlignItWithAMissingDateStaysUnknown() {
        ClockFit fit = ClockFit.of(log(LogClock.TIME_OF_DAY, 17 * HOUR, 60), Optional.empty(), Optional.empty());

        assertThat(fit.shiftNanos()).isZero();
        assertThat(fit.words()).contains("the date of pidstat is not known: it is missing, or can be read in two ways");
    }

    @Test
    void aLogThatFitsInSeveralZonesNeedsOne() {
        Span load = new Span(LOCAL, LOCAL + 10 * HOUR);

        assertThatThrownBy(() -> ClockFit.of(log(LogClock.LOCAL, LOCAL, 600), Optional.of(load), Optional.empty()))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("its times fit the load in several");
    }

    @Test
    void filesOfDifferentRunsAreRefused() {
        Span load = new Span(LOCAL + 100 * HOUR, LOCAL + 101 * HOUR);

        assertThatThrownBy(() -> ClockFit.of(log(LogClock.LOCAL, LOCAL, 60), Optional.of(load), Optional.empty()))
                .hasMessageContaining("do not overlap those of the load in any time zone");
    }

    private static SystemLog log(LogClock clock, long fromNanos, int seconds) {
        return new SystemLog(
                "pidstat",
                clock,
                new Span(fromNanos, fromNanos + seconds * SECOND),
                SystemLog.LogContent.THREADS,
                true,
                SystemLog.LogMachine.UNKNOWN,
                (shift, sink) -> {});
    }
}
