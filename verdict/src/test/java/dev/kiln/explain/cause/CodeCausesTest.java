package dev.kiln.explain.cause;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.cause.CodeKit.dumps;
import static dev.kiln.explain.cause.CodeKit.idle;
import static dev.kiln.explain.cause.CodeKit.recorded;
import static dev.kiln.explain.cause.CodeKit.running;
import static dev.kiln.explain.cause.CodeKit.slower;
import static dev.kiln.explain.cause.CodeKit.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.Service;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Effect;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Finding.Proof;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.WaitKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What requests run, as dumps show it: from evidence made by hand, as {@link Service} has it. */
class CodeCausesTest {
    @ParameterizedTest
    @CsvSource({
        "exceptions, exceptions",
        "reflection, reflection",
        "logging, log-formatting",
        "class-loading, class-loading"
    })
    void whatRunningThreadsStandInIsNamedAndNothingElse(String family, String cause) {
        Service service = slower();
        dumps(service, 64, family, 12);
        dumps(service, 98, family, 0);

        assertThat(service.held()).containsExactly(cause);
        Finding finding = service.finding(cause);
        assertThat(finding.explains()).contains(Effect.BELOW_PEAK);
        assertThat(finding.evidence().getFirst().text())
                .startsWith("60 of 100 running threads in thread dumps ")
                .endsWith("(60 %, between 50 and 69)");
        assertThat(finding.evidence())
                .extracting(Finding.Proof::text)
                .contains("most of them were called from app.Stock.take:12")
                .anyMatch(text -> text.contains("ms of a request") && text.contains("waiting for a CPU"));
        assertThat(finding.remedies()).isNotEmpty();
    }

    @Test
    void asMuchAtThePeakExplainsNothing() {
        Service same = slower();
        dumps(same, 64, "exceptions", 12);
        dumps(same, 98, "exceptions", 11);

        assertThat(same.finding("exceptions").explains()).doesNotContain(Effect.BELOW_PEAK);
        assertThat(same.finding("exceptions").title()).endsWith(", as much at the peak");
    }

    /** What C2 leaves slow makes all that runs dearer, and this as much as the rest. */
    @Test
    void aStarvedC2IsNoReasonToNameWhatRunsAsMuchAtThePeak() {
        Service starved = slower().starved();
        dumps(starved, 64, "logging", 12);
        dumps(starved, 98, "logging", 12);

        assertThat(starved.held().getFirst()).isEqualTo("c2-starved");
        assertThat(starved.finding("log-formatting").explains()).isEmpty();
    }

    @Test
    void aStarvedC2ComesFirst() {
        Service starved = slower().starved();
        starved.workerCpu = 0.95;
        dumps(starved, 64, "logging", 20);
        dumps(starved, 98, "logging", 0);

        assertThat(starved.held()).startsWith("c2-starved").contains("log-formatting");
    }

