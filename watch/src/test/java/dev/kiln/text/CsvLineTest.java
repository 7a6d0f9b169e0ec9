package dev.kiln.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CsvLineTest {
    /** A spreadsheet runs what begins like a formula. */
    @Test
    void aFormulaIsTextAndANumberStaysOne() {
        assertThat(CsvLine.of(List.of("=cmd|' /C calc'!A0", "+1+1", "-x", "@SUM(A1)", "\t=1", "a=b")))
                .isEqualTo("'=cmd|' /C calc'!A0,'+1+1,'-x,'@SUM(A1),'\t=1,a=b\n");
        assertThat(CsvLine.of(List.of("-1", "-0.5", "+3", "-1.5e-7", ""))).isEqualTo("-1,-0.5,+3,-1.5e-7,\n");
        assertThat(CsvLine.of(List.of("=a,b", "=\"x\""))).isEqualTo("\"'=a,b\",\"'=\"\"x\"\"\"\n");
    }
}
