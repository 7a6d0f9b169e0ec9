package dev.kiln.model.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.experiment.JvmOptions.ToolOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

class ToolOptionsTest {
    /** As HotSpot's own parser does. */
    @Test
    void blanksOutsideQuotesSplitAndQuotesGo() {
        assertThat(ToolOptions.parse("  -Xbatch\t-Da=\"b c\" '-Dd=\"e\"'-f \"\" ")
                        .flags())
                .containsExactly("-Xbatch", "-Da=b c", "-Dd=\"e\"-f");
        assertThat(ToolOptions.parse("").flags()).isEmpty();
    }

    @Test
    void whatIsWrittenIsReadBack() {
        List<String> flags = List.of(
                "-Xbatch", "-Da=it's", "-Db=\"quoted\"", "-Dc=it's \"both\" 'kinds'", "-Dd=C:\\x", "-De=f g", "-Dh=");
        assertThat(ToolOptions.parse(new ToolOptions(flags).text()).flags()).isEqualTo(flags);
    }

    /** A JVM with two collectors does not start. */
    @Test
    void whatContradictsTheFlagsBehindItGoes() {
        assertThat(ToolOptions.parse("-XX:+UseSerialGC -Xmx1g -Da=1")
                        .and(List.of("-XX:+UseParallelGC", "-Xmx2g"))
                        .text())
                .isEqualTo("-Da=1 -XX:+UseParallelGC -Xmx2g");
    }
}
