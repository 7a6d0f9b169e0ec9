package dev.kiln.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class JdksCommandTest {
    @TempDir
    Path dir;

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

    @Test
    void anArchiveThatIsNoneIsToldInOneLine() throws Exception {
        Path file = Files.writeString(dir.resolve("page.html"), "<html>");
        Kiln kiln = Kiln.run("jdks", file.toString());
        assertThat(kiln.exit()).isEqualTo(2);
        assertThat(kiln.err())
                .isEqualTo(
                        "kiln: " + file + " is no archive: neither tar (plain, gz or xz) nor zip\n"
                                + "  name a JDK for Linux as .tar.gz, .tar.xz, .tar, .zip or .whl; fetch it again if it is damaged\n");
    }
}
