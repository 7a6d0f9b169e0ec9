package dev.kiln.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.cli.Kiln;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class JdksCommandTest {
    @Test
    void listsWhatIsFoundWithWhatCanBeSeen() {
        Kiln kiln = Kiln.run("jdks");
        assertThat(kiln.err()).isEmpty();
        assertThat(kiln.exit()).isZero();
        assertThat(kiln.out())
                .startsWith("VERSION    VENDOR             ARCHITECTURE  HOME\n")
                .contains("  observable: performance counters, attach, compile queues, ");
    }

    @Test
    void asJson() {
        Kiln kiln = Kiln.run("jdks", "--json", "-");
        assertThat(kiln.exit()).isZero();
        JsonNode jdks = JsonMapper.shared().readTree(kiln.out()).get("jdks");
        assertThat(jdks.size()).isPositive();
        for (JsonNode jdk : jdks) {
            assertThat(Path.of(jdk.get("home").asString()).resolve("bin/java")).isExecutable();
            assertThat(jdk.get("abilities").size()).isEqualTo(6);
            for (JsonNode ability : jdk.get("abilities")) {
                assertThat(ability.get("why").isNull())
                        .isEqualTo(ability.get("observable").asBoolean());
            }
        }
    }
}
