package dev.kiln.host.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class XdgFolderTest {
    private static final String STATE = "XDG_STATE_HOME";

    private static XdgFolder state(Map<String, String> environment, String home) {
        return new XdgFolder(environment, STATE, home);
    }

    @Test
    void theVariableGoesBeforeTheHome() {
        assertThat(state(Map.of(STATE, "/var/state"), "/home/me").find(".local/state"))
                .contains(Path.of("/var/state/kiln"));
        assertThat(state(Map.of(), "/home/me").find(".local/state")).contains(Path.of("/home/me/.local/state/kiln"));
    }

    /** It would be another folder in each working directory: the next Kiln would not find what a killed one noted. */
    @ParameterizedTest
    @ValueSource(strings = {"", ".", "state", "~/state", "../state"})
    void aPathThatIsNotAbsoluteMeansNone(String value) {
        assertThat(state(Map.of(STATE, value), "/home/me").find(".local/state"))
                .contains(Path.of("/home/me/.local/state/kiln"));
    }

    /** Java says "?" of a user whom the system does not know, as in a container that gives each its own number. */
    @ParameterizedTest
    @ValueSource(strings = {"?", ""})
    void aUserWithoutAHomeHasNone(String home) {
        assertThat(state(Map.of(), home).find(".local/state")).isEmpty();
        assertThat(state(Map.of(STATE, "/var/state"), home).find(".local/state"))
                .contains(Path.of("/var/state/kiln"));
    }
}
