package dev.kiln.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.KilnException;
import dev.kiln.model.run.StartupEvidence.StartTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartTableReaderTest {
    @Test
    void takesRunsAndLeavesWhatWasComputedFromThem() {
        StartTable table = StartTableReader.parse(
                "Run,Old CDS,\"New, CDS\"\r\n1,544,512.5\r\n2,554,\r\nGeomean,1,1\nStdev,0,0\n", "t.csv");

        assertThat(table.names()).containsExactly("Old CDS", "New, CDS");
        assertThat(table.rows())
                .containsExactly(
                        new StartTable.StartRow(1, List.of(OptionalDouble.of(544), OptionalDouble.of(512.5))),
                        new StartTable.StartRow(2, List.of(OptionalDouble.of(554), OptionalDouble.empty())));
    }

    @Test
    void takesAsManyColumnsAsThereAre() {
        StartTable table = StartTableReader.parse("Run,A,B,C\n1,544,512,530\nGeomean,1,1,1\n", "t.csv");

        assertThat(table.names()).containsExactly("A", "B", "C");
        assertThat(table.rows().getFirst().values())
                .containsExactly(OptionalDouble.of(544), OptionalDouble.of(512), OptionalDouble.of(530));
    }

    @Test
    void takesATableWithAMarkOfItsEncoding(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("t.csv"), "\ufeffRun,A,B\n1,544,512\n");

        assertThat(StartTableReader.read(file).names()).containsExactly("A", "B");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            Run,A          | t.csv:1: found 'Run,A', expected
            ''             | t.csv:1: found nothing, expected
            Run,A,B        | t.csv:1: found no run, expected
            Run,A,B;1,2    | t.csv:2: found 2 fields, expected 3
            Run,A,B,C;1,2,3| t.csv:2: found 3 fields, expected 4
            Run,A,B;1,2,x  | t.csv:2: found 'x', expected a number above zero
            Run,A,B;1,2,-3 | t.csv:2: found '-3', expected a number above zero
            Run,A,B;1,0,3  | t.csv:2: found '0', expected a number above zero
            Run,A,B;1,NaN,3| t.csv:2: found 'NaN', expected a number above zero
            Run,A,B;1,1e3,3| t.csv:2: found '1e3', expected a number above zero
            """)
    void saysWhereATableIsWrong(String text, String message) {
        assertThatThrownBy(() -> StartTableReader.parse(text.replace(';', '\n'), "t.csv"))
                .isInstanceOf(KilnException.class)
                .hasMessageStartingWith(message);
    }
}
