package dev.kiln.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.Replica.C2AtEnd;
import dev.kiln.explain.study.Assessment;
import dev.kiln.explain.window.CpuUse;
import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.experiment.FoundReference.Another;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Machine.RemoteHost;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.WaitKind;
import dev.kiln.stats.AnalysisConfig;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A service of two processes behind one address. */
class ReplicasTest {
    private static Service in(String pod, Service service) {
        service.made.remote = Optional.of(new RemoteHost("pod shop/" + pod, 1000, OptionalLong.empty()));
        return service;
    }

    /** @param launchNanos of the second, on the clock of the first */
    private static RunEvidence both(Service first, Service second, long launchNanos) {
        return both(in("a", first).evidence(), in("b", second).evidence(), launchNanos);
    }

    private static RunEvidence both(RunEvidence run, RunEvidence other, long launchNanos) {
        RunInfo its = other.info();
        RunInfo.Launch launch = its.launch();
        RunInfo own = new RunInfo(
                its.kilnVersion(),
                its.which(),
                new RunInfo.Launch(
                        launchNanos, 0, launch.command(), launch.environment(), launch.treatment(), launch.quietWait()),
                its.machine(),
                its.plan(),
                its.course(),
                its.limits());
        return run.with(List.of(run.replica(own, other.jvm(), other.machine())), List.of());
    }

    private static RunDigest digest(Service first, Service second) {
        return RunDigest.of(both(first, second, 0), AnalysisConfig.defaults());
    }

    private static Finding starved(RunDigest digest) {
        return finding(digest, "c2-starved");
    }

