package dev.kiln.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.ServedLoad.PhaseCost;
import dev.kiln.explain.ServedLoad.PhaseSummary;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.run.Attached;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CaptionsTest {
    /** In the last pause of a search C2 has nothing left to do: "it had 0 %" said the opposite of what happened. */
    @Test
    void thePauseOfASearchIsTheOneAfterTheWarmUp() {
        List<PhaseSummary> phases = List.of(
                phase("warmup", true),
                phase("pause-r1", false),
                phase("reference-1", true),
                phase("pause-r2", false),
                phase("reference-2", true));

        Set<String> measuring = Set.of("pause-r1", "reference-1", "pause-r2", "reference-2");
        assertThat(Captions.pauseOf(phases, measuring)).map(PhaseSummary::name).contains("pause-r1");
    }

    @Test
    void theLastPauseOfCyclesIsBeforeWhatIsMeasured() {
        List<PhaseSummary> phases = List.of(
                phase("warmup-1", true),
                phase("pause-1", false),
                phase("warmup-2", true),
                phase("pause-2", false),
                phase("measure", true));

        assertThat(Captions.pauseOf(phases, Set.of("measure")))
                .map(PhaseSummary::name)
                .contains("pause-2");
        assertThat(Captions.pauseOf(phases.subList(0, 1), Set.of("warmup-1"))).isEmpty();
    }

    /** It said "has no peak" beside the peak. */
    @Test
    void aServiceThatRanBeforeHasAPeakAndNoTimeToIt() {
        HandMade run = HandMade.measured("service", 1000, HandMade.seconds(60, 1000));
        run.attached = Optional.of(new Attached("port:8080", 4711, 3_720 * HandMade.SECOND, 900 * HandMade.SECOND));

        assertThat(new Captions(HandMade.assess(run)).throughput().toString())
                .contains("ran before Kiln attached to it and served 1,000 req/s", "of its peak of 1,000 req/s")
                .doesNotContain("no peak");
    }

    /** The interval of runs whose number its width decided is of 97 %. */
    @Test
    void thePeaksIntervalHasTheLevelThatItWasMadeAt() {
        assertThat(peaks(Runs.fixed(2))).contains("(95 % interval ");
        assertThat(peaks(new Runs(5, 10, OptionalDouble.of(0.05)))).contains("(97 % interval 904\u20131,117)");
    }

    /** One run of three that served more after the pause was "it served 1.25 times". */
    @Test
    void whatOneRunOfSeveralShowsOfThePauseIsNotToldOfAll() {
        String jump = "Right after the pause it served 1.25 times what it served just before.";

        assertThat(afterThePause(800, 1000, 1000)).doesNotContain("Right after the pause");
        assertThat(afterThePause(800, 800, 1000)).contains(jump);
        assertThat(afterThePause(800)).contains(jump);
    }

    private static String afterThePause(double... before) {
        HandMade[] runs = new HandMade[before.length];
        for (int i = 0; i < runs.length; i++) {
            runs[i] = HandMade.measured("a", 1000, HandMade.seconds(60, before[i]))
                    .numbered(i + 1);
        }
        return new Captions(HandMade.assess(runs)).throughput().toString();
    }

    private static String peaks(Runs runs) {
        HandMade[] both = {
            HandMade.measured("a", 1000, HandMade.seconds(60, 1000)).numbered(1),
            HandMade.measured("a", 1010, HandMade.seconds(60, 1010)).numbered(2)
        };
        for (HandMade one : both) {
            one.runs = runs;
        }
        return new Captions(HandMade.assess(both)).throughput().toString();
    }

    private static PhaseSummary phase(String name, boolean load) {
        return new PhaseSummary(name, load, 0, 10, 100, Optional.empty(), PhaseCost.UNKNOWN);
    }
}
