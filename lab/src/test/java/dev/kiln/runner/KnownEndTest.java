package dev.kiln.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.TemplateCall;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.Sending;
import dev.kiln.recorder.Recording.CompilerLoad;
import dev.kiln.runner.RunControl.Judge;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class KnownEndTest {
    private static final Optional<CompilerLoad> COMPILERS =
            Optional.of(new CompilerLoad(0, 0, 9, 8, 0.01, OptionalInt.empty()));

    private final List<Integer> asked = new ArrayList<>();
    private Optional<Judge.KnownRule> rule = Optional.empty();
    private int finished;

    /** Knows at the fortieth second. */
    private final Judge judge = new UnaskedJudge() {
        @Override
        public Known known(KnownRule by, List<WatchedSecond> seconds) {
            rule = Optional.of(by);
            asked.add(seconds.size());
            return new Known(seconds.size() >= 40, seconds.size() >= 40 ? "level" : "not level");
        }
    };

    private static TemplateCall call(int weight) {
        return new TemplateCall(
                "GET",
                "http://localhost/",
                Map.of(),
                Optional.empty(),
                weight,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static LoadTemplate load(TemplateCall... calls) {
        return new LoadTemplate(
                List.of(calls),
                new Sending(10, OptionalDouble.empty(), Duration.ofSeconds(30)),
                LoadTemplate.LoadEngine.KILN,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private KnownEnd after(Phase.Load phase, int seconds, int boosted) {
        return after(phase, seconds, boosted, 1);
    }

    private KnownEnd after(Phase.Load phase, int seconds, int boosted, int processes) {
        KnownEnd end = new KnownEnd(phase, load(call(1), call(3)), processes, judge, () -> finished++);
        for (int second = 1; second <= seconds; second++) {
            end.second(100, COMPILERS, second <= boosted);
        }
        return end;
    }

    private static final Phase.Load KNOWN =
            Phase.Load.untilKnown("warmup", Duration.ofSeconds(38), Duration.ofSeconds(90));

    @Test
    void theLoadEndsOnceItIsKnownAndSaysWhy() {
        KnownEnd end = after(KNOWN, 41, 0);

        assertThat(asked).containsExactly(38, 39, 40);
        assertThat(finished).isEqualTo(1);
        assertThat(end.words()).contains("ended after 40 of at most 90 s: level");
        assertThat(rule).contains(new Judge.KnownRule(38, 90, 0.25));
    }

    /** Each process compiles for itself, and has a part of the requests. */
    @Test
    void ofAServiceOfSeveralProcessesTheRequestsOfOneCount() {
        after(KNOWN, 38, 0, 5);

        assertThat(rule).contains(new Judge.KnownRule(38, 90, 0.05));
    }

    @Test
    void aLoadThatIsNotKnownTakesAllOfItsTimeAndSaysWhy() {
        KnownEnd end = after(KNOWN, 39, 0);

        assertThat(finished).isZero();
        assertThat(end.words()).contains("took all of its 90 s: not level");
    }

    @Test
    void theLastSecondEndsNothing() {
        KnownEnd end = after(Phase.Load.untilKnown("warmup", Duration.ofSeconds(38), Duration.ofSeconds(40)), 40, 0);

        assertThat(finished).isZero();
        assertThat(end.words()).contains("took all of its 40 s: not level");
    }

    @Test
    void whatABoostServesIsNotWhatTheServiceComesTo() {
        after(KNOWN, 60, 50);

        assertThat(asked).containsExactly(51);
        assertThat(finished).isEqualTo(1);
    }

    @Test
    void aFixedPhaseIsLeftAlone() {
        KnownEnd end = after(new Phase.Load("warmup", Duration.ofSeconds(90)), 90, 0);

        assertThat(asked).isEmpty();
        assertThat(finished).isZero();
        assertThat(end.words()).isEmpty();
    }
}
