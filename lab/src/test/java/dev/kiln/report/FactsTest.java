package dev.kiln.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.text.Show;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FactsTest {
    @Test
    void secretsAreNotSentAround() {
        assertThat(Facts.environment(Map.of("DB_PASSWORD", "hunter2", "API_KEY", "k", "GC", "serial")))
                .containsExactly(
                        Map.entry("API_KEY", "***"), Map.entry("DB_PASSWORD", "***"), Map.entry("GC", "serial"));
        assertThat(Facts.argument("java -Dspring.datasource.password=hunter2 -jar app.jar"))
                .isEqualTo("java -Dspring.datasource.password=*** -jar app.jar");
    }

    @Test
    void numbersReadTheSameEverywhere() {
        assertThat(Show.fixed(-0.04, 1)).isEqualTo("0.0");
        assertThat(Show.whole(-1234.5)).isEqualTo("\u22121,235");
        assertThat(Show.whole(Double.NaN)).isEqualTo(Show.ABSENT);
        assertThat(Show.percent(0.968)).isEqualTo("97");
        assertThat(Show.plain(1e-7)).isEqualTo("0.0000001");
    }
}
