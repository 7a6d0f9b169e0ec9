package dev.kiln.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The workflow of the forge and the action are run there alone; here their words are held against the repository. */
class WorkflowTest {
    private static final Path ROOT = Path.of("..");
    private static final JsonNode WORKFLOW = read(".github/workflows/build.yml");

    private static JsonNode read(String file) {
        try {
            return new YAMLMapper().readTree(Files.readString(ROOT.resolve(file)));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Stream<JsonNode> steps() {
        return Stream.concat(
                WORKFLOW.path("jobs")
                        .valueStream()
                        .flatMap(job -> job.path("steps").valueStream()),
                read("action.yml").at("/runs/steps").valueStream());
    }

    /** A branch or a major version may be another program tomorrow. */
    @Test
    void whatOthersWroteIsOfOneVersion() {
        List<String> used = steps().filter(step -> step.has("uses"))
                .map(step -> step.path("uses").asString())
                .toList();
        assertThat(used)
                .hasSizeGreaterThan(5)
                .allMatch(action -> action.matches("actions/[a-z-]+@v\\d+\\.\\d+\\.\\d+"));
    }

    @Test
    void whatItRunsIsThere() {
        List<String> programs = steps().flatMap(step -> Pattern.compile("(?m)(?<![\\w/])\\.(?:/|ci/)[a-z]+")
                        .matcher(step.path("run").asString(""))
                        .results())
                .map(found -> found.group())
                .toList();
        assertThat(programs)
                .contains(".ci/run", "./mvnw")
                .allSatisfy(program -> assertThat(ROOT.resolve(program)).isExecutable());
    }

    /** A build that fails makes no release, and only the job that attaches it may write. */
    @Test
    void theArchiveIsMadeOfWhatWasTested() {
        assertThat(WORKFLOW.at("/jobs/archive/needs").asString()).isEqualTo("verify");
        assertThat(WORKFLOW.at("/permissions/contents").asString()).isEqualTo("read");
        assertThat(WORKFLOW.at("/jobs/verify").has("permissions")).isFalse();
        assertThat(WORKFLOW.at("/jobs/archive/steps")
                        .valueStream()
                        .map(step -> step.path("run").asString("")))
                .anyMatch(run -> run.contains("-P dist"))
                .anyMatch(run -> run.contains("gh release upload"));
    }
}
