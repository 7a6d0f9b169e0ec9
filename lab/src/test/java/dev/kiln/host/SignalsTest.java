package dev.kiln.host;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SignalsTest {
    @Test
    void aHandlerForSigquitIsTheThirdBitOfThoseCaught() {
        // Of a JVM, and of the same JVM some milliseconds earlier.
        assertThat(Signals.catchesQuit("SigIgn:\t0000000000000000\nSigCgt:\t2000000181005ccf\n"))
                .isTrue();
        assertThat(Signals.catchesQuit("SigIgn:\t0000000000000004\nSigCgt:\t2000000181005cc8\n"))
                .isFalse();
        assertThat(Signals.catchesQuit("SigCgt:\tffffffffffffffff\n")).isTrue();
        assertThat(Signals.catchesQuit("")).isFalse();
    }
}
