package dev.kiln.explain.window;

import static dev.kiln.explain.HandMade.nanos;
import static dev.kiln.explain.HandMade.sample;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.HandMade;
import dev.kiln.model.run.Attached;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import dev.kiln.model.run.Sample.ThreadState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ThreadTimesTest {
    private static final ThreadSample[] LONG_LIVED = {
        worker(0.1, 1, 0.05), worker(10, 1, 2), worker(20, 1, 6), worker(30, 1, 8)
    };

    private static ThreadSample in(ThreadState state, ThreadSample of) {
        return new ThreadSample(
                of.timeNanos(),
                of.tid(),
                of.name(),
                of.role(),
                of.cpuNanos(),
                of.waitNanos(),
                of.slices(),
                of.voluntarySwitches(),
                of.involuntarySwitches(),
                state);
    }

    private static ThreadSample worker(double at, int tid, double cpu) {
        return sample(at, tid, "exec-" + tid, ThreadRole.WORKER, cpu, cpu / 2);
    }

    @Test
    void aThreadThatWasAlwaysThereCountsByDifference() {
        ThreadTimes threads = new ThreadTimes(List.of(LONG_LIVED), true);

        assertThat(cpu(threads, 10, 20)).isEqualTo(nanos(4));
        assertThat(threads.cpuAndWait(ThreadRole.WORKER, nanos(10), nanos(20))[1])
                .isEqualTo(nanos(2));
        assertThat(cpu(threads, 10, 25)).as("the last sample before the end").isEqualTo(nanos(4));
        assertThat(cpu(threads, 30, 40)).isZero();
    }

    @Test
    void whoeverLooksFromTheLaunchOnHasSeenAll() {
        assertThat(cpu(new ThreadTimes(List.of(LONG_LIVED), true), 0, 10)).isEqualTo(nanos(2));
    }

    /** Kiln attached to it: its threads had used their CPU in the hours before. */
    @Test
    void whatAProcessUsedBeforeKilnAttachedIsOfNoWindow() {
        HandMade made = new HandMade("a", 1);
        // One look takes some ms, and has more than one time.
        made.threads.addAll(
                List.of(worker(0.1, 1, 5000), worker(0.106, 2, 40), worker(10, 1, 5002), worker(10.006, 2, 40)));
        made.attached = Optional.of(new Attached("1", 1, nanos(9000), nanos(5000)));

        assertThat(cpu(ThreadTimes.of(made.evidence()), 0, 10)).isEqualTo(nanos(2));
        assertThat(ThreadTimes.of(made.evidence())
                        .evenly(ThreadRole.WORKER, new Window(0, nanos(10)))
                        .cpu())
                .isCloseTo(0.2, within(0.01));
    }

    /** Ten threads one after the other, each of which is looked at once, are one thread at a time. */
    @Test
    void shortLivedThreadsAreNoCrowd() {
        List<ThreadSample> samples = new ArrayList<>();
        for (int second = 0; second < 10; second++) {
            samples.add(in(ThreadState.SLEEPING, worker(second, 1, second)));
            samples.add(in(ThreadState.UNINTERRUPTIBLE, worker(second, 10 + second, 0)));
        }

        assertThat(new ThreadTimes(samples, true)
                        .in(ThreadState.UNINTERRUPTIBLE, thread -> true, new Window(0, nanos(10)))
                        .getAsDouble())
                .isEqualTo(1);
    }

    @Test
    void whatAThreadDidBeforeAnybodyLookedIsNotOfTheWindow() {
        ThreadTimes late = new ThreadTimes(
                List.of(worker(100, 1, 50), worker(101, 2, 70), worker(110, 1, 53), worker(110, 2, 71)), true);

        assertThat(cpu(late, 90, 110)).isEqualTo(nanos(3 + 1));
    }

    @Test
    void aThreadBornInTheWindowCountsWhole() {
        ThreadTimes late = new ThreadTimes(List.of(worker(100, 1, 50), worker(103, 2, 0.5), worker(110, 2, 4)), true);

        assertThat(cpu(late, 101, 110)).isEqualTo(nanos(4));
        assertThat(cpu(late, 105, 110)).as("since its last sample before").isEqualTo(nanos(3.5));
    }

    @Test
    void aThreadThatDiedCountsUntilItsLastSample() {
        ThreadTimes threads =
                new ThreadTimes(List.of(worker(1, 1, 0), worker(10, 1, 3), worker(14, 1, 5), worker(30, 2, 1)), true);

        assertThat(cpu(threads, 10, 20)).isEqualTo(nanos(2));
        assertThat(cpu(threads, 15, 25)).as("dead by then").isZero();
    }

    @Test
    void sumsAreOfOneRoleOnly() {
        ThreadTimes threads = new ThreadTimes(
                List.of(
                        sample(1, 1, "C2 CompilerThre", ThreadRole.C2, 0, 0),
                        sample(2, 1, "C2 CompilerThre", ThreadRole.C2, 0.25, 0.75),
                        worker(1, 2, 0),
                        worker(2, 2, 1)),
                true);

        assertThat(threads.cpuAndWait(ThreadRole.C2, nanos(1), nanos(2))).containsExactly(nanos(0.25), nanos(0.75));
        assertThat(threads.has(ThreadRole.C2)).isTrue();
        assertThat(threads.has(ThreadRole.C1)).isFalse();
    }

    /** Samples at 10 and 30 s: what was used in between is not of the 15 s from 15 to 30 alone. */
    @Test
    void sharesAreOfTheTimeBetweenSamples() {
        ThreadTimes seldom = new ThreadTimes(
                List.of(
                        sample(1, 1, "C2 CompilerThre", ThreadRole.C2, 0, 0),
                        sample(1, 2, "C2 CompilerThre", ThreadRole.C2, 0, 0),
                        sample(10, 1, "C2 CompilerThre", ThreadRole.C2, 1, 1),
                        sample(10, 2, "C2 CompilerThre", ThreadRole.C2, 0, 0),
                        sample(30, 1, "C2 CompilerThre", ThreadRole.C2, 3, 13),
                        sample(30, 2, "C2 CompilerThre", ThreadRole.C2, 2, 4)),
                true);
        CpuUse use = seldom.use(ThreadRole.C2, new Window(nanos(15), nanos(30)), Optional.empty())
                .orElseThrow();

        assertThat(use.cpu()).isEqualTo(0.2);
        assertThat(use.waiting()).isEqualTo(0.8);
        assertThat(use.longest()).as("of the thread that waited most").isEqualTo(0.6);
        assertThat(use.blocked()).isCloseTo(0.3, within(1e-9));
        assertThat(use.starved()).isTrue();
        assertThat(seldom.use(ThreadRole.C2, new Window(nanos(11), nanos(16)), Optional.empty()))
                .as("no sample in it")
                .isEmpty();
    }

    /** The kernel adds a wait when it ends: one of 3 s from second 12 to 15 stands in the sample of second 15 alone. */
    @Test
    void aWaitIsOfTheTimeInWhichItWas() {
        ThreadTimes threads = new ThreadTimes(
                List.of(c2(10, 0, 0), c2(11, 0.6, 0), c2(12, 1.6, 0), c2(13, 1.6, 0), c2(14, 1.6, 0), c2(15, 1.7, 2.9)),
                true);

        double whole = 0;
        for (int second = 10; second < 15; second++) {
            Window window = new Window(nanos(second), nanos(second + 1));
            CpuUse use = threads.use(ThreadRole.C2, window, Optional.empty()).orElseThrow();
            assertThat(use.waiting()).as("second " + second).isEqualTo(second < 12 ? 0 : second < 14 ? 1 : 0.9);
            assertThat(use.demand()).isLessThanOrEqualTo(1);
            assertThat(threads.evenly(ThreadRole.C2, window).waiting()).isEqualTo(use.waiting());
            whole += use.waiting();
        }
        assertThat(whole).as("of the whole").isCloseTo(2.9, within(1e-9));
        assertThat(threads.use(ThreadRole.C2, new Window(nanos(10), nanos(15)), Optional.empty())
                        .orElseThrow()
                        .waiting())
                .isCloseTo(2.9 / 5, within(1e-9));
    }

    @Test
    void whatWasWaitedBeforeTheFirstSampleIsNotOfTheTimeAfterIt() {
        ThreadTimes late = new ThreadTimes(List.of(c2(100, 5, 50), c2(101, 5, 50), c2(102, 5, 57)), true);

        assertThat(late.use(ThreadRole.C2, new Window(nanos(100), nanos(102)), Optional.empty())
                        .orElseThrow()
                        .waiting())
                .isEqualTo(1);
    }

    /** Samples are seldom a second apart, and 1.1 s of waiting is not of one second. */
    @Test
    void noSecondHasMoreThanASecond() {
        ThreadTimes threads = new ThreadTimes(List.of(c2(9.95, 0, 0), c2(11.05, 0, 1.1), c2(12.15, 0, 2.2)), true);

        assertThat(threads.evenly(ThreadRole.C2, new Window(nanos(11), nanos(12)))
                        .waiting())
                .isCloseTo(1, within(1e-9));
    }

    private static ThreadSample c2(double at, double cpu, double wait) {
        return sample(at, 1, "C2 CompilerThre", ThreadRole.C2, cpu, wait);
    }

    @Test
    void noThreads() {
        ThreadTimes none = new ThreadTimes(List.of(), true);

        assertThat(none.isEmpty()).isTrue();
        assertThat(none.between(0, nanos(10))).isEmpty();
    }

    private static long cpu(ThreadTimes threads, double from, double to) {
        return threads.cpuAndWait(ThreadRole.WORKER, nanos(from), nanos(to))[0];
    }
}
