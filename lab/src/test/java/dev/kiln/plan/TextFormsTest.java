package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.experiment.Placeholders;
import dev.kiln.plan.LabBinder.CpuText;
import dev.kiln.plan.text.DurationText;
import dev.kiln.plan.text.Problems.BadValue;
import dev.kiln.plan.text.ShellWords;
import dev.kiln.plan.text.Spot;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The small languages inside values: durations, CPU lists, shell words, placeholders. */
class TextFormsTest {
    @ParameterizedTest
    @CsvSource({"20s,20000", "500ms,500", "2m,120000", "1 min 30 s,90000", "1h,3600000", "0.5s,500", "1m30s,90000"})
    void durations(String text, long millis) {
        assertThat(DurationText.parse(text)).isEqualTo(Duration.ofMillis(millis));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "20", "-5s", "0s", "s", "20x", "5s junk", "999999999h"})
    void noDurations(String text) {
        assertThatThrownBy(() -> DurationText.parse(text)).isInstanceOf(BadValue.class);
    }

    @ParameterizedTest
    @CsvSource({"PT0S,0 s", "PT1M35S,1 min 35 s", "PT2H,2 h", "PT0.25S,250 ms"})
    void shownDurations(Duration duration, String shown) {
        assertThat(DurationText.show(duration)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S,10 s",
        "PT10S,10 s",
        "PT10.001S,20 s",
        "PT90S,1 min 30 s",
        "PT91S,2 min",
        "PT6M56S,7 min",
        "PT2H,2 h",
        "PT2H1S,2 h 10 min"
    })
    void estimatesAreRoundedUp(Duration duration, String shown) {
        assertThat(DurationText.round(duration)).isEqualTo(shown);
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S,10 s",
        "PT14S,10 s",
        "PT15S,20 s",
        "PT90S,1 min 30 s",
        "PT91S,2 min",
        "PT3M29S,3 min",
        "PT7M14S,7 min",
        "PT7M30S,8 min",
        "PT2H4M,2 h",
        "PT2H6M,2 h 10 min"
    })
    void whatIsLikelyIsRoundedToTheNearest(Duration duration, String shown) {
        assertThat(DurationText.about(duration)).isEqualTo(shown);
    }

    @Test
    void cpuLists() {
        assertThat(CpuText.list("0-3,8")).containsExactly(0, 1, 2, 3, 8);
        assertThat(CpuText.show(List.of(8, 0, 1, 2, 4))).isEqualTo("0-2,4,8");
        assertThatThrownBy(() -> CpuText.list("3-1")).isInstanceOf(BadValue.class);
        assertThatThrownBy(() -> CpuText.list("")).isInstanceOf(BadValue.class);
        assertThatThrownBy(() -> CpuText.node("tarket=1", new Spot.OfFlag("--cpus")))
                .hasMessage("unknown part 'tarket'; did you mean 'target'?");
    }

    @Test
    void shellWords() {
        assertThat(ShellWords.split(" -Da=b  '-Dc=d e' -Df=\"g \\\"h\\\"\" i\\ j '' "))
                .containsExactly("-Da=b", "-Dc=d e", "-Df=g \"h\"", "i j", "");
        assertThatThrownBy(() -> ShellWords.split("'open")).isInstanceOf(BadValue.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "two words", "it's", "", "a\\b\"c"})
    void quotedWordsComeBackUnchanged(String word) {
        assertThat(ShellWords.split(ShellWords.quote(word))).containsExactly(word);
    }

    @Test
    void placeholders() {
        Placeholders values = new Placeholders(Map.of("port", "8081", "db.url", "a$1\\b"));
        assertThat(values.fill("x${port}y${db.url}z$${port}")).isEqualTo("x8081ya$1\\bz${port}");
        assertThat(Placeholders.namesIn("${port} $${escaped} ${db.url}")).containsExactly("port", "db.url");
    }
}
