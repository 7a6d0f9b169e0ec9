package dev.kiln.explain.cause;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.HandMade.nanos;
import static dev.kiln.explain.HandMade.seconds;
import static dev.kiln.explain.cause.CauseServices.changes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.Service;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.FlightPause;
import dev.kiln.model.run.FlightDigest.HeapChange;
import dev.kiln.model.run.Sample.CollectionSample;
import dev.kiln.model.run.Sample.FullCollections;
import dev.kiln.model.run.Sample.HeapSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoublePredicate;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/** A heap that is full of what requests leave behind, and one that is too small. The load goes from second 10 to 70. */
class GrowingLiveSetTest {
    private static final String ID = "growing-live-set";
    private static final String HEAP = "heap-too-small";
    private static final double MIB = 1 << 20;

    private static Service busy(Service service) {
        service.collections = 10;
        service.collectionShare = 0.47;
        service.collectionShareAfter = 0;
        service.made.flags = List.of("-Xmx96m");
        // Its old generation has 64 MiB.
        service.made.inForce = List.of(
                "-XX:+UseSerialGC",
                "-XX:MaxHeapSize=" + (96 << 20),
                "-XX:MaxNewSize=" + (32 << 20),
                "-XX:CICompilerCount=2");
        return service;
    }

    /**
     * Has two collections a second.
     *
     * @param mib what one leaves, by the second since launch
     * @param full which of them were of the whole heap
     */
    private static Service leaving(Service service, DoubleUnaryOperator mib, DoublePredicate full) {
        busy(service);
        for (double t = 10.5; t <= 70; t += 0.5) {
            boolean whole = full.test(t);
            service.made.collections.add(new CollectionSample(
                    nanos(t),
                    "Allocation Failure",
                    5,
                    nanos(0.2),
                    Optional.of(new FullCollections(whole ? 2 : 0, whole ? nanos(0.1) : 0))));
            service.made.heap.add(
                    new HeapSample(nanos(t) + 1000, Math.round(mib.applyAsDouble(t) * MIB), Math.round(10 * t)));
        }
        return service;
    }

    private static double sawtooth(double t) {
        return 2 * (t % 3) / 3;
    }

    private static List<String> texts(Finding finding) {
        return finding.evidence().stream().map(Finding.Proof::text).toList();
    }

