package dev.kiln.model.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AttachedTest {
    @ParameterizedTest
    @CsvSource({
        "0.21, 0.2 s",
        "9.96, 10.0 s",
        "59.9, 59 s",
        "60, 1 min",
        "250, 4 min 10 s",
        "3599, 59 min 59 s",
        "10920, 3 h 2 min",
        "86400, 1 d",
        "450000, 5 d 5 h"
    })
    void anAgeHasAtMostTwoUnits(double seconds, String words) {
        assertThat(new Attached("1", 1, Math.round(seconds * 1e9), 0).ran()).isEqualTo(words);
    }
}