    private static Finding finding(RunDigest digest, String id) {
        return digest.findings().stream()
                .filter(finding -> finding.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whatHoldsOneReplicaDownHoldsTheServiceDown() {
        RunDigest digest = digest(Service.healthy(), Service.healthy().starved());

        assertThat(starved(digest).state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(starved(digest).evidence().getFirst().text())
                .isEqualTo(
                        "pod shop/b: C2 got 3.0 % of a CPU and waited for one 97.0 % of the time in the last 15 s of the load");
        assertThat(digest.diagnosis().compilers().starved().orElseThrow())
                .startsWith("in pod shop/b, C2 got 3.0 % of a CPU");
        assertThat(digest.observation().replicas())
                .extracting(Replica::name, Replica::left)
                .containsExactly(tuple("pod shop/a", C2AtEnd.QUIET), tuple("pod shop/b", C2AtEnd.STARVED));
        Replica second = digest.observation().replicas().getLast();
        assertThat(second.cpu().orElseThrow()).isCloseTo(0.9, within(1e-6));
        assertThat(second.c2().map(CpuUse::cpu).orElseThrow()).isCloseTo(0.03, within(1e-6));
        assertThat(second.cleared().orElseThrow()).isInfinite();
        assertThat(second.words())
                .isEqualTo(
                        "pod shop/b: used 90 % of one CPU; C2 was starved at the end of the load (it got 3.0 % of a CPU and"
                                + " waited for one 97.0 % of the time)");
    }

    @Test
    void aCauseIsRuledOutOnlyIfItIsOfAllReplicas() {
        Service unseen = Service.healthy();
        unseen.threads = false;
        unseen.asked = false;

        assertThat(starved(digest(Service.healthy(), Service.healthy())).state())
                .isEqualTo(FindingState.RULED_OUT);
        RunDigest digest = digest(Service.healthy(), unseen);
        assertThat(starved(digest).state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(starved(digest).evidence().getFirst().text()).startsWith("pod shop/b: the compiler threads'");
        assertThat(digest.diagnosis().compilers().observed()).isFalse();
        assertThat(digest.observation().replicas().getLast().left()).isEqualTo(C2AtEnd.UNSEEN);
        assertThat(digest.observation().replicas().getLast().cleared()).isEmpty();
    }

    /** A kernel without CONFIG_SCHED_INFO has zeros for all waits. */
    @Test
    void withoutWaitsNobodyKnowsWhetherC2IsQuiet() {
        Service without = Service.healthy();
        without.c2Wait = 0;
        without.workerWait = 0;
        Replica quiet = digest(without, without).observation().replicas().getLast();
        assertThat(quiet.left()).isEqualTo(C2AtEnd.UNSEEN);
        assertThat(quiet.cleared()).isEmpty();
        assertThat(quiet.c2Waiting()).isEmpty();
        assertThat(quiet.words()).endsWith(" (it got 1.0 % of a CPU, and its wait for one was not recorded)");
    }

    /** Nobody knows which of them served a request, so what is told by the requests of one is not told. */
    @Test
    void theRequestsAreThoseOfAll() {
        RunDigest digest = digest(Service.healthy(), Service.healthy());
        assertThat(digest.observation().budgets().known()).isFalse();
        assertThat(digest.diagnosis().forecasts()).isEmpty();
        for (String id : List.of("database-limit", "page-faults")) {
            assertThat(finding(digest, id).state()).isEqualTo(FindingState.NOT_OBSERVABLE);
            assertThat(finding(digest, id).evidence().getFirst().text())
                    .isEqualTo("the load generator cannot tell which replica answered a request");
        }

        Assessment assessment = new Assessment(AnalysisConfig.defaults());
        assessment.add(both(Service.healthy(), Service.healthy(), 0));
        RunResult run = assessment.result("two").variants().getFirst().runs().getFirst();
        assertThat(run.replicas()).hasSize(2);
        // 0.9 of a CPU each, for 1,000 requests of both.
        assertThat(run.cpuPerRequestMicros().orElseThrow()).isCloseTo(1800, within(20.0));
        assertThat(run.curves().modes()).isEmpty();
    }

    /** @param cpu that it used of the one that it has */
    private static Service using(double cpu) {
        Service service = Service.of(HandMade.seconds(60, 1000), 1000, 100);
        service.workerCpu = cpu;
        service.targetCpu = cpu;
        service.targetBusy = cpu;
        return service;
    }

    /** One that has no request is idle, however many there are in another: it does not wait for a database. */
    @Test
    void idleCpusOfOneReplicaShowNoWait() {
        Service unseen = using(0.9);
        unseen.threads = false;
        unseen.parts = false;

        for (Service other : List.of(using(0.95), unseen)) {
            Finding limit = finding(digest(using(0.1), other), "database-limit");
            assertThat(limit.state()).isEqualTo(FindingState.NOT_OBSERVABLE);
            assertThat(limit.evidence())
                    .singleElement()
                    .satisfies(proof ->
                            assertThat(proof.text()).startsWith("the load generator cannot tell which replica"));
            assertThat(limit.weight()).isZero();
            assertThat(limit.explains()).isEmpty();
            assertThat(limit.remedies()).isEmpty();
        }
        assertThat(finding(digest(using(0.1), using(0.2)), "database-limit").state())
                .as("all requests wait")
                .isEqualTo(FindingState.CONFIRMED);
    }

    /** Its own threads show it, whichever requests they have. */
    @Test
    void aClassForWhichOneReplicaWaitedIsTold() {
        Service waiting = Service.healthy();
        for (int second = 10; second <= 14; second++) {
            waiting.made.blocked.add(new BlockedSample(
                    second * HandMade.SECOND,
                    "http",
                    false,
                    90,
                    WaitKind.CLASS_INIT,
                    "app.Api.get:8",
                    "app.Slow, held by http",
                    ""));
        }
        Finding told = finding(digest(Service.healthy(), waiting), "class-initialisation");

        assertThat(told.state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(told.evidence().getFirst().text())
                .isEqualTo("pod shop/b: until second 4.0 at least, when 90 threads waited for app.Slow, held by http at"
                        + " app.Api.get:8");
    }

    /** The second of two rounds; this C2 had nothing to do until this second, and was not seen later. */
    private static RunEvidence searched(int seenUntil) {
        HandMade made = new HandMade("a", 1).load("warmup", 10, HandMade.seconds(60, 1000));
        for (int round = 1; round <= 2; round++) {
            made.pause(FoundReference.pause(round), 5)
                    .load(FoundReference.load(round), 55 + 20L * round, HandMade.seconds(15, 1000));
        }
        for (int second = 0; second <= seenUntil; second++) {
            made.thread(second, 7, "C2 CompilerThre", ThreadRole.C2, 0.002 * second, 0.002 * second);
        }
        made.reference = Optional.of(new FoundReference(false));
        return made.evidence();
    }

    /** Another round may show what was seen in an earlier one, whatever is never seen in another replica. */
    @Test
    void aC2ThatWasSeenBeforeMayBeSeenAgain() {
        RunEvidence never = searched(-1);
        RunEvidence once = searched(93);
        RunEvidence always = searched(200);

        assertThat(why(always, never)).as("nobody will").isEmpty();
        assertThat(why(always, once)).contains(Another.UNSEEN);
        assertThat(why(never, once)).contains(Another.UNSEEN);
        assertThat(why(once, never)).contains(Another.UNSEEN);
    }

    private static Optional<Another> why(RunEvidence first, RunEvidence second) {
        return PeakSearch.after(both(first, second, 0), List.of(), AnalysisConfig.defaults())
                .why();
    }

    /** Their time was recorded, and whose they were was not. */
    @Test
    void whetherPacketsMadeRequestsLongerIsNotKnown() {
        Service packets = Service.healthy();
        packets.softirq = 0.25;
        packets.softirqAfter = 0.05;

        assertThat(finding(digest(Service.healthy(), packets), "softirq").evidence())
                .extracting(Finding.Proof::text)
                .contains("pod shop/b: whether requests took longer by it is not known");
    }

    /** The second was launched 3 s later, and what its hypervisor took before the load spoils nothing. */
    @Test
    void whatDisturbsOneReplicaSpoilsTheRun() {
        Service before = Service.healthy();
        before.stolen = t -> Math.min(t, 6);
        Service stolen = Service.healthy();
        stolen.stolen = t -> 0.1 * t;

        assertThat(spoiled(Service.healthy())).isEmpty();
        assertThat(spoiled(before)).isEmpty();
        assertThat(spoiled(stolen)).containsExactly("pod shop/b: the hypervisor took 10 % of the target's CPUs away");
    }

    private static List<String> spoiled(Service second) {
        return Validity.spoiled(both(Service.healthy(), second, 3 * HandMade.SECOND), AnalysisConfig.defaults());
    }

    /** It served all the same, and what the first one is or does says nothing of it. */
    @Test
    void ofAReplicaThatNobodySawNothingIsSaid() {
        RunEvidence run = in("a", Service.healthy()).evidence();
        RunDigest digest =
                RunDigest.of(run.with(List.of(run.unseen("replicas/2")), List.of()), AnalysisConfig.defaults());

        assertThat(digest.findings())
                .filteredOn(finding -> finding.state() == FindingState.RULED_OUT)
                .extracting(Finding::id)
                .isSubsetOf("generator-limit");
        assertThat(digest.findings())
                .allSatisfy(finding -> assertThat(finding.evidence())
                        .noneMatch(proof -> proof.text().startsWith("replicas/2: ")
                                && !proof.text().equals("replicas/2: nothing was recorded of it at that time")));
        assertThat(finding(digest, "c2-starved").evidence().getFirst().text())
                .isEqualTo("replicas/2: nothing was recorded of it at that time");
        assertThat(digest.observation().replicas().getLast().words())
                .isEqualTo(
                        "replicas/2: its CPU was not recorded; what C2 had to do at the end of the load was not recorded");
    }

    @Test
    void aReplicaSeesTheLoadByItsOwnClock() {
        RunEvidence evidence = both(Service.healthy(), Service.healthy(), 3 * HandMade.SECOND);
        RunEvidence later = evidence.replicas().getFirst();

        assertThat(evidence.ahead(later)).isEqualTo(-3 * HandMade.SECOND);
        assertThat(evidence.load().getFirst().startNanos()).isEqualTo(10 * HandMade.SECOND);
        assertThat(later.load().getFirst().startNanos()).isEqualTo(7 * HandMade.SECOND);
        assertThat(later.load().stream().mapToLong(LoadBin::completed).sum())
                .isEqualTo(
                        evidence.load().stream().mapToLong(LoadBin::completed).sum());
        PhaseTime phase = later.info().phases().getFirst();
        assertThat(phase.startNanos()).isEqualTo(7 * HandMade.SECOND);
        assertThat(phase.endNanos()).hasValue(67 * HandMade.SECOND);
        // Its own seconds begin with its launch, and are told since the first request all the same.
        RunDigest digest = RunDigest.of(evidence, AnalysisConfig.defaults());
        assertThat(digest.observation().replicas().getFirst().jit().getFirst().second())
                .isEqualTo(-10);
        assertThat(digest.observation().replicas().getLast().jit().getFirst().second())
                .isEqualTo(-7);
    }
}
