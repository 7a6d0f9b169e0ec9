package dev.kiln.runner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.postgres.Postgres;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlaceElsewhereTest {
    @Test
    void theTwoEndsOfTheConnectionReachEachOther() {
        assertThat(PlaceElsewhere.client("box", "127.0.0.3 50022 10.0.0.2 22"))
                .isEqualTo(new Postgres.Client("127.0.0.3", "10.0.0.2"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "UNKNOWN 65535 UNKNOWN 65535",
                // An address that is kept for documentation, as that of a jump host would be.
                "198.51.100.7 50022 10.0.0.2 22",
                "fe80::1%lo 50022 fe80::2%eth0 22",
                "127.0.0.1 50022 10.0.0.2/0 22",
                "127.0.0.1 50022 10.0.0.2/32\ttrust\nhost\tall\tall\t0.0.0.0 22"
            })
    void whatIsNoTwoAddressesOrNotThisMachinesGetsNoDatabase(String connection) {
        assertThatExceptionOfType(KilnException.class)
                .isThrownBy(() -> PlaceElsewhere.client("box", connection))
                .withMessage("box reaches this machine by an address that Kiln's PostgreSQL cannot listen on"
                        + " (SSH_CONNECTION is '" + connection + "' there)")
                .satisfies(told -> assertThat(told.exit()).isEqualTo(Exit.MACHINE))
                .satisfies(
                        told -> assertThat(told.remedy()).contains("database: {url: ..., user: ..., password: ...}"));
    }
}
