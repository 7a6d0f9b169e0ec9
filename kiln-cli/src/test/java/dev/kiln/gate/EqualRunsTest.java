package dev.kiln.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.cli.Kiln;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Runs of one whole number each have no spread, as they were rounded: an interval without width was certain of their last digit. */
class EqualRunsTest extends GateFiles {
    private static final String THREES = "collections\n3\n3\n3\n3\n";
    private static final String FOURS = "collections\n4\n4\n4\n4\n";
    private static final String TWELVES = "collections\n12\n12\n12\n12\n";

    private Kiln gate(String before, String now) throws IOException {
        return Kiln.run(
                "gate",
                "--one-session",
                "--baseline",
                file("a.csv", before),
                "--tolerance",
                file("t.yaml", "collections: 10\n"),
                file("b.csv", now));
    }

    @Test
    void oneMoreInEachRunDecidesNothing() throws IOException {
        Kiln one = gate(THREES, FOURS);

        assertThat(one.exit()).as(one.out()).isEqualTo(5);
        assertThat(one.out().replaceAll("\\s+", " "))
                .contains("no number of runs can show a change of its size: each figure is known to 1");
        assertThat(gate(THREES, TWELVES).exit()).isEqualTo(1);
        assertThat(gate(TWELVES, THREES).exit()).isZero();
    }

    @Test
    void aComparisonDoesNotShowItEither() throws IOException {
        assertThat(Kiln.run("compare", "--one-session", file("a.csv", THREES), file("b.csv", FOURS))
                        .out())
                .contains("no difference shown");
        assertThat(Kiln.run("compare", "--one-session", file("a.csv", THREES), file("b.csv", TWELVES))
                        .out())
                .contains("4.00 times as high");
    }

    /** 4000 ms was known exactly, and passed what 4 s does not. */
    @Test
    void wholeSecondsAreKnownToOneInAnyUnit() throws IOException {
        for (String runs : List.of("t90_s\n4\n4\n4\n4\n", "t90_ms\n4000\n4000\n4000\n4000\n")) {
            Kiln ran = Kiln.run(
                    "gate",
                    "--one-session",
                    "--baseline",
                    file("a.csv", runs),
                    "--tolerance",
                    file("t.yaml", "t90: 10\n"),
                    file("b.csv", runs));

            assertThat(ran.exit()).as(ran.out()).isEqualTo(5);
            assertThat(ran.out()).contains("-22.2 to 28.6 %");
        }
    }
}
