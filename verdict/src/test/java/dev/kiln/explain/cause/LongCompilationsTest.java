package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseServices.unwaitedService;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.Service;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.FlightDigest;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Compilations of ten seconds and more, and which of them C2 misses CPU for. */
class LongCompilationsTest {
    /** Seconds since launch, level, count, sum and longest in seconds. */
    private static Service compiling(Service service, double[]... rows) {
        service.made.flight = Optional.of(HandMade.flight(new FlightDigest.FlightJit(
                Arrays.stream(rows)
                        .map(row -> new FlightDigest.FlightCompilations(
                                HandMade.nanos(row[0]),
                                (int) row[1],
                                (int) row[2],
                                0,
                                HandMade.nanos(row[3]),
                                HandMade.nanos(row[4]),
                                ""))
                        .toList(),
                List.of(),
                List.of(),
                List.of(),
                List.of())));
        return service;
    }

    @Test
    void compilationsOfTenSecondsAreLongWhileC2Waits() {
        double[] brief = {40, 4, 9, 20, 9.9};
        double[] exactly = {50, 4, 3, 12, 10};
        double[] longer = {60, 4, 1, 24.5, 24.5};
        Finding finding =
                compiling(Service.healthy().starved(), brief, exactly, longer).finding("long-compilations");

        assertThat(finding.state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(finding.weight()).isEqualTo(0.5);
        assertThat(finding.explains()).containsExactly(Finding.Effect.BELOW_PEAK);
        assertThat(finding.evidence())
                .containsExactly(
                        new Finding.Proof(
                                "2 compilations took 10 s or more in the warm-up, the longest 24.5 s, at level 4",
                                Optional.of(new Finding.Moment(26.5, 51))),
                        new Finding.Proof(
                                "meanwhile C2 got 3.0 % of a CPU and waited for one 97.0 % of the time",
                                Optional.of(new Finding.Moment(26.5, 51))));
        assertThat(finding.remedies())
                .isEqualTo(compiling(Service.healthy().starved(), longer)
                        .finding("c2-starved")
                        .remedies());
        assertThat(compiling(Service.healthy().starved(), exactly).first("long-compilations"))
                .startsWith("1 compilation took");
        assertThat(compiling(Service.healthy().starved(), new double[] {50, 4, 3, 31, 11})
                        .first("long-compilations"))
                .as("a row has the longest of its second, and the sum of all")
                .startsWith("at least 1 compilation took");
        assertThat(compiling(Service.healthy().starved(), brief).first("long-compilations"))
                .isEqualTo("the longest compilation took 9.9 s");
        assertThat(compiling(Service.healthy().starved(), brief).held()).containsExactly("c2-starved");
    }

    @Test
    void aLongCompilationOfACompilerThatGotItsCpuIsNone() {
        double[] lasting = {50, 4, 1, 12, 12};
        double[] measuring = {95, 4, 1, 12, 12};
        Service served = compiling(Service.healthy(), lasting);
        Service later = compiling(Service.healthy().starved(), new double[] {50, 4, 1, 1.5, 1.5}, measuring);
        Service unwaited = compiling(unwaitedService(0.5), lasting);

        assertThat(served.held()).isEmpty();
        assertThat(served.first("long-compilations"))
                .isEqualTo("the longest compilation took 12.0 s, but C2 was not starved of CPU meanwhile");
        assertThat(later.first("long-compilations"))
                .as("of the warm-up alone")
                .isEqualTo("the longest compilation took 1.5 s");
        assertThat(unwaited.finding("long-compilations").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(unwaited.first("long-compilations"))
                .isEqualTo("the longest compilation took 12.0 s, but the time threads wait for a CPU was not recorded");
    }

    @Test
    void longCompilationsOfAStarvationThatEndedExplainNothingAtTheEnd() {
        Service service = compiling(Service.healthy().starved(), new double[] {40, 4, 1, 15, 15});
        service.c2WaitsUntil = 50;

        assertThat(service.held()).containsExactly("long-compilations");
        assertThat(service.finding("long-compilations").explains()).isEmpty();
        Service limited = compiling(Service.healthy().starved(), new double[] {40, 4, 1, 15, 15});
        limited.periods = 10;
        limited.throttledPeriods = 6;
        assertThat(limited.finding("long-compilations").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    @Test
    void theMethodOfALongCompilationIsNamedWhereTheRecordingNamesIt() {
        Service starved = Service.healthy().starved();
        starved.made.flight = Optional.of(HandMade.flight(new FlightDigest.FlightJit(
                List.of(
                        new FlightDigest.FlightCompilations(
                                HandMade.nanos(40), 4, 1, 0, HandMade.nanos(11), HandMade.nanos(11), "a.Brief.run"),
                        new FlightDigest.FlightCompilations(
                                HandMade.nanos(60), 4, 1, 0, HandMade.nanos(24), HandMade.nanos(24), "a.B.parse")),
                List.of(),
                List.of(),
                List.of(),
                List.of())));
        Service served = Service.healthy();
        served.made.flight = starved.made.flight;

        assertThat(starved.first("long-compilations"))
                .isEqualTo(
                        "2 compilations took 10 s or more in the warm-up, the longest 24.0 s, at level 4 (a.B.parse)");
        assertThat(served.first("long-compilations"))
                .isEqualTo("the longest compilation took 24.0 s (a.B.parse), but C2 was not starved of CPU meanwhile");
    }

    /** Without a recording the counters can say that there was none, but not that there was one. */
    @Test
    void countersRuleLongCompilationsOut() {
        Service quick = Service.healthy();
        quick.compileSeconds = 9.9;
        Service unknown = Service.healthy();
        unknown.compileSeconds = 10;
        Service blind = Service.healthy();
        blind.counters = false;

        assertThat(quick.finding("long-compilations").state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(quick.first("long-compilations"))
                .isEqualTo("the compilations that ended between two readings took at most 9.9 s together");
        for (Service each : List.of(unknown, blind)) {
            assertThat(each.finding("long-compilations").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
            assertThat(each.first("long-compilations"))
                    .isEqualTo("how long single compilations took, and of which methods, was not recorded: it takes a"
                            + " flight recording");
        }
    }
}
