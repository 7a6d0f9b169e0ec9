package dev.kiln.model.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.CpuAssignment;
import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.Where.HostPlace;
import dev.kiln.model.run.Machine.HostInfo;
import dev.kiln.model.run.Machine.RemoteHost;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class MachineTest {
    private static final CpuAssignment NOTHING = new CpuAssignment(List.of(), List.of(), List.of(), false, List.of());

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
