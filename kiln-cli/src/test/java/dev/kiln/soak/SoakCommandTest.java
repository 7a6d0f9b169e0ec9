package dev.kiln.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.cli.Kiln;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SoakCommandTest {
    private static final String[] SERVICE = {"--url", "http://localhost:8080/", "--", "java", "Main"};

    @TempDir
    private Path dir;

    private static void assertRefused(String said, String... options) {
        Kiln ran = Kiln.run(Stream.of(Stream.of("soak"), Stream.of(options), Stream.of(SERVICE))
                .flatMap(part -> part)
                .toArray(String[]::new));
        assertThat(ran.err()).contains(said);
        assertThat(ran.exit()).isEqualTo(2);
    }

    @Test
    void whatIsNoSoakIsRefusedBeforeAnythingStarts() throws Exception {
        assertRefused("no --duration");
        assertRefused("no --duration", "--protocol", "load=60s,pause=15s,load=20s");
        assertRefused("--duration: found 'long'", "--duration", "long");
        assertRefused("--error-budget: found '5'", "--duration", "3h", "--error-budget", "5");
        assertRefused("--error-budget: found '100%'", "--duration", "3h", "--error-budget", "100%");
        assertRefused("run has 2 variants", "--duration", "3h", "--variant", "a=-Xmx64m");
        assertRefused("run has 2 variants", "--duration", "3h", "--connections", "1,2");
        assertRefused("--observer-effect cannot be given to kiln soak", "--duration", "3h", "--observer-effect");
        assertRefused("no soak in " + dir, "--resume", dir.toString());
        Files.writeString(dir.resolve("soak.json"), "{\"schemaVersion\": 99}");
        assertRefused("has format 99", "--resume", dir.toString());
        Kiln report = Kiln.run("report", dir.toString());
        assertThat(report.err()).contains("holds a soak", "kiln soak --resume " + dir);
        assertThat(report.exit()).isEqualTo(2);
    }

    /** A folder of somebody else: what it says is refused, and its command is not run. */
    @Test
    void aHostilePlanIsRefused() throws Exception {
        Path ran = dir.resolve("ran");
        String here = Path.of("").toAbsolutePath().normalize().toString();
        String begin = "{\"schemaVersion\": 1, \"directory\": \"" + here + "\", \"arguments\": ";
        String command =
                "[\"--duration\", \"3h\", \"--url\", \"http://localhost:9/\", \"--\", \"touch\", \"" + ran + "\"]";
        String figures = ", \"durationSeconds\": 60, \"windowSeconds\": 1, \"errorBudget\": 0.01}";
        for (String wrong : new String[] {
            begin + command + figures.replace("\"windowSeconds\": 1", "\"windowSeconds\": 0"),
            begin + command + figures.replace("\"windowSeconds\": 1", "\"windowSeconds\": 1e-9"),
            begin + command + figures.replace("\"windowSeconds\": 1", "\"windowSeconds\": \"NaN\""),
            begin + command + figures.replace("60", "1e308"),
            begin + command + figures.replace("0.01", "-1"),
            begin + "[\"--nope\"]" + figures,
            begin + "[\"@/etc/passwd\"]" + figures,
            begin + "[null]" + figures
        }) {
            Files.writeString(dir.resolve("soak.json"), wrong);
            Kiln kiln = Kiln.run("soak", "--resume", dir.toString());
            assertThat(kiln.exit()).as(wrong + kiln.err()).isEqualTo(2);
            assertThat(kiln.err()).doesNotContain("root:x", "\tat ", "column -1");
        }
        Files.writeString(dir.resolve("soak.json"), begin + command + figures.replace("60", "0"));
        assertThat(Kiln.run("soak", "--resume", dir.toString()).err())
                .contains("soak.json cannot be read: it is wrong: durationSeconds: found 0.0, which no soak has");
        Files.writeString(dir.resolve("soak.json"), begin + command + figures);
        Files.setPosixFilePermissions(dir.resolve("soak.json"), PosixFilePermissions.fromString("rw-rw-rw-"));
        Kiln kiln = Kiln.run("soak", "--resume", dir.toString());
        assertThat(kiln.exit()).as(kiln.err()).isEqualTo(2);
        assertThat(kiln.err()).contains("others may have written", "soak.json");
        assertThat(ran).doesNotExist();
    }

    @Test
    void itsHelpNamesItsOptions() {
        Kiln help = Kiln.run("soak", "--help");
        assertThat(help.exit()).isZero();
        assertThat(help.out()).contains("--duration", "--error-budget", "--resume", "--jdk", "3h");
    }
}
