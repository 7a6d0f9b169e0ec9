package dev.kiln.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.cli.Kiln;
import dev.kiln.cli.RecordedRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SweepCommandTest {
    private static final String[] SERVICE = {"--url", "http://localhost:8080/", "--", "java", "Main"};

    @TempDir
    private Path dir;

    private static void assertRefused(String said, String... args) {
        Kiln ran = Kiln.run(Stream.concat(Stream.of("sweep"), Stream.of(args)).toArray(String[]::new));
        assertThat(ran.err()).contains(said);
        assertThat(ran.exit()).isEqualTo(2);
    }

    private static String[] service(String... options) {
        return Stream.concat(Stream.of(options), Stream.of(SERVICE)).toArray(String[]::new);
    }

    @Test
    void whatIsNoSweepIsRefusedBeforeAnythingStarts() throws IOException {
        assertRefused("nothing to run");
        assertRefused("--connections: found '1,x'", service("--connections", "1,x"));
        assertRefused("--connections 1,5,10,15,20", service("--connections", "0"));
        assertRefused("run has one number of connections", service("--connections", "7"));
        assertRefused("--rate cannot be given to kiln sweep", service("--rate", "5"));
        assertRefused("--observer-effect cannot be given to kiln sweep", service("--observer-effect"));
        assertRefused("--memory: found '2 apples'", service("--memory", "2 apples"));
        assertRefused("--verify-density without --memory", service("--verify-density"));
        Path open = file("rate: 5, connections: [1, 2]");
        assertRefused("open has a rate", open.toString());
        assertRefused(
                "open has one number of connections", file("connections: 5").toString());
        assertRefused(
                "--verify-density with engine hyperfoil",
                file("connections: [1, 2], engine: hyperfoil, hyperfoil: {controller: 'http://localhost:1'}")
                        .toString(),
                "--memory",
                "1g",
                "--verify-density");
        Path elsewhere = Files.writeString(
                dir.resolve("elsewhere.yaml"),
                "target: {command: java Main, host: box}\nload: {url: 'http://${host}:8080/', connections: [1, 2]}\n");
        assertRefused(
                "--verify-density with a target on box", elsewhere.toString(), "--memory", "1g", "--verify-density");
        assertRefused("--verify-density with a finished sweep", dir.toString(), "--memory", "1g", "--verify-density");
        assertRefused("no run that can be read in", dir.toString(), "--memory", "1g");
    }

    @Test
    void whatWasRecordedAndIsNoSweepIsNotCountedIntoMemory() {
        Path results = dir.resolve("results");
        new RecordedRuns(results).variant(List.of("platform"), "platform", 1, 10, 3000);
        assertRefused("is no sweep: its variants do not differ by connections", results.toString(), "--memory", "1g");
        assertThat(results).isDirectoryNotContaining("glob:**density.json");
    }

    private Path file(String load) throws IOException {
        return Files.writeString(
                dir.resolve("open.yaml"),
                "target: {command: java Main}\nload: {url: 'http://localhost:8080/', " + load + "}\n");
    }

    @Test
    void itsHelpNamesTheOptionsOfARun() {
        Kiln help = Kiln.run("sweep", "--help");
        assertThat(help.exit()).isZero();
        for (String option :
                List.of("--memory", "--verify-density", "--connections", "--variant", "--jdk", "--results")) {
            assertThat(help.out()).contains(option);
        }
        assertThat(help.out()).contains("1,5,10,15,20,25,30,35,40", "load=until-steady:60s-300s,pause=15s,load=20s");
    }

    @Test
    void severalConnectionsMakeARunASweepToo() {
        Kiln ran = Kiln.run("run", "--connections", "1,1", "--url", "http://localhost:8080/", "--", "java", "Main");
        assertThat(ran.err()).contains("--connections: found '1,1'");
    }
}
