package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.Shape;
import dev.kiln.model.load.Shape.Of;
import dev.kiln.plan.load.Protocols;
import dev.kiln.plan.text.Problems.BadValue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProtocolsTest {
    @Test
    void blogAndQuickAreWarmUpPauseMeasure() {
        assertThat(Protocols.blog().phases())
                .containsExactly(
                        new Phase.Load("warmup", Duration.ofMinutes(2)),
                        new Phase.Pause("pause", Duration.ofSeconds(30)),
                        new Phase.Load("measure", Duration.ofSeconds(30)));
        assertThat(show(Protocols.quick())).containsExactly("warmup 30", "pause 12", "measure 10");
    }

    @Test
    void cyclesAreTenWarmUpsWithPausesAndAMeasurement() {
        Protocol cycles = Protocols.cycles();
        assertThat(cycles.duration()).isEqualTo(Duration.ofSeconds(330));
        assertThat(show(cycles))
                .hasSize(21)
                .startsWith("warmup-1 15", "pause-1 15", "warmup-2 15")
                .endsWith("pause-10 15", "measure 30");
    }

    @Test
    void phasesAreNamedByWhatTheyAreFor() {
        assertThat(show(Protocols.parse("load=20s"))).containsExactly("warmup 20");
        assertThat(show(Protocols.parse("load=20s,pause=5s,load=10s")))
                .containsExactly("warmup 20", "pause 5", "measure 10");
        assertThat(show(Protocols.parse("load=1m,load=10s"))).containsExactly("warmup 60", "measure 10");
        assertThat(show(Protocols.parse("load=1s,pause=2s,load=3s,load=4s")))
                .containsExactly("warmup-1 1", "pause-1 2", "warmup-2 3", "measure 4");
        assertThat(show(Protocols.parse("pause=1s,load=2s,pause=3s")))
                .containsExactly("pause-1 1", "warmup 2", "pause-2 3");
    }

    private static List<String> show(Protocol protocol) {
        return protocol.phases().stream()
                .map(phase -> phase.name() + " " + phase.duration().toSeconds())
                .toList();
    }

    @Test
    void aLoadCanLastUntilSteady() {
        assertThat(Protocols.parse("load=until-steady:45s-2m,pause=5s,load=10s")
                        .phases()
                        .getFirst())
                .isEqualTo(new Phase.Load(
                        "warmup",
                        Duration.ofMinutes(2),
                        Optional.of(Duration.ofSeconds(45)),
                        Optional.empty(),
                        Optional.empty()));
        assertThat(Protocols.parse("load=until-steady").phases().getFirst())
                .isEqualTo(new Phase.Load(
                        "warmup",
                        Duration.ofMinutes(5),
                        Optional.of(Duration.ofMinutes(1)),
                        Optional.empty(),
                        Optional.empty()));
    }

    @Test
    void theFirstLoadCanLastUntilItIsKnown() {
        assertThat(Protocols.parse("load=until-known:90s,reference=until-found").phases())
                .containsExactly(Phase.Load.untilKnown("warmup", Duration.ofSeconds(30), Duration.ofSeconds(90)));
        assertThat(Protocols.parse("load=until-known:45s-2m,pause=5s,load=10s")
                        .phases()
                        .getFirst())
                .isEqualTo(Phase.Load.untilKnown("warmup", Duration.ofSeconds(45), Duration.ofMinutes(2)));
        assertThat(Protocols.parse("load=until-known").phases().getFirst())
                .isEqualTo(Phase.Load.untilKnown("warmup", Duration.ofSeconds(30), Duration.ofSeconds(60)));
        assertThat(Protocols.parse("load=until-known").endsEarly()).isTrue();
        assertThat(Protocols.usual().endsEarly()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "load=until-known:10s-90s",
                "load=until-known:20s",
                "load=until-known:3m-2m",
                "load=5s,pause=5s,load=until-known:90s",
                "ramp=0-200/30s,load=until-known:90s",
                "pause=until-known"
            })
    void aLoadThatCannotBeKnownIsRefused(String text) {
        assertThatThrownBy(() -> Protocols.parse(text)).isInstanceOf(BadValue.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"until-known:5s", "until-known:5s-90s", "until-known:5s-10s"})
    void theLeastThatItTakesToKnowIsSaid(String text) {
        assertThatThrownBy(() -> Protocols.parse("load=" + text))
                .hasMessageContaining("found '" + text + "', expected at least 30 s of load");
    }

    private static Phase.Load shaped(String text) {
        return (Phase.Load) Protocols.parse(text + ",load=10s").phases().getFirst();
    }

    @Test
    void aLoadCanChange() {
        assertThat(shaped("ramp=0-200/30s").shape()).contains(Shape.ramp(Of.CONNECTIONS, 0, 200));
        assertThat(shaped("ramp=0-200/30s").duration()).isEqualTo(Duration.ofSeconds(30));
        assertThat(shaped("ramp=0-500rps/30s").shape()).contains(Shape.ramp(Of.RATE, 0, 500));
        assertThat(shaped("ramp = 100 - 0 % / 1m").shape()).contains(Shape.ramp(Of.SHARE, 1, 0));
        assertThat(shaped("steps=100-500rps/5x20s").shape()).contains(Shape.steps(Of.RATE, 100, 500, 5));
        assertThat(shaped("steps=100-500rps/5x20s").duration()).isEqualTo(Duration.ofSeconds(100));
        assertThat(shaped("slow-start=60s").shape()).contains(Shape.slowStart(1, 0.1));
        assertThat(shaped("slow-start=60s:1.5:5%").shape()).contains(Shape.slowStart(1.5, 0.05));
        assertThat(show(Protocols.parse("ramp=0-200/30s,load=1m,pause=5s,load=10s")))
                .containsExactly("warmup-1 30", "warmup-2 60", "pause-1 5", "measure 10");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ramp=200/30s",
                "ramp=0-200",
                "ramp=0-0/30s",
                "ramp=0.5-3/30s",
                "ramp=0-200/4x15s",
                "steps=0-200/30s",
                "steps=0-200/1x30s",
                "slow-start=60s:0",
                "slow-start=60s:1:101%",
                "slow-start=soon"
            })
    void aShapeThatIsNoneIsToldWithAnExample(String text) {
        assertThatThrownBy(() -> shaped(text)).isInstanceOf(BadValue.class).hasMessageContaining("such as");
    }

    @Test
    void aReferenceIsFoundAfterThePhases() {
        Protocol found = Protocols.parse("load=60s, reference=until-found");
        assertThat(show(found)).containsExactly("warmup 60");
        assertThat(found.reference()).contains(new FoundReference(false));
        assertThat(Protocols.parse("load=60s,reference=until-found:favoured").reference())
                .contains(new FoundReference(true));
        assertThat(show(Protocols.parse("load=20s,pause=5s,load=10s,reference=until-found")))
                .as("no load before it measures")
                .containsExactly("warmup-1 20", "pause 5", "warmup-2 10");
        assertThat(Protocols.parse("default")).isEqualTo(Protocols.usual());
        assertThat(Protocols.usual().duration()).isEqualTo(Duration.ofSeconds(60 + 4 * 25));
        assertThat(Protocols.usual().atMost()).isEqualTo(Duration.ofMinutes(11));
        assertThat(Protocols.quick().atMost()).isEqualTo(Protocols.quick().duration());
    }

    @Test
    void severalProcessesTogetherHaveOneRoundOfFixedLength() {
        assertThat(Protocols.usual().phasesWithOneRound())
                .containsExactly(
                        new Phase.Load("warmup", Duration.ofSeconds(60)),
                        new Phase.Pause("pause-r1", Duration.ofSeconds(15)),
                        new Phase.Load("reference-1", Duration.ofSeconds(20)));
        assertThat(Protocols.quick().phasesWithOneRound())
                .isEqualTo(Protocols.quick().phases());
    }

    @Test
    void aPauseCannotAndTheFloorIsBelowTheCeiling() {
        assertThatThrownBy(() -> Protocols.parse("load=5s,pause=until-steady")).isInstanceOf(BadValue.class);
        assertThatThrownBy(() -> Protocols.parse("load=until-steady:3m-2m"))
                .isInstanceOf(BadValue.class)
                .hasMessageContaining("the shorter duration first");
    }
}