    /** Rows that a dump has no room for are of any pool. */
    @Test
    void threadsThatADumpCountsTogetherCountAsWell() {
        Service service = slower();
        for (int second = 64; second < 69; second++) {
            running(service, second, 12, "app.Stock.take:12", "exceptions");
            running(service, second, 8, "app.Stock.sum:30", "");
            service.made.blocked.add(new BlockedSample(second * SECOND, "", false, 30, WaitKind.RUNNABLE, "", "", ""));
        }

        assertThat(service.finding("exceptions").evidence().getFirst().text()).startsWith("60 of 250 running threads");
        assertThat(state(service, "exceptions")).as("between 19 and 30 %").isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    @Test
    void carriersWithoutTheirVirtualThreadsTellNothing() {
        Service service = slower();
        for (int second = 64; second < 74; second++) {
            service.made.blocked.add(new BlockedSample(
                    second * SECOND, "ForkJoinPool-1-worker", false, 16, WaitKind.RUNNABLE, "", "", ""));
        }

        assertThat(state(service, "exceptions")).isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    /** What one source says at the end, another one at the peak: each misses another part. */
    @Test
    void theSameSourceIsHeldAgainstThePeak() {
        Service service = recorded("exceptions", 5, 25_000);
        dumps(service, 64, "exceptions", 9);

        assertThat(service.held()).containsExactly("exceptions");
        assertThat(service.finding("exceptions").explains()).isEmpty();
    }

    /** So it was with a service that throws all the time: threads of one dump did the same more often than chance has it. */
    @Test
    void threadsOfADumpThatStandAlikeAreWorthLess() {
        Service service = slower();
        int[] thrown = {8, 8, 13, 5, 6, 3, 4, 12, 3, 4};
        int[] others = {7, 10, 5, 9, 9, 12, 13, 7, 13, 7};
        for (int i = 0; i < thrown.length; i++) {
            int second = i < 5 ? 64 + i : 93 + i;
            running(service, second, thrown[i], "app.Stock.take:12", "exceptions");
            running(service, second, others[i], "app.Stock.sum:30", "");
        }

        assertThat(service.finding("exceptions").evidence().getFirst().text())
                .startsWith("40 of 80 running threads in thread dumps ")
                .endsWith("(50 %, between 37 and 63)");
        assertThat(service.finding("exceptions").title()).endsWith(", as much at the peak");
    }

    /** A quarter less is no difference if the few samples after the pause may have missed it. */
    @Test
    void theIntervalAfterThePauseCountsAsWell() {
        Service service = slower();
        dumps(service, 64, "exceptions", 9);
        for (int second = 98; second < 101; second++) {
            running(service, second, 2, "app.Stock.take:12", "exceptions");
            running(service, second, 5, "app.Stock.sum:30", "");
        }

        assertThat(service.finding("exceptions").title()).endsWith(", as much at the peak");
    }

    /** Half the CPU of a request was more than the whole request takes after the pause. */
    @Test
    void whatCostMoreThanTheWholeRequestDoesLaterHeldTheServiceBack() {
        Service service = slower();
        dumps(service, 64, "exceptions", 16);

        assertThat(service.finding("exceptions").explains()).contains(Effect.BELOW_PEAK);
        assertThat(service.finding("exceptions").evidence())
                .extracting(Proof::text)
                .anyMatch(
                        text -> text.startsWith("a request cost 0.80 ms of CPU after the pause, less than this alone"));
    }

    @Test
    void whereThePeakIsNotKnownItIsPresentAndNoMore() {
        Service service = slower();
        dumps(service, 64, "exceptions", 9);

        assertThat(service.held()).containsExactly("exceptions");
        assertThat(service.finding("exceptions").explains()).isEmpty();
        assertThat(service.finding("exceptions").evidence().getLast().text())
                .startsWith("too few samples after the pause");
    }

    @Test
    void theIntervalDecidesAndFewThreadsDecideNothing() {
        Service none = slower();
        dumps(none, 64, "exceptions", 0);
        Service few = slower();
        dumps(few, 64, "exceptions", 1);
        Service near = slower();
        dumps(near, 64, "exceptions", 4);
        Service one = slower();
        for (int second = 64; second < 69; second++) {
            running(one, second, 1, "app.Loop.run:" + second, "exceptions");
        }
        Service once = slower();
        running(once, 64, 14, "app.Loop.run:1", "");
        running(once, 64, 6, "app.Stock.take:12", "exceptions");

        assertThat(state(none, "exceptions")).as("at most 4 %").isEqualTo(FindingState.RULED_OUT);
        assertThat(state(few, "exceptions"))
                .as("at most 11 %, and dumps understate it")
                .isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(state(near, "exceptions")).as("20 % of 100").isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(state(one, "exceptions")).as("five threads").isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(state(once, "exceptions")).as("30 % in one dump").isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(state(Service.healthy(), "reflection")).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(Service.healthy().first("reflection")).contains("--flight-recorder");
    }

    /** Threads of one dump may stand alike by chance: 20 of them are worth 7, and 11 of 20 are at least 24 %. */
    @Test
    void oneDumpIsEnoughWhereItShowsMuch() {
        Service service = slower();
        running(service, 64, 9, "app.Loop.run:1", "");
        running(service, 64, 11, "app.Stock.take:12", "exceptions");

        assertThat(service.held()).containsExactly("exceptions");
        assertThat(service.first("exceptions")).contains("11 of 20 running threads", "55 %, between 24 and 83");
    }

    /** The interval of one dump after the pause is so wide that nearly any amount would be "as much". */
    @Test
    void oneDumpAfterThePauseSaysNotThatItTookAsMuch() {
        Service service = slower();
        dumps(service, 64, "exceptions", 9);
        running(service, 98, 11, "app.Loop.run:1", "");
        running(service, 98, 9, "app.Stock.take:12", "exceptions");

        assertThat(service.finding("exceptions").title()).doesNotContain("as much at the peak");
        assertThat(service.finding("exceptions").explains()).isEmpty();
    }

    /** It runs all the time, and no request needs it. */
    @Test
    void aThreadThatAlwaysStandsAtOnePlaceServesNoRequest() {
        Service service = slower();
        dumps(service, 64, "", 0);
        for (int second = 64; second < 69; second++) {
            for (int i = 0; i < 40; i++) {
                service.made.blocked.add(new BlockedSample(
                        second * SECOND,
                        "poll" + i + "x",
                        false,
                        1,
                        WaitKind.RUNNABLE,
                        "app.Poll.run:3",
                        "reflection",
                        ""));
            }
        }

        assertThat(state(service, "reflection")).isEqualTo(FindingState.RULED_OUT);
    }

    @Test
    void aServiceThatIsIdleIsNotHeldBackByWhatItRuns() {
        Service waits = idle(100);
        Service seldomAsked = idle(1);

        assertThat(waits.held()).containsExactly("database-limit");
        assertThat(waits.first("log-formatting")).endsWith(", but requests wait while the CPUs are idle");
        assertThat(seldomAsked.held()).isEmpty();
        assertThat(seldomAsked.first("log-formatting")).endsWith(", but that is 3.6 % of the target's CPUs");
    }
}
