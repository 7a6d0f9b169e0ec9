package dev.kiln.host.proc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.host.proc.Topology.Cpu;
import dev.kiln.host.proc.Topology.CpuLists;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.KilnException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CpuPlannerTest {
    /** {@code threads} siblings a core, numbered as Linux does: first all first siblings, then all second ones. */
    private static Topology machine(int nodes, int coresPerNode, int threads) {
        List<Cpu> cpus = new ArrayList<>();
        int cores = nodes * coresPerNode;
        for (int id = 0; id < cores * threads; id++) {
            cpus.add(new Cpu(id, id % cores, (id % cores) / coresPerNode));
        }
        return new Topology(cpus);
    }

    private static CpuAssignment auto(Topology topology) {
        return CpuPlanner.assign(CpuRequest.auto(), topology);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    # nodes | cores a node | threads a core | target | load | database
                    1 | 1  | 1 | 0       | 0         | 0
                    1 | 2  | 1 | 0       | 1         | 1
                    1 | 3  | 1 | 0       | 1         | 2
                    1 | 4  | 1 | 0-1     | 2         | 3
                    1 | 5  | 1 | 0-1     | 2         | 3-4
                    1 | 6  | 1 | 0-2     | 3         | 4-5
                    1 | 8  | 1 | 0-3     | 4-5       | 6-7
                    1 | 12 | 1 | 0-3     | 4-7       | 8-11
                    1 | 64 | 1 | 0-3     | 4-7       | 34-37
                    1 | 1  | 2 | 0       | 1         | 1
                    1 | 2  | 2 | 0,2     | 1         | 3
                    1 | 4  | 2 | 0-1,4-5 | 2,6       | 3,7
                    1 | 8  | 2 | 0-1,8-9 | 2-3,10-11 | 5-6,13-14
                    2 | 2  | 1 | 0-1     | 2         | 3
                    2 | 8  | 1 | 0-3     | 8-11      | 14-15,4-5
                    1 | 2  | 4 | 0,2,4,6 | 1,3       | 5,7
                    1 | 2  | 8 | 0,2,4,6,8,10,12,14 | 1,3,5,7 | 9,11,13,15
                    """)
    void chooses(int nodes, int cores, int threads, String target, String load, String database) {
        CpuAssignment assignment = auto(machine(nodes, cores, threads));
        assertThat(assignment.target()).isEqualTo(CpuLists.parse(target));
        assertThat(assignment.load()).isEqualTo(CpuLists.parse(load));
        assertThat(assignment.database())
                .isEqualTo(CpuLists.parse(database).stream().sorted().toList());
        assertThat(assignment.pinned()).isTrue();
    }

    @Test
    void partsNeverOverlapWhereThereIsRoom() {
        for (int nodes = 1; nodes <= 4; nodes++) {
            for (int cores = 1; cores <= 20; cores++) {
                for (int threads = 1; threads <= 2; threads++) {
                    if (nodes * cores < 3) {
                        continue;
                    }
                    CpuAssignment a = auto(machine(nodes, cores, threads));
                    assertThat(a.notes()).noneMatch(note -> note.contains("share CPU"));
                    assertThat(a.notes()).noneMatch(note -> note.startsWith("target"));
                }
            }
        }
    }

    @Test
    void whatIsSharedIsSaid() {
        assertThat(auto(machine(1, 1, 1)).notes()).singleElement().asString().startsWith("only one CPU");
        assertThat(auto(machine(1, 2, 1)).notes()).containsExactly("load and database share CPU 1");
        assertThat(auto(machine(1, 1, 2)).notes())
                .containsExactly(
                        "target and load share a core: CPUs 0-1 are SMT siblings and slow each other",
                        "target and database share a core: CPUs 0-1 are SMT siblings and slow each other",
                        "load and database share CPU 1");
        assertThat(auto(machine(1, 2, 2)).notes())
                .containsExactly("load and database share a core: CPUs 1,3 are SMT siblings and slow each other");
        assertThat(auto(machine(1, 8, 1)).notes()).isEmpty();
    }

    @Test
    void aDatabaseThatIsNotStartedSharesNothing() {
        CpuRequest none = CpuRequest.auto().withoutDatabase();
        assertThat(CpuPlanner.assign(none, machine(1, 2, 1)).notes()).isEmpty();
        assertThat(CpuPlanner.assign(none, machine(1, 1, 1)).notes())
                .containsExactly("only one CPU: target and load share it and slow each other down");
        assertThat(CpuPlanner.assign(none.withTargetElsewhere(), machine(1, 1, 1))
                        .notes())
                .isEmpty();
        assertThat(auto(machine(1, 1, 1)).notes())
                .containsExactly("only one CPU: target, load and database share it and slow each other down");
    }

    @Test
    void aBackendHasTheCpusOfTheDatabase() {
        CpuRequest backend = CpuRequest.auto().withBehind("backend");
        assertThat(CpuPlanner.assign(backend, machine(1, 2, 1)).notes())
                .containsExactly("load and backend share CPU 1");
        assertThat(CpuPlanner.assign(backend, machine(1, 1, 1)).notes())
                .containsExactly("only one CPU: target, load and backend share it and slow each other down");
    }

    /** Neither load nor what is behind it slows a start unless it is on the CPUs of the target. */
    @Test
    void withoutLoadOnlyWhatSharesTheTargetsCpusIsSaid() {
        assertThat(CpuPlanner.assign(CpuRequest.auto().withoutLoad(), machine(1, 2, 1))
                        .notes())
                .isEmpty();
        assertThat(CpuPlanner.assign(CpuRequest.auto().withoutLoad(), machine(1, 1, 2))
                        .notes())
                .containsExactly(
                        "target and load share a core: CPUs 0-1 are SMT siblings and slow each other",
                        "target and database share a core: CPUs 0-1 are SMT siblings and slow each other");
        assertThat(CpuPlanner.assign(CpuRequest.auto().withoutLoad(), machine(1, 1, 1))
                        .notes())
                .containsExactly("only one CPU: the target shares it with Kiln");
        CpuRequest wide = new CpuRequest(List.of(0, 2), List.of(), List.of()).withoutLoad();
        assertThat(CpuPlanner.assign(wide, machine(2, 2, 1)).notes()).contains("target spans NUMA nodes 0, 1");
    }

    @Test
    void onlyAllowedCpusAreUsed() {
        Topology some = new Topology(List.of(new Cpu(5, 5, 0), new Cpu(7, 7, 0), new Cpu(9, 9, 1), new Cpu(11, 11, 1)));
        CpuAssignment assignment = auto(some);
        assertThat(assignment.target()).containsExactly(5, 7);
        assertThat(assignment.load()).containsExactly(9);
        assertThat(assignment.database()).containsExactly(11);
    }

    @Test
    void aRequestIsKeptAndTheRestIsChosen() {
        CpuRequest request = new CpuRequest(List.of(3, 2), List.of(), List.of());
        CpuAssignment assignment = CpuPlanner.assign(request, machine(1, 4, 1));
        assertThat(assignment.target()).containsExactly(2, 3);
        assertThat(assignment.load()).containsExactly(0);
        assertThat(assignment.database()).containsExactly(1);
    }

    @Test
    void aRequestThatTakesAllLeavesNothing() {
        CpuRequest request = new CpuRequest(List.of(0, 1), List.of(), List.of());
        CpuAssignment assignment = CpuPlanner.assign(request, machine(1, 2, 1));
        assertThat(assignment.notes())
                .containsExactly("target and load share CPU 0", "target and database share CPU 1");
    }

    @Test
    void theTargetKeepsClearOfOthersRequests() {
        CpuRequest request = new CpuRequest(List.of(), List.of(0), List.of(0));
        assertThat(CpuPlanner.assign(request, machine(1, 2, 1)).target()).containsExactly(1);
    }

    @Test
    void aTargetElsewhereLeavesTheCpusToTheLoad() {
        CpuRequest request = new CpuRequest(List.of(0, 31), List.of(), List.of()).withTargetElsewhere();
        CpuAssignment assignment = CpuPlanner.assign(request, machine(1, 8, 1));
        assertThat(assignment.target()).isEmpty();
        assertThat(assignment.load()).containsExactly(0, 1, 2, 3);
        assertThat(assignment.notes()).isEmpty();
    }

    @Test
    void anUnknownCpuIsRefusedWithThoseThatAreAllowed() {
        CpuRequest request = new CpuRequest(List.of(0, 9), List.of(), List.of());
        assertThatThrownBy(() -> CpuPlanner.assign(request, machine(1, 4, 1)))
                .isInstanceOfSatisfying(KilnException.class, e -> {
                    assertThat(e).hasMessageContaining("CPU 9, requested for the target,");
                    assertThat(e.remedy()).contains("0-3");
                });
    }

    @Test
    void theTargetsNodesAreSaid() {
        CpuRequest request = new CpuRequest(List.of(0, 2), List.of(), List.of());
        assertThat(CpuPlanner.assign(request, machine(2, 2, 1)).notes()).contains("target spans NUMA nodes 0, 1");
    }

    @Test
    void thisMachineHasCpus() {
        Topology here = Topology.ofThisMachine();
        assertThat(here.cpus()).isNotEmpty();
        assertThat(auto(here).target()).isNotEmpty();
    }
}