    /** Half a MiB a second at 1,000 requests a second. */
    @Test
    void aHeapThatFillsWithTheRequestsIsNotTooSmall() {
        Service leaks = leaving(Service.healthy(), t -> 20 + (t - 10) / 2, t -> true);

        assertThat(leaks.held()).containsExactly(ID);
        assertThat(texts(leaks.finding(ID)))
                .anySatisfy(text -> assertThat(text).startsWith("47.0 % of the time went into collections"))
                .anySatisfy(text -> assertThat(text)
                        .containsPattern("^what is live grew by (29|30)\\.")
                        .contains(
                                " MiB a minute (95 %: ", " bytes for each request over the second half of the requests")
                        .containsPattern("up to 49\\.\\d MiB that full collections left"));
        assertThat(leaks.finding(ID).remedies())
                .extracting(FindingRemedy::how)
                .allSatisfy(how -> assertThat(how).contains("GC.class_histogram", "GC.heap_dump"));
        assertThat(changes(leaks, ID)).as("no search tries a heap for it").isEmpty();
        assertThat(leaks.finding(HEAP).state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(leaks.first(HEAP)).isEqualTo("what is live grows (growing-live-set): a larger heap is full later");
        assertThat(leaks.finding("gc").state()).isEqualTo(FindingState.RULED_OUT);
    }

    @Test
    void aHeapWhoseLiveObjectsAreLevelIsTooSmall() {
        Service level = leaving(Service.healthy(), t -> 55 + sawtooth(t), t -> true);
        Service begins = leaving(Service.healthy(), t -> Math.min(55, 15 + 2 * (t - 10)) + sawtooth(t), t -> true);

        assertThat(level.held()).containsExactly(HEAP);
        assertThat(level.finding(HEAP).title()).isEqualTo("heap too small");
        assertThat(level.first(ID)).startsWith("what is live is level: full collections left ");
        assertThat(texts(level.finding(HEAP))).contains(level.first(ID));
        assertThat(changes(level, HEAP)).hasSize(1);
        assertThat(level.finding(HEAP).remedies()).hasSize(1);
        assertThat(begins.held()).as("caches fill for 20 s").containsExactly(HEAP);
    }

    /** At the end it hardly serves, and what is live has no room to grow. */
    @Test
    void aServiceThatHardlyServesAnyMoreIsCutByItsRequests() {
        double[] served = new double[60];
        double[] live = new double[72];
        double all = 0;
        for (int t = 0; t < 60; t++) {
            served[t] = t < 25 ? 1000 : 20;
            live[t + 10] = 10 + all / 600;
            all += served[t];
        }
        live[70] = live[69];
        Service dies = leaving(Service.of(served, 1000), t -> live[(int) t], t -> true);

        assertThat(dies.finding(ID).state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(dies.finding(HEAP).state()).isEqualTo(FindingState.RULED_OUT);
    }

    /** What does not fit into an old generation that is full stays in the young one, where nothing tells how much it is. */
    @Test
    void anOldGenerationThatIsFullHidesWhatElseIsLive() {
        double[] served = new double[60];
        double[] live = new double[71];
        double all = 0;
        for (int t = 0; t < 60; t++) {
            served[t] = t < 40 ? 1000 : 50;
            live[t + 10] = Math.min(64, 4 + all / 600);
            all += served[t];
        }
        live[70] = 64;
        Service fills = leaving(Service.of(served, 1000), t -> live[(int) t], t -> live[(int) t] >= 64);
        Service full = leaving(Service.healthy(), t -> 64, t -> true);

        assertThat(fills.finding(ID).state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(full.held()).containsExactly(HEAP);
        assertThat(full.finding(ID).state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(full.first(ID)).contains("full collections left 64.0 MiB, as much as the old generation holds");
        assertThat(full.finding(HEAP).remedies()).hasSize(2);
    }

    /** An old generation has its first full collection when it is full: before that any collection tells the most that was live. */
    @Test
    void whatYoungCollectionsLeftIsTheMostThatWasLive() {
        Service late = leaving(Service.healthy(), t -> 20 + (t - 10) / 2 + sawtooth(t), t -> t > 66);
        Service garbage = leaving(Service.healthy(), t -> t > 66 ? 20 : 20 + (t - 10) / 2, t -> t > 66);

        assertThat(late.held()).containsExactly(ID);
        assertThat(garbage.finding(ID).state())
                .as("what rose was garbage, and full collections were seen at the end alone")
                .isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    /** Full collections in all of the time, which left more than others: what is live may be no more than those left. */
    @Test
    void whereOthersLeftLessThanFullOnesThatIsSaid() {
        Service less = leaving(Service.healthy(), t -> t % 3 == 0 ? 55 : 50 + sawtooth(t), t -> t % 3 == 0);

        assertThat(less.finding(ID).state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(less.first(ID))
                .contains("other collections left less than they did")
                .containsPattern(
                        "; it may have grown by -\\d\\S* to \\d\\S* MiB, or by more over the second half of the requests$");
    }

    /** The first look at a process has no row of collections, and the last such row is of the process before. */
    @Test
    void aCollectionOfTheProcessBeforeIsNotThatOfThisOne() {
        Service restarted = leaving(Service.healthy(), t -> 55 + sawtooth(t), t -> t <= 11);
        restarted.made.heap.add(2, new HeapSample(nanos(11.3), 20 << 20, 115));

        assertThat(restarted.first(ID)).contains("2 full collections were seen");
    }

    @Test
    void whereNothingTellsBothAreSaid() {
        Service unseen = busy(Service.healthy());
        Service young = leaving(Service.healthy(), t -> 20 + (t - 10) / 2, t -> false);

        for (Service service : List.of(unseen, young)) {
            assertThat(service.held()).containsExactly(HEAP);
            assertThat(service.finding(HEAP).title()).isEqualTo("heap too small, or what is live grows");
            assertThat(service.finding(ID).state()).isEqualTo(FindingState.NOT_OBSERVABLE);
            assertThat(texts(service.finding(HEAP)))
                    .anySatisfy(text -> assertThat(text).startsWith("whether what is live grows is not known: "));
            assertThat(service.finding(HEAP).remedies())
                    .extracting(FindingRemedy::what)
                    .containsExactly("give it more heap", "find what holds the objects, and let go of them");
        }
        assertThat(young.first(ID)).contains("0 full collections were seen");
    }

    /** G1 that was asked for pauses of 5 ms collects its eden often, in a heap of any size. */
    private static Service tiny() {
        Service tiny = leaving(Service.healthy(), t -> 30, t -> false);
        tiny.collections = 20;
        tiny.collectionShare = 0.3;
        tiny.fullShare = 0;
        tiny.made.inForce = List.of("-XX:MaxHeapSize=" + (4L << 30), "-XX:CICompilerCount=2");
        return tiny;
    }

    /** A collection that somebody asks for is a full one, and none of those that the program needs. */
    @Test
    void collectionsThatWereAskedForHideNoTinyYoungGeneration() {
        Service asked = tiny();
        for (int t = 12; t < 70; t += 10) {
            asked.made.collections.add(new CollectionSample(
                    nanos(t + 0.2), "System.gc()", 1, nanos(0.02), Optional.of(new FullCollections(1, nanos(0.02)))));
        }

        assertThat(asked.held()).containsExactly("gc");
        assertThat(asked.first("gc")).endsWith("; none was a full one");
    }

    @Test
    void aTinyYoungGenerationIsNoSmallHeap() {
        Service tiny = tiny();
        Service small = leaving(Service.healthy(), t -> 30, t -> false);
        small.made.inForce = List.of("-XX:MaxHeapSize=" + (40L << 20), "-XX:CICompilerCount=2");
        small.fullShare = 0;
        Service old = leaving(Service.healthy(), t -> 30, t -> true);
        old.made.inForce = tiny.made.inForce;
        old.fullShare = 0.4;

        assertThat(tiny.held()).containsExactly("gc");
        assertThat(tiny.first(HEAP))
                .endsWith(
                        "; they left at most 30 MiB of the heap's 4,096 MiB in use: it is the young generation that is small");
        assertThat(tiny.finding(ID).state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(small.held()).containsExactly(HEAP);
        assertThat(old.held()).as("a tiny old generation").containsExactly(HEAP);
    }

    @Test
    void collectionsThatCostLittleHoldNothingBack() {
        Service leaks = leaving(Service.healthy(), t -> 20 + (t - 10) / 2, t -> true);
        leaks.collectionShare = 0.05;

        assertThat(leaks.held()).isEmpty();
        assertThat(leaks.finding(ID).state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(leaks.first(ID)).startsWith("what is live grew by 30").endsWith("; it has held nothing back yet");
    }

    /** It fills in minutes, with live objects or with garbage: nobody may say that live objects do not grow. */
    @Test
    void aHeapThatFillsAndHasRoomIsNotRuledOut() {
        Service fills = leaving(Service.healthy(), t -> 10 + (t - 10) / 2, t -> t == 40);
        fills.collectionShare = 0.05;

        assertThat(fills.held()).isEmpty();
        assertThat(fills.finding(ID).state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(fills.first(ID))
                .startsWith("the heap filled by 30")
                .endsWith(
                        "and had room: of 96.0 MiB; only full collections show how much of it is live: 1 seen, of the 3 that it takes");

        Service level = leaving(Service.healthy(), t -> 30 + sawtooth(t), t -> t == 40);
        level.collectionShare = 0.05;
        assertThat(level.finding(ID).state()).isEqualTo(FindingState.RULED_OUT);
    }

    @Test
    void aFlightRecordingTellsItToo() {
        Service service = Service.healthy();
        service.counters = false;
        List<FlightPause> pauses = new ArrayList<>();
        List<HeapChange> heap = new ArrayList<>();
        for (int t = 10; t < 70; t++) {
            pauses.add(new FlightPause(t * SECOND, "Allocation Failure", nanos(0.4), "SerialOld"));
            heap.add(new HeapChange(t * SECOND + 20_000, 64L << 20, Math.round((20 + t / 2.0) * MIB)));
        }
        service.made.flight = Optional.of(new FlightDigest(
                new FlightDigest.FlightJit(List.of(), List.of(), List.of(), List.of(), List.of()),
                new FlightDigest.FlightCollector(pauses, heap),
                new FlightDigest.FlightSamples(List.of(), List.of(), List.of(), List.of()),
                List.of()));

        assertThat(service.held()).containsExactly(ID);
    }

    /** In a load of seconds a few bytes are kept for good by whoever begins. */
    @Test
    void aRiseThatDoesNotCountIsNone() {
        Service settles = leaving(Service.of(seconds(60, 1000), 1000), t -> 55 + t / 100, t -> true);

        assertThat(settles.held()).containsExactly(HEAP);
    }
}
