package dev.kiln.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.jvm.flight.StackSamples.Stacks;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FlameGraphTest {
    private static final Stacks NOW = new Stacks(Map.of("run;a.B.parse", 30L, "run;a.B.<init>", 10L, "gc", 60L));
    private static final Stacks BEFORE = new Stacks(Map.of("run;a.B.parse", 10L, "gc", 10L));

    @Test
    void aFrameIsAsWideAsItsShare() {
        String page = FlameGraph.of("x < y", NOW);
        assertThat(page)
                .contains("<title>x &lt; y</title>", "100 samples of running threads")
                .contains("<title>all: 100.00 %, 100 samples</title><rect x=\"0.00\" y=\"34\" width=\"1200.00\"")
                .contains("<title>gc: 60.00 %, 60 samples</title><rect x=\"0.00\" y=\"17\" width=\"720.00\"")
                .contains("<title>run: 40.00 %, 40 samples</title><rect x=\"720.00\" y=\"17\" width=\"480.00\"")
                .contains(
                        "<title>a.B.&lt;init&gt;: 10.00 %, 10 samples</title><rect x=\"720.00\" y=\"0\" width=\"120.00\"")
                .contains("<title>a.B.parse: 30.00 %, 30 samples</title><rect x=\"840.00\" y=\"0\" width=\"360.00\"");
    }

    @Test
    void theDifferenceIsOfShares() {
        String page = FlameGraph.difference("now against before", NOW, BEFORE);
        assertThat(page)
                .contains("100 samples now, 20 before")
                .contains("<title>gc: 60.00 % now, 50.00 % before (+10.00 points)</title>")
                .contains("<title>a.B.parse: 30.00 % now, 50.00 % before (-20.00 points)</title>")
                .containsPattern("gc: 60[^\n]*?fill=\"hsl\\(0,80%,60%\\)\"")
                .containsPattern("a\\.B\\.parse: 30[^\n]*?fill=\"hsl\\(215,80%,60%\\)\"");
    }

    @Test
    void whatCannotBeSeenIsNotDrawn() {
        String page = FlameGraph.of("t", new Stacks(Map.of("big", 100_000L, "small", 1L)));
        assertThat(page).contains("big: 100.00 %").doesNotContain("small");
    }

    @Test
    void ofNothing() {
        assertThat(FlameGraph.of("t", new Stacks(Map.of()))).contains("0 samples");
    }
}
