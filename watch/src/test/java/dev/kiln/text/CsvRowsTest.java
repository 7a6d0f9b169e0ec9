package dev.kiln.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.KilnException;
import dev.kiln.text.CsvRows.CsvForm;
import dev.kiln.text.CsvRows.CsvLines;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvRowsTest {
    private final List<String> gaps = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(strings = {",", ";", "\t", "|"})
    void theHeaderTellsTheSeparator(String separator) {
        CsvRows rows = new CsvRows(new TextLines("time, name\n1,\"a\"\"b\"\n".replace(",", separator)), gaps::add);

        assertThat(rows.column("time")).isZero();
        assertThat(rows.column("name")).isEqualTo(1);
        assertThat(rows.column("other")).isEqualTo(-1);
        assertThat(all(rows)).containsExactly(List.of("1", "a\"b"));
    }

    @Test
    void aQuotedCellGoesOverSeveralLines() {
        CsvRows rows = new CsvRows(new TextLines("time,name\n1,\"a,\nb\"\n\n2,c\n"), gaps::add);

        assertThat(rows.next()).contains(List.of("1", "a,\nb"));
        assertThat(rows.place()).isEqualTo("a.csv:2");
        assertThat(rows.next()).contains(List.of("2", "c"));
        assertThat(rows.place()).isEqualTo("a.csv:5");
        assertThat(rows.next()).isEmpty();
    }

    @Test
    void aFileWithoutAHeaderGetsItsColumnsFromTheCaller() {
        CsvRows rows = new CsvRows(
                new TextLines("1;a\n2;b\n"),
                gaps::add,
                first -> new CsvForm(';', Optional.of(List.of("time", "name"))));

        assertThat(all(rows)).containsExactly(List.of("1", "a"), List.of("2", "b"));
    }

    @Test
    void aRowThatWasCutShortIsLeftOutAndTold() {
        assertThat(all(new CsvRows(new TextLines("time,name\n1,a\n2,\"b"), gaps::add)))
                .containsExactly(List.of("1", "a"));
        assertThat(all(new CsvRows(new TextLines("time,name\n1,\"a\nb"), gaps::add)))
                .isEmpty();
        assertThat(gaps).containsExactly("a.csv:3: cut short", "a.csv:3: cut short");
    }

    @Test
    void whatIsNoRowIsRefusedWithItsLine() {
        assertThatThrownBy(() -> all(new CsvRows(new TextLines("time,name\n1,a\n2\n"), gaps::add)))
                .hasMessageContaining("a.csv:3: found 1 columns, expected 2");
        assertThatThrownBy(() -> all(new CsvRows(new TextLines("time,name\n1,\"a\n2,b\n"), gaps::add)))
                .hasMessageContaining("a quote of line 2 that is never closed");
    }

    private static List<List<String>> all(CsvRows rows) {
        List<List<String>> all = new ArrayList<>();
        for (Optional<List<String>> row = rows.next(); row.isPresent(); row = rows.next()) {
            all.add(row.get());
        }
        return all;
    }

    /** TextLines are the lines of a text in memory. */
    private static final class TextLines implements CsvLines {
        private final String text;
        private int next;
        private String line = "";
        private boolean whole;
        private long number;

        TextLines(String text) {
            this.text = text;
        }

        @Override
        public boolean next() {
            if (next == text.length()) {
                return false;
            }
            int end = text.indexOf('\n', next);
            whole = end >= 0;
            line = text.substring(next, whole ? end : text.length());
            next = whole ? end + 1 : text.length();
            number++;
            return true;
        }

        @Override
        public boolean nextRow(Consumer<String> gaps) {
            while (next()) {
                if (!whole) {
                    gaps.accept(cutShort());
                } else if (!line.isBlank()) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public String text() {
            return line;
        }

        @Override
        public boolean whole() {
            return whole;
        }

        @Override
        public long number() {
            return number;
        }

        @Override
        public String file() {
            return "a.csv";
        }

        @Override
        public String cutShort() {
            return file() + ":" + number + ": cut short";
        }

        @Override
        public KilnException malformed(String found, String expected) {
            return KilnException.usage(
                    file() + ":" + number + ": found " + found + ", expected " + expected, "correct the line");
        }
    }
}
