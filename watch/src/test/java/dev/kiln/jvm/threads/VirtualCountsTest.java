package dev.kiln.jvm.threads;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.Mutations;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.WaitKind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On what JDK 25.0.3 answered while virtual threads read, connected and ran. */
class VirtualCountsTest {
    private static final String SCHEDULER = text("scheduler-25.0.3.txt");
    private static final String POLLERS = text("pollers-25.0.3.txt");

    private static String text(String name) {
        try (InputStream in = VirtualCountsTest.class.getResourceAsStream("/dev/kiln/jvm/threads/" + name)) {
            return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aJvmSaysHowManyThreadsReadAndHowManyConnect() {
        assertThat(VirtualCounts.queued(SCHEDULER)).hasValue(37);
        assertThat(VirtualCounts.parse(37, POLLERS)).contains(new VirtualCounts(5, 2, 37));
    }

    /** JDK 25 tells of timed waits in the same line. JDK 24 lists their schedulers below. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            3 | 4 | '' | 7
            0 | 0 | ', delayed = 12' | 0
            ٣ | ٤ | '' | 7
            """)
    void queuesAreSummedInTheDigitsOfAnyLocale(String tasks, String submissions, String more, int queued) {
        String answer =
                "java.util.concurrent.ForkJoinPool@1[Running, parallelism = 2, size = 2, active = 2, running = 2,"
                        + " steals = 9, tasks = " + tasks + ", submissions = " + submissions + more + "]\n"
                        + "\nDelayed task schedulers:\n"
                        + "[0] java.util.concurrent.ScheduledThreadPoolExecutor@2[Running, pool size = 1, active threads = 0,"
                        + " queued tasks = 8, completed tasks = 9]\n";
        assertThat(VirtualCounts.queued(answer)).hasValue(queued);
    }

    @Test
    void anotherAnswerIsNotUnderstood() {
        assertThat(VirtualCounts.queued("app.Scheduler@1\n")).isEqualTo(OptionalInt.empty());
        assertThat(VirtualCounts.queued("")).isEmpty();
        assertThat(VirtualCounts.parse(0, "")).isEmpty();
        assertThat(VirtualCounts.parse(0, "java.lang.IllegalArgumentException: Unknown diagnostic command"))
                .isEmpty();
    }

    @Test
    void eachCountIsARowAndThatOfReadsStandsForTheAnswer() {
        assertThat(new VirtualCounts(5, 2, 37).rows(7, OptionalInt.empty()))
                .containsExactly(
                        new BlockedSample(7, "", true, 5, WaitKind.NETWORK, "", "read", ""),
                        new BlockedSample(7, "", true, 2, WaitKind.NETWORK, "", "write or connect", ""),
                        new BlockedSample(7, "", true, 37, WaitKind.RUNNABLE, "", "", ""));
        assertThat(VirtualCounts.withoutNetwork(0).rows(7, OptionalInt.empty()))
                .containsExactly(new BlockedSample(7, "", true, 0, WaitKind.NETWORK, "", "read", ""));
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 5", "3, 3, 2", "9, 5, 0"})
    void noMoreThreadsWaitForAnAnswerThanThereAreConnectionsToOthers(int outbound, int answers, int idle) {
        assertThat(new VirtualCounts(5, 0, 0).rows(7, OptionalInt.of(outbound)))
                .containsExactly(
                        new BlockedSample(7, "", true, answers, WaitKind.NETWORK, "", "read", ""),
                        new BlockedSample(7, "", true, idle, WaitKind.IDLE, "", "read", ""));
    }

    @Test
    void damagedAnswersDoNotFail() {
        Mutations.of(SCHEDULER, Mutations.some(300), VirtualCounts::queued);
        Mutations.of(POLLERS, Mutations.some(300), text -> VirtualCounts.parse(0, text));
    }
}
