package dev.kiln.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.experiment.StartupSpec.LogNumber;
import dev.kiln.runner.StartWait.LoggedNumber;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoggedNumberTest {
    private static LoggedNumber number(String regex, String unit) {
        return new LoggedNumber(new LogNumber(regex, Optional.of(unit).filter(text -> !text.isEmpty())));
    }

    @ParameterizedTest
    @CsvSource({
        "Booted Petclinic in 544 ms, Booted .* in (\\d+) ms, '', 544, ms",
        "Started App in 1.234 seconds (process running for 2), in ([\\d.]+) sec, '', 1234, ms",
        "started in 0.512s. Listening, in ([\\d.]+), '', 512, ms",
        "took 1500us, took (\\d+), '', 1.5, ms",
        "took 17 of it, took (\\d+), '', 17, ''",
        "took 17 of it, took (\\d+), s, 17000, ms",
        "heap 17 of it, heap (\\d+), MB, 17, MB",
    })
    void readsTheNumberAndItsUnit(String line, String regex, String unit, double value, String inUnit) {
        assertThat(number(regex, unit).in(line)).contains(new LoggedNumber.LoggedValue(value, inUnit));
    }

    @Test
    void aLineWithoutThePatternSaysNothing() {
        assertThat(number("in (\\d+) ms", "").in("in a while")).isEmpty();
    }

    @Test
    void whatIsNoNumberIsNotTakenForOne() {
        assertThatThrownBy(() -> number("in (\\S+) s", "").in("started in 1,5 s"))
                .hasMessage("'1,5' is not a number, in the line: started in 1,5 s");
    }
}
