package dev.kiln.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.engines.Engines;
import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.experiment.Where.AttachPoint;
import dev.kiln.plan.load.Protocols;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TuneQuestionTest {
    /** A digest of these words says whether a folder holds the same search: with others, none that was begun goes on. */
    @Test
    void aJvmStandsInItAsEarlierKilnsWroteIt() {
        assertThat(TuneQuestion.stable(
                        new Target.Jvm(Optional.empty(), List.of("-Xmx64m"), List.of("-Xbatch"), Optional.empty())))
                .isEqualTo("Jvm[jdk=Optional.empty, flags=[-Xmx64m, -Xbatch], aot=Optional.empty]");
    }

    @Test
    void aSettingStandsInItAsEarlierKilnsWroteIt() {
        CpuRequest cpus = new CpuRequest(List.of(0, 1), List.of(2), List.of()).withoutLoad();

        assertThat(TuneQuestion.stable(
                        new Experiment.Setting(new Experiment.DatabaseSpec.None(), cpus, false, false, List.of())))
                .endsWith(
                        ", cpus=CpuRequest[target=[0, 1], load=[2], database=[], targetElsewhere=false, behind=database],"
                                + " cold=false]");
    }

    @Test
    void aProtocolStandsInItAsEarlierKilnsWroteIt() {
        assertThat(TuneQuestion.stable(Protocols.parse("load=60s,pause=15s,load=20s")))
                .isEqualTo("Protocol[name=custom, phases=["
                        + "Load[name=warmup, duration=PT1M, untilSteadyFrom=Optional.empty, shape=Optional.empty],"
                        + " Pause[name=pause, duration=PT15S],"
                        + " Load[name=measure, duration=PT20S, untilSteadyFrom=Optional.empty, shape=Optional.empty]],"
                        + " reference=Optional.empty]");
    }

    @Test
    void aPlaceStandsInItAsEarlierKilnsWroteIt() {
        assertThat(TuneQuestion.stable(new Where.Here())).isEqualTo("Here[]");
        assertThat(TuneQuestion.stable(new Where.HostPlace("box", List.of()))).isEqualTo("HostPlace[name=box]");
        assertThat(TuneQuestion.stable(new Where.Running(new AttachPoint.ProcessId(7))))
                .isEqualTo("Running[point=ProcessId[pid=7]]");
    }

    @Test
    void anEngineStandsInItAsEarlierKilnsWroteIt() {
        assertThat(Engines.names())
                .map(TuneQuestion::stable)
                .containsExactly("KILN", "WRK", "H2LOAD", "VEGETA", "GHZ", "JMETER", "GATLING", "HYPERFOIL");
    }
}
