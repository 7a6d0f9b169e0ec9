package dev.kiln.model.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.CpuAssignment;
import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.Where.HostPlace;
import dev.kiln.model.run.Machine.HostInfo;
import dev.kiln.model.run.Machine.JvmInfo;
import dev.kiln.model.run.Machine.RemoteHost;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class MachineTest {
    private static final CpuAssignment NOTHING = new CpuAssignment(List.of(), List.of(), List.of(), false, List.of());
    private static final JvmInfo JVM_8 = new JvmInfo("/jdk", "1.8 (25.412-b08)", "vendor", List.of(), List.of());

    @Test
    void theFirstNumberOfAVersionIsThatOfItsRelease() {
        assertThat(JVM_8.feature()).hasValue(8);
        assertThat(new JvmInfo("/jdk", "11.0.22+7", "v", List.of(), List.of()).feature())
                .hasValue(11);
        assertThat(new JvmInfo("/jdk", "25.0.3+9-LTS", "v", List.of(), List.of()).feature())
                .hasValue(25);
        assertThat(new JvmInfo("/jdk", "unknown", "v", List.of(), List.of()).feature())
                .isEmpty();
    }

    @Test
    void threadsThatMayCarryVirtualOnesHaveTheNameOfTheirPool() {
        HostInfo host = new HostInfo("k", "c", 1, 1, "s", Map.of());
        Machine unknown = new Machine(Optional.empty(), host, NOTHING, Optional.empty());

        assertThat(unknown.mayCarry("ForkJoinPool-2-")).isTrue();
        assertThat(unknown.mayCarry("ForkJoi..rker-1")).isTrue();
        assertThat(unknown.mayCarry("ForkJoinPool.co")).as("the common pool").isFalse();
        assertThat(new Machine(Optional.of(JVM_8), host, NOTHING, Optional.empty()).mayCarry("ForkJoinPool-2-"))
                .isFalse();
    }

    @Test
    void theWayToTheTargetHasNoSecrets() {
        HostPlace place = HostPlace.through(List.of("enter", "--token", "hunter2", "-i", "shop"));
        assertThat(place.name()).isEqualTo("the far end of enter --token *** -i shop");
        assertThat(place.via()).as("what is run").contains("hunter2");

        RemoteHost old = new RemoteHost("the far end of enter --token=hunter2 shop", 80, OptionalLong.of(-1));
        Machine machine =
                new Machine(Optional.empty(), new HostInfo("k", "c", 1, 1, "s", Map.of()), NOTHING, Optional.of(old));
        assertThat(machine.with(Secrets.HIDDEN).remote())
                .hasValue(new RemoteHost("the far end of enter --token=*** shop", 80, OptionalLong.of(-1)));
        assertThat(machine.with(Secrets.KEPT)).isEqualTo(machine);
    }
}
