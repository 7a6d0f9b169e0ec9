package dev.kiln.explain.cause;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.Service;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Machine.LoadHost;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A load generator, a database or a backend that is the limit, each as itself and not as another. */
class LabCausesTest {
    @Test
    void aSaturatedGeneratorIsItselfAndNotTheDatabase() {
        Service service = Service.healthy();
        service.labBusy = 0.95;
        service.loadCpu = 0.6;
        service.databaseCpu = 0.35;
        service.targetCpu = 0.5;
        service.targetBusy = 0.52;

        assertThat(service.held()).containsExactly("generator-limit");
        assertThat(service.first("generator-limit"))
                .isEqualTo(
                        "the generator was at most 3 ms late; it used 60 % of the CPU it can use, and the busiest CPU of"
                                + " load and database was 95 % busy");
        service = Service.healthy();
        service.labBusy = 0.94;
        assertThat(service.held()).isEmpty();
    }

    /** Its own CPU time comes back, and what else ran on its CPUs does not. */
    @Test
    void aGeneratorElsewhereIsTheLimitOrIsNotObservable() {
        Service idle = from(2);
        Service full = from(2);
        full.loadCpu = 0.93;
        Service narrow = from(0.3);
        narrow.loadCpu = 0.28;

        assertThat(idle.finding("generator-limit").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(idle.first("generator-limit"))
                .endsWith(": it ran elsewhere (loadbox), and what other programs took of the CPUs there is not known");
        assertThat(full.first("generator-limit")).contains("it used 93 % of the CPU it can use");
        assertThat(narrow.first("generator-limit")).contains("it used 93 % of the CPU it can use");
        assertThat(List.of(full, narrow)).allMatch(service -> service.held().contains("generator-limit"));
    }

    private static Service from(double cpus) {
        Service service = Service.healthy();
        service.made.loadFrom = Optional.of(new LoadHost("loadbox", "4f2", cpus, 20_000, OptionalLong.of(1_000)));
        return service;
    }

    @Test
    void aGeneratorThatStallsIsTheLimit() {
        Service service = Service.healthy();
        service.made.spoil("warmup", 45, 0, 250);

        assertThat(service.held()).containsExactly("generator-limit");
        assertThat(service.first("generator-limit"))
                .startsWith("the generator was at most 250 ms late, over 200 ms in 3 % of the seconds; it used");
    }

    @Test
    void aSaturatedDatabaseIsItselfAndNotTheGenerator() {
        Service service = Service.healthy();
        service.labBusy = 0.97;
        service.loadCpu = 0.25;
        service.databaseCpu = 0.7;

        assertThat(service.held()).containsExactly("database-limit");
        assertThat(service.first("database-limit"))
                .isEqualTo("the database used 70 % of a CPU, and its CPU had no room left (97 % busy)");
    }

    @Test
    void aBackendThatIsSaturatedOrThatTheTargetWaitsForIsTheLimitAsADatabaseIs() {
        Service full = Service.healthy();
        full.behind = "backend";
        full.labBusy = 0.97;
        full.loadCpu = 0.25;
        full.databaseCpu = 0.7;
        Service slow = Service.healthy();
        slow.behind = "backend";
        slow.targetCpu = 0.69;

        assertThat(full.held()).containsExactly("database-limit");
        assertThat(full.first("database-limit"))
                .isEqualTo("the backend used 70 % of a CPU, and its CPU had no room left (97 % busy)");
        assertThat(slow.first("database-limit")).endsWith("; the backend used 40 % of a CPU");
    }

    @Test
    void aTargetThatIsIdleUnderLoadWaitsForSomething() {
        Service service = Service.healthy();
        service.targetCpu = 0.69;
        Service busy = Service.healthy();
        busy.targetCpu = 0.7;
        Service open = Service.of(HandMade.seconds(60, 1000), 1000, 79);
        open.targetCpu = 0.2;
        open.targetBusy = 0.2;
        Service alone = Service.healthy();
        alone.targetCpu = 0.5;
        alone.targetBusy = 0.5;
        alone.database = false;

        assertThat(service.held()).containsExactly("database-limit");
        assertThat(service.first("database-limit"))
                .isEqualTo(
                        "the target used 69 % of its CPUs with 100 requests in flight over 100 connections; the database"
                                + " used 40 % of a CPU");
        assertThat(service.finding("database-limit").weight()).isCloseTo(0.31, within(1e-9));
        assertThat(busy.held()).isEmpty();
        assertThat(open.held()).as("requests are few").isEmpty();
        assertThat(alone.finding("database-limit").state()).isEqualTo(FindingState.RULED_OUT);
    }

    /** One connection: while the generator reads an answer and sends the next request, the target has none. */
    @Test
    void whatTheGeneratorTakesForTheOnlyRequestIsNoWaiting() {
        Service service = Service.of(HandMade.seconds(60, 1000), 1000, 1);
        service.made.connections = 1;
        service.targetCpu = 0.66;
        service.loadCpu = 0.23;
        Service slow = Service.of(HandMade.seconds(60, 1000), 1000, 1);
        slow.made.connections = 1;
        slow.targetCpu = 0.4;
        slow.targetBusy = 0.4;
        slow.loadCpu = 0.23;

        assertThat(service.finding("database-limit").state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(service.first("database-limit"))
                .endsWith(
                        "; the generator used CPU time worth 23 % of the target's CPUs, and the target had no work meanwhile");
        assertThat(slow.finding("database-limit").state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(slow.finding("database-limit").weight()).isCloseTo(0.37, within(1e-9));
    }

    /** Two connections, and four CPUs. */
    private static Service few(double workerCpu, double targetCpu) {
        Service service = Service.of(HandMade.seconds(60, 1000), 1000, 2);
        service.made.connections = 2;
        service.made.on(new CpuAssignment(List.of(0, 2, 3, 4), List.of(1), List.of(1), true, List.of()));
        service.workerCpu = workerCpu;
        service.workerWait = 0;
        service.targetCpu = targetCpu;
        service.targetWait = 0;
        service.loadCpu = 0.3;
        service.database = false;
        return service;
    }

    /** A request takes 2 ms, of which the generator has it for 0.3. */
    @Test
    void fewerRequestsThanCpusLeaveSomeIdleWhateverTheyWaitFor() {
        Service runs = few(1.5, 1.55);
        Service waits = few(0.4, 0.45);
        Service compiles = few(0.4, 2.4);

        assertThat(runs.finding("database-limit").state()).isEqualTo(FindingState.RULED_OUT);
        assertThat(runs.first("database-limit"))
                .endsWith("; so few cannot use all of them, and a request ran for 75 % of its time");
        assertThat(waits.finding("database-limit").state()).isEqualTo(FindingState.CONFIRMED);
        assertThat(compiles.finding("database-limit").state())
                .as("its compilers use the other CPUs")
                .isEqualTo(FindingState.CONFIRMED);
    }

    @Test
    void aSaturatedDatabaseBesideAFullTargetIsNoProof() {
        Service service = Service.healthy();
        service.labBusy = 0.97;
        service.loadCpu = 0.25;
        service.databaseCpu = 0.7;
        service.targetCpu = 0.97;
        service.targetBusy = 0.98;

        assertThat(service.held()).isEmpty();
        assertThat(service.first("database-limit"))
                .startsWith(
                        "the database used 70 % of a CPU, and its CPU had no room left (97 % busy); but neither had");
    }

    @Test
    void aTargetWhoseCpuOthersTakeWaitsForThatAndNothingElse() {
        Service service = Service.healthy();
        service.targetCpu = 0.5;
        service.targetWait = 0.5;
        service.targetBusy = 1;
        Service idle = Service.healthy();
        idle.targetCpu = 0.1;
        idle.targetWait = 0.1;
        idle.targetBusy = 1;

        assertThat(service.held()).containsExactly("noisy-neighbour");
        assertThat(service.finding("database-limit").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(service.first("database-limit")).endsWith("measure without them");
        assertThat(idle.held()).containsExactlyInAnyOrder("noisy-neighbour", "database-limit");
    }

    @Test
    void aGeneratorThatUsesAllItCanIsTheLimitWhereverItRan() {
        Service moving = Service.healthy();
        moving.labBusy = 0.5;
        moving.loadCpu = 0.92;
        moving.targetCpu = 0.3;
        Service unpinned = Service.healthy();
        unpinned.made.on(new CpuAssignment(List.of(), List.of(), List.of(), false, List.of()));

        assertThat(moving.held()).contains("generator-limit").doesNotContain("database-limit");
        assertThat(moving.first("generator-limit")).contains("it used 92 % of the CPU it can use");
        assertThat(unpinned.finding("generator-limit").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        unpinned = Service.healthy();
        unpinned.made.on(new CpuAssignment(List.of(), List.of(), List.of(), false, List.of()));
        unpinned.loadCpu = 0.95;
        assertThat(unpinned.finding("generator-limit").state()).isEqualTo(FindingState.CONFIRMED);
    }
}
