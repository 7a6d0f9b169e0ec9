package dev.kiln.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HelpTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "demo", "run", "plan", "import", "report", "explain", "analyze", "compare", "gate", "doctor", "startup",
                "history"
            })
    void namesItsOptions(String command) {
        String help = Kiln.run(command, "--help").out();
        assertThat(help).contains("-h, --help").contains("Usage: kiln " + command);
        assertThat(help.replace("${port}", "")).doesNotContain("${", "%%");
    }

    @Test
    void aPlaceholderOfTheUsersStaysOne() {
        assertThat(Kiln.run("run", "--help").out()).contains("${port} stands for");
        assertThat(Kiln.run("startup", "--help").out()).contains("${port} stands for");
    }

    @Test
    void everyOptionOfTheDoctorIsInItsReference() throws Exception {
        String reference = Files.readString(Path.of("../docs/reference/doctor.md"));
        String help = Kiln.run("doctor", "--help").out();
        Pattern.compile("^ +(?:-., )?(--[a-z-]+)", Pattern.MULTILINE)
                .matcher(help)
                .results()
                .map(found -> found.group(1))
                .filter(option -> !option.matches("--help|--version|--no-colour"))
                .forEach(option -> assertThat(reference).contains("`" + option));
    }
}
