package dev.kiln.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.report.terminal.LiveLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class LiveLineTest {
    private static final List<Double> RISING = List.of(0.0, 700.0, 1400.0, 2100.0, 2800.0, 3500.0, 4200.0, 4900.0);

    @Test
    void saysWhatTheServiceAndC2AreDoing() {
        assertThat(LiveLine.render(status(OptionalDouble.of(0.03)), new TerminalStyle(120, false, true)))
                .isEqualTo("2/6 platform │ warm-up  24/60 s │  1,897 req/s │ p99 95.0 ms │ C2   3 % CPU,  97 % waiting"
                        + " │ ▁▂▃▄▅▆▇█");
    }

    @Test
    void theTutorialShowsSuchALine() throws IOException {
        LiveLine.Status demo = new LiveLine.Status(
                "platform",
                "1/2",
                new LiveLine.Status.LivePhase("warmup", 50, 90),
                Optional.of(new LiveLine.Status.LiveLeft("about 6 min left", "6 min left")),
                1591,
                OptionalDouble.of(150),
                new LiveLine.Status.LiveC2(OptionalDouble.of(0.05), OptionalDouble.of(0.89), Optional.empty()),
                List.of(1300.0, 1300.0, 1300.0, 1300.0, 1379.0));

        String line = LiveLine.render(demo, new TerminalStyle(120, false, true));
        assertThat(Files.readString(Path.of("../docs/tutorial.md")))
                .contains("```text\n" + line.substring(0, line.lastIndexOf('│')));
    }

    @Test
    void leavesOutWhatIsNotKnown() {
        assertThat(LiveLine.render(status(OptionalDouble.empty()), new TerminalStyle(120, false, false)))
                .isEqualTo("2/6 platform | warm-up  24/60 s |  1,897 req/s | p99 95.0 ms | _.-=*#%@");
    }

    @Test
    void isNeverWiderThanTheTerminal() {
        for (int width = 1; width < 130; width++) {
            assertThat(LiveLine.render(status(OptionalDouble.of(1)), new TerminalStyle(width, false, true)))
                    .hasSizeLessThanOrEqualTo(width);
        }
    }

    @Test
    void whereTheTerminalIsNarrowWhatSaysLeastIsLeftOut() {
        LiveLine.Status status = status(OptionalDouble.of(0.03), Optional.of("C2 not done before 85 s"));
        assertThat(LiveLine.render(status, new TerminalStyle(104, false, true)))
                .isEqualTo("2/6 platform │ warm-up  24/60 s │  1,897 req/s │ C2   3 % CPU,  97 % waiting"
                        + " │ C2 not done before 85 s");
        assertThat(LiveLine.render(status, new TerminalStyle(80, false, true)))
                .isEqualTo("2/6 platform │ warm-up  24/60 s │  1,897 req/s │ C2   3 % CPU,  97 % waiting");
        assertThat(LiveLine.render(status, new TerminalStyle(40, false, true)))
                .isEqualTo("2/6 platform │ warm-up  24/60 s │ ▃▄▅▆▇█");
        assertThat(LiveLine.render(status, new TerminalStyle(8, false, true))).isEqualTo("2/6 plat");
    }

    /** What C2 waits is why one runs Kiln, and how long it takes is what people look for: both are there in 80 columns. */
    @Test
    void howLongItTakesStandsInALineOf80Columns() {
        LiveLine.Status status = status(
                OptionalDouble.of(0.03),
                Optional.empty(),
                Optional.of(new LiveLine.Status.LiveLeft("about 5 min left", "5 min left")));
        assertThat(LiveLine.render(status, new TerminalStyle(200, false, true)))
                .contains(" │ C2   3 % CPU,  97 % waiting │ about 5 min left │ ");
        assertThat(LiveLine.render(status, new TerminalStyle(80, false, true)))
                .isEqualTo("2/6 platform │ warm-up  24/60 s │  1,897 req/s │ C2  97 % waiting │ 5 min left");
        assertThat(LiveLine.render(status, new TerminalStyle(50, false, true)))
                .isEqualTo("2/6 platform │ warm-up  24/60 s │ 5 min left");
        assertThat(LiveLine.render(status, new TerminalStyle(40, false, true)))
                .isEqualTo("2/6 platform │ warm-up  24/60 s │ ▃▄▅▆▇█");
    }

    @Test
    void aFileAndAWideTerminalHaveAllOfIt() {
        LiveLine.Status status = status(OptionalDouble.of(0.03), Optional.of("C2 not done before 85 s"));
        String all = LiveLine.render(status, new TerminalStyle(100, 200, false, true));
        assertThat(all).contains("p99 95.0 ms", "97 % waiting", "before 85 s").endsWith(" │ ▁▂▃▄▅▆▇█");
        assertThat(LiveLine.render(status, TerminalStyle.plain())).isEqualTo(all);
    }

    @Test
    void saysWhenThePeakIsToBeExpected() {
        assertThat(LiveLine.render(
                        status(OptionalDouble.of(0.03), Optional.of("C2 not done before 85 s")),
                        new TerminalStyle(130, false, false)))
                .contains("97 % waiting | C2 not done before 85 s | ");
    }

    private static LiveLine.Status status(OptionalDouble c2) {
        return status(c2, Optional.empty());
    }

    private static LiveLine.Status status(OptionalDouble c2, Optional<String> forecast) {
        return status(c2, forecast, Optional.empty());
    }

    private static LiveLine.Status status(
            OptionalDouble c2, Optional<String> forecast, Optional<LiveLine.Status.LiveLeft> left) {
        return new LiveLine.Status(
                "platform",
                "2/6",
                new LiveLine.Status.LivePhase("warm-up", 24.7, 60),
                left,
                1897,
                OptionalDouble.of(95),
                new LiveLine.Status.LiveC2(c2, OptionalDouble.of(0.97), forecast),
                RISING);
    }
}
