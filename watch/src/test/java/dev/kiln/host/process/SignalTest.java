package dev.kiln.host.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SignalTest {
    @Test
    void aHandlerForSigquitIsTheThirdBitOfThoseCaught() {
        // Of a JVM, and of the same JVM some milliseconds earlier.
        assertThat(Signal.catchesQuit("SigIgn:\t0000000000000000\nSigCgt:\t2000000181005ccf\n"))
                .isTrue();
        assertThat(Signal.catchesQuit("SigIgn:\t0000000000000004\nSigCgt:\t2000000181005cc8\n"))
                .isFalse();
        assertThat(Signal.catchesQuit("SigCgt:\tffffffffffffffff\n")).isTrue();
        assertThat(Signal.catchesQuit("")).isFalse();
    }
}
