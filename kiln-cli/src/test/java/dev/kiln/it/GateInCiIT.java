package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The action and its script, run step by step as a runner does. */
final class GateInCiIT extends InSandbox {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private final Path kiln = executable(
            "kiln",
            sandbox.jvm(List.of()).command().stream()
                    .map(word -> "'" + word + "'")
                    .collect(Collectors.joining(" ", "exec ", " \"$@\"")));

    record Ended(int exit, String said) {}

    @Test
    void aFailFailsTheBuildAndLeavesWhatItSays() throws Exception {
        Ended ended = gate("docs/examples/after.csv", "docs/examples/before.csv", "docs/examples/tolerances.yaml");
        assertThat(ended.exit()).as(ended.said()).isEqualTo(1);
        assertThat(text("output")).isEqualTo("verdict=fail\n");
        assertThat(text("summary")).contains("| p99 latency, ms |", "FAIL");
        assertThat(text("gate/gate.md")).isEqualTo(text("summary"));
        assertThat(text("gate/gate.xml")).contains("<testsuite");
        assertThat(text("gate/gate.json")).contains("\"FAIL\"");
    }

    /** Of the two codes for it one is enough: what follows is the same. */
    @Test
    void tooLittleDataIsSaidAndFailsNothing() throws Exception {
        Path few = sandbox.file("few.csv", "peak\n8000\n7000\n");
        Path tolerance = sandbox.file("tolerances.yaml", "peak: -5\n");
        Ended ended = gate(few.toString(), few.toString(), tolerance.toString());
        assertThat(ended.exit()).as(ended.said()).isZero();
        assertThat(text("output")).isIn("verdict=inconclusive\n", "verdict=under-powered\n");
        assertThat(ended.said()).contains("::notice title=Kiln gate::");
    }

    @Test
    void whatCannotRunIsAnError() throws Exception {
        Ended ended = gate("no-such.csv", "docs/examples/before.csv", "docs/examples/tolerances.yaml");
        assertThat(ended.exit()).as(ended.said()).isEqualTo(2);
        assertThat(text("output")).isEqualTo("verdict=error\n");
        assertThat(gate("a.yaml", "b", "c").said()).contains("leave BASELINE empty");
        // As where a run fails before there is anything to judge.
        executable("kiln", "exit 1");
        assertThat(gate("a.yaml", "", "c").exit()).isEqualTo(1);
        assertThat(text("output")).isEqualTo("verdict=error\n");
    }

    /** With what stands for the API of the forge: there is none here. */
    @Test
    void theCommentIsWrittenAnew() throws Exception {
        Path summary = sandbox.file("gate.md", "all well\n");
        for (String existing : List.of("", "77")) {
            Files.deleteIfExists(sandbox.root().resolve("asked"));
            executable(
                    "gh",
                    "echo \"$*\" >>" + sandbox.root().resolve("asked")
                            + "\ncase $* in *--paginate*) echo " + existing
                            + " ;; *) cat \"$(echo \"$*\" | grep -o '@[^ ]*' | cut -c 2-)\" >"
                            + sandbox.root().resolve("body") + " ;; esac");
            Ended ended = bash(
                    Map.of(
                            "PATH", sandbox.root() + ":" + System.getenv("PATH"),
                            "GITHUB_REPOSITORY", "me/shop",
                            "PULL_REQUEST", "12"),
                    ROOT.resolve("deploy/comment.sh").toString(),
                    summary.toString());
            assertThat(ended.exit()).as(ended.said()).isZero();
            assertThat(text("asked").lines().toList().getLast())
                    .startsWith(
                            existing.isEmpty()
                                    ? "api --method POST repos/me/shop/issues/12/comments "
                                    : "api --method PATCH repos/me/shop/issues/comments/77 ");
            assertThat(text("body")).isEqualTo("<!-- kiln gate -->\nall well\n");
        }
    }

