package dev.kiln.explain.cause;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.Service;
import dev.kiln.explain.study.Assessment;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Effect;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.FlightDeoptimizations;
import dev.kiln.model.run.Treatment;
import dev.kiln.stats.AnalysisConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What held a service back is what a cause took more at the end of the first load than at the peak. */
class DifferenceTest {
    /** A service that ends at 850 requests a second, and serves 1,000 after the pause. */
    private static Service below() {
        return Service.of(HandMade.seconds(60, 850), 1000);
    }

    private static String conclusion(Service service) {
        Assessment assessment = new Assessment(AnalysisConfig.defaults());
        assessment.add(service.evidence());
        return assessment.result("x").conclusion();
    }

    private static Service collecting(double end, double reference) {
        Service service = below();
        service.collectionShare = end;
        service.collectionShareAfter = reference;
        return service;
    }

    @Test
    void collectionsThatTakeAsMuchAtThePeakHeldNothingBack() {
        Service service = collecting(0.23, 0.24);
        Finding finding = service.finding("gc");

        assertThat(finding.state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(finding.explains()).isEmpty();
        assertThat(finding.title()).isEqualTo("garbage collection, as much at the peak");
        assertThat(finding.evidence())
                .contains(new Finding.Proof(
                        "it took 24 % of the time after the pause as well, where the service served 1,000 req/s: it"
                                + " explains none of what was missing",
                        Optional.of(new Finding.Moment(75, 95))));
        assertThat(conclusion(service)).contains("ended at 850 req/s").doesNotContain("what held it back");
    }

    @Test
    void collectionsThatTakeLessAtThePeakHeldItBack() {
        Service service = collecting(0.23, 0.19);

        assertThat(service.finding("gc").explains()).containsExactlyInAnyOrder(Effect.values());
        assertThat(conclusion(service)).contains("what held it back: garbage collection (23.0 % of the time");
        assertThat(collecting(0.23, 0.201).finding("gc").explains())
                .as("within the noise")
                .isEmpty();
    }

    /** A heap that fills holds a service down to the end of the run, and ended the level that was there before. */
    @Test
    void whatRoseInTheFirstLoadMayHaveEndedALevel() {
        Service service = collecting(0.3, 0.3);
        service.collectionShareBefore = 0.05;

        Finding finding = service.finding("heap-too-small");
        assertThat(finding.explains()).containsExactly(Effect.FALL);
        assertThat(finding.title()).doesNotContain("peak");
        assertThat(finding.evidence())
                .extracting(Finding.Proof::text)
                .anyMatch(text -> text.contains("after the pause as well")
                        && text.contains("may have ended what was served before it took so much"))
                .noneMatch(text -> text.contains("none of what was missing"));
        assertThat(conclusion(service)).doesNotContain("what held it back");
    }

    @Test
    void whatExplainsSomethingComesFirst() {
        Service service = collecting(0.4, 0.4);
        service.throttledPeriods = 1;
        service.throttledPeriodsAfter = 0;
        service.periods = 10;

        assertThat(service.held()).containsExactly("cgroup-throttling", "heap-too-small");
    }

    @Test
    void manyThatAreRunnableAtThePeakTooAreNoCause() {
        Service many = below();
        many.targetWait = 19;
        many.targetWaitAfter = 18;
        Service more = below();
        more.targetWait = 19;
        more.targetWaitAfter = 16;
        Service starving = below().starved();
        starving.targetWait = 19;

        assertThat(many.held()).isEmpty();
        assertThat(many.finding("too-many-runnable").evidence().getLast().text())
                .startsWith(
                        "18.0 of its threads waited for each CPU after the pause as well, where the service served");
        assertThat(more.held()).as("a CPU that is full at the peak as well").isEmpty();
        assertThat(more.finding("too-many-runnable").evidence().getLast().text())
                .isEqualTo(
                        "16.0 of its threads waited for each CPU after the pause as well: its CPUs were full there too, and"
                                + " C2 did not wait behind them with work to do");
        Service room = below();
        room.targetWait = 19;
        room.targetWaitAfter = 4;
        assertThat(room.held()).containsExactly("too-many-runnable");
        assertThat(starving.held()).as("they take it from C2").contains("too-many-runnable", "c2-starved");
        Service robbed = below();
        robbed.targetWait = 19;
        robbed.targetWaitAfter = 16;
        robbed.stolen = t -> 0.4 * t;
        assertThat(robbed.held()).as("other programs took the CPU").containsExactly("noisy-neighbour");
    }

    @Test
    void aLimitThatIsTheSameAtThePeakExplainsOnlyWhatC2Missed() {
        Service same = throttled(below());
        Service starved = throttled(below().starved());
        Service raised = throttled(below());
        raised.throttledPeriodsAfter = 1;

        assertThat(same.finding("cgroup-throttling").explains()).isEmpty();
        assertThat(same.finding("cgroup-throttling").evidence().getLast().text())
                .startsWith("it took 80 % of its periods after the pause as well");
        assertThat(starved.finding("cgroup-throttling").explains()).contains(Effect.BELOW_PEAK);
        assertThat(raised.finding("cgroup-throttling").explains()).contains(Effect.BELOW_PEAK);
    }

    private static Service throttled(Service service) {
        service.periods = 10;
        service.throttledPeriods = 8;
        return service;
    }

    @Test
    void anIdleTargetThatIsIdleAtThePeakTooIsHeldBackByNothingBehindIt() {
        Service same = idle(Service.of(HandMade.seconds(60, 1000), 1000), 0.4, 0.6);
        Service longer = idle(below(), 0.4, 0.42);

        assertThat(same.finding("database-limit").explains()).isEmpty();
        assertThat(same.finding("database-limit").evidence().getLast().text())
                .matches(
                        "a request waited 9\\d.\\d of 100 ms after the pause as well, and 9\\d.\\d of 100 ms before: it"
                                + " explains none of what was missing");
        assertThat(longer.finding("database-limit").explains()).contains(Effect.BELOW_PEAK);
    }

    @Test
    void withoutABudgetHowIdleTheCpusWereDecides() {
        Service same = idle(below(), 0.4, 0.42);
        same.threads = false;
        Service busier = idle(below(), 0.4, 0.6);
        busier.threads = false;

        assertThat(same.finding("database-limit").explains()).isEmpty();
        assertThat(same.finding("database-limit").evidence().getLast().text())
                .startsWith("the target left 58 % of its CPUs idle after the pause as well");
        assertThat(busier.finding("database-limit").explains()).contains(Effect.BELOW_PEAK);
    }

    private static Service idle(Service service, double cpu, double after) {
        service.targetCpu = cpu;
        service.targetWait = 0;
        service.targetBusy = cpu;
        service.targetCpuAfter = after;
        return service;
    }

    @Test
    void memoryThatIsAsFullAtThePeakHoldsNothingBack() {
        Service same = limited(0);
        Service less = limited(300L << 20);

        same.majorFaults = 300;
        less.majorFaults = 300;
        assertThat(same.finding("memory-pressure").explains()).isEmpty();
        assertThat(same.finding("memory-pressure").evidence().getLast().text())
                .startsWith("it took 98 % of the memory after the pause as well");
        assertThat(less.finding("memory-pressure").explains()).contains(Effect.BELOW_PEAK);
    }

    private static Service limited(long after) {
        Service service = below();
        Modifier limit = new Modifier.MemoryLimit(512L << 20);
        service.made.treatment = new Treatment(
                List.of(limit.text()), Treatment.TreatmentLimits.of(List.of(limit)), List.of(), Optional.empty());
        service.rss = 500L << 20;
        service.rssAfter = after;
        return service;
    }

    @Test
    void aNeighbourWhoTakesAsMuchAtThePeakHeldNothingBack() {
        Service same = stolen(0.1);
        Service less = stolen(0.03);

        assertThat(same.finding("noisy-neighbour").explains())
                .as("it took nothing in the first half of the load")
                .containsExactly(Effect.FALL);
        assertThat(less.finding("noisy-neighbour").explains()).contains(Effect.BELOW_PEAK);
    }

    /** In seconds 50 to 55 since launch a hypervisor takes 40 % of the target's CPU, and some all the time after the pause. */
    private static Service stolen(double after) {
        double[] rates = HandMade.seconds(60, 850);
        for (int i = 0; i < 60; i++) {
            rates[i] = (rates[i] + i % 3 * 10) * (i >= 40 && i < 45 ? 0.6 : 1);
        }
        Service service = Service.of(rates, 1000);
        service.stolen = t -> 0.4 * Math.clamp(t - 50, 0, 5) + after * Math.clamp(t - 85, 0, 20);
        return service;
    }

    @Test
    void aStormThatBlowsOnAtThePeakHeldNothingBack() {
        Service lasting = storm(900);
        Service over = storm(400);

        assertThat(lasting.finding("deoptimisation-storm").explains()).isEmpty();
        assertThat(lasting.finding("deoptimisation-storm").evidence().getLast().text())
                .startsWith("there were 900 deoptimisations a second after the pause as well");
        assertThat(over.finding("deoptimisation-storm").explains()).contains(Effect.BELOW_PEAK);
    }

    private static Service storm(int after) {
        Service service = below();
        List<FlightDeoptimizations> all = new ArrayList<>();
        for (int t = 10; t < 105; t++) {
            all.add(new FlightDeoptimizations(HandMade.nanos(t + 0.5), "unstable_if", "", t < 70 ? 1000 : after));
        }
        service.made.flight = Optional.of(
                HandMade.flight(new FlightDigest.FlightJit(List.of(), List.of(), all, List.of(), List.of())));
        return service;
    }

    @Test
    void threadsThatSpinAsMuchAtThePeakHeldNothingBack() {
        Service service = below();
        service.workerInvoluntary = 20_000;
        service.workerVoluntary = 100;

        assertThat(service.finding("spinning").state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(service.finding("spinning").explains()).isEmpty();
    }
}