    /** With what stands for a Kiln whose night fails. */
    @Test
    void aNightThatFailsIsInTheTrendToo() throws Exception {
        Path nights = Files.createDirectories(sandbox.root().resolve("nights"));
        Path earlier = Files.createDirectories(nights.resolve("peak-1"));
        executable(
                "kiln",
                "echo \"$*\" >>" + sandbox.root().resolve("asked")
                        + "\ncase $1 in run) mkdir " + nights.resolve("peak-2") + "; exit 1 ;;"
                        + " history) echo page >\"$4\"; echo series ;; esac");
        Ended ended = bash(
                Map.of("KILN", sandbox.root().resolve("kiln").toString(), "COMMIT", "4f1c"),
                ROOT.resolve("deploy/nightly.sh").toString(),
                "peak.yaml",
                nights.toString(),
                "--jdks",
                "17,25");
        assertThat(ended.exit()).as(ended.said()).isEqualTo(1);
        assertThat(text("asked"))
                .isEqualTo("run peak.yaml --results " + nights + " --jdks 17,25\nhistory " + nights + " --html "
                        + nights.resolve("trend.html") + "\n");
        assertThat(nights.resolve("peak-2/labels.properties")).hasContent("commit=4f1c");
        assertThat(earlier.resolve("labels.properties")).doesNotExist();
        assertThat(nights.resolve("trend.html")).hasContent("page");
        assertThat(nights.resolve("trend.txt")).hasContent("series");
        assertThat(bash(Map.of(), ROOT.resolve("deploy/nightly.sh").toString(), "peak.yaml")
                        .exit())
                .isEqualTo(2);
    }

    /** The shell steps of the action in their order, with a release in an archive. */
    @Test
    void theStepsOfTheActionRun() throws Exception {
        Path release = Files.createDirectories(sandbox.root().resolve("kiln-1/bin"));
        Files.copy(kiln, release.resolve("kiln"), java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
        assertThat(bash(Map.of(), "-c", "tar -C " + sandbox.root() + " -czf " + sandbox.root() + "/kiln.tar.gz kiln-1")
                        .exit())
                .isZero();
        JsonNode action = new YAMLMapper().readTree(Files.readString(ROOT.resolve("action.yml")));
        List<JsonNode> steps = new ArrayList<>();
        action.at("/runs/steps").forEach(steps::add);
        Map<String, String> runner = Map.of(
                "RUNNER_TEMP", sandbox.temporary().toString(),
                "GITHUB_ENV", sandbox.root().resolve("env").toString(),
                "ARCHIVE", sandbox.root().resolve("kiln.tar.gz").toString(),
                "ENGINE", "",
                "SOURCES", ROOT.toString());
        assertThat(script(steps.get(0), runner)).isZero();
        String made = text("env").strip().replaceFirst("^KILN=", "");
        assertThat(Path.of(made)).isExecutable();
        Map<String, String> gate = Map.of(
                "KILN",
                made,
                "GITHUB_OUTPUT",
                sandbox.root().resolve("output").toString(),
                "CURRENT",
                "docs/examples/before.csv",
                "BASELINE",
                "docs/examples/before.csv",
                "TOLERANCE",
                "docs/examples/tolerances.yaml",
                "SOURCES",
                ROOT.toString());
        int code = script(steps.get(1), gate);
        assertThat(text("output")).isIn("verdict=pass\n", "verdict=under-powered\n");
        assertThat(code).isZero();
        assertThat(action.at("/outputs/verdict/value").asString()).isEqualTo("${{ steps.gate.outputs.verdict }}");
        assertThat(steps.get(1).path("id").asString()).isEqualTo("gate");
    }

    private int script(JsonNode step, Map<String, String> environment) throws Exception {
        step.path("env").propertyNames().forEach(name -> assertThat(environment).containsKey(name));
        Ended ended = bash(
                environment,
                "-eo",
                "pipefail",
                "-c",
                step.path("run")
                        .asString()
                        .replace(" kiln-gate", " " + sandbox.root().resolve("gate")));
        assertThat(ended.said()).doesNotContain("unbound");
        return ended.exit();
    }

    private Ended gate(String current, String baseline, String tolerance) throws Exception {
        Files.deleteIfExists(sandbox.root().resolve("output"));
        return bash(
                Map.of(
                        "KILN", kiln.toString(),
                        "GITHUB_ACTIONS", "true",
                        "GITHUB_OUTPUT", sandbox.root().resolve("output").toString(),
                        "GITHUB_STEP_SUMMARY", sandbox.root().resolve("summary").toString()),
                ROOT.resolve("deploy/gate.sh").toString(),
                current,
                baseline,
                tolerance,
                sandbox.root().resolve("gate").toString());
    }

    private Ended bash(Map<String, String> environment, String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of("bash"));
        command.addAll(List.of(words));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(ROOT.toFile()).redirectErrorStream(true);
        builder.environment().putAll(environment);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), said);
    }

    private String text(String name) throws IOException {
        return Files.readString(sandbox.root().resolve(name));
    }

    private Path executable(String name, String body) {
        try {
            Path file = sandbox.file(name, "#!/usr/bin/env bash\n" + body + "\n");
            return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
