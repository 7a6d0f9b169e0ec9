package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.it.Kiln.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is refused before a search begins. */
final class TuneIT {
    private final Sandbox sandbox = new Sandbox();

    @AfterEach
    void leaveNothing() {
        sandbox.awaitNoProcess();
        sandbox.close();
    }

    @Test
    void anotherQuestionIsAnotherSearch() throws IOException {
        Path experiment = sandbox.file(
                "service.yaml",
                "target:\n  command: " + Kiln.CURVE_SERVER + "\nload:\n  url: http://localhost:${port}/\n"
                        + "protocol: [{load: 1s}]\n");
        Path results = Files.createDirectories(sandbox.results().resolve("tune"));
        sandbox.file(
                "results/tune/tune.json",
                "{\"schemaVersion\": 1, \"question\": \"how deep is the sea\", \"spentSeconds\": 1}");
        Answer answer =
                Kiln.inProcess("tune", experiment.toString(), "--results", results.toString(), "--budget", "10m");
        assertThat(answer.exit()).isEqualTo(2);
        assertThat(answer.err()).contains("holds the search of another experiment or goal, or of an older build");
    }

    @Test
    void whatCannotBeSearchedForIsSaidBeforeTheFirstRun() {
        Path experiment = sandbox.file(
                "service.yaml",
                "target:\n  command: " + Kiln.CURVE_SERVER + "\nload:\n  url: http://localhost:${port}/\n"
                        + "protocol: [{load: 60s}]\n");
        assertThat(refused(experiment, "--goal", "speed"))
                .contains("--goal: found 'speed', expected one of warm-up-cost, t90, slo, peak");
        assertThat(refused(experiment, "--goal", "slo")).contains("--goal slo without an SLO");
        assertThat(refused(experiment, "--budget", "3m"))
                .contains("--budget: a search of runs of about 74 s takes at least 14 min");
        assertThat(refused(experiment, "--resume", "--budget", "60m"))
                .contains("--resume: no search of service is in ");
        assertThat(refused(experiment, "--engine", "wrk"))
                .contains(
                        "load: wrk tells the requests of a whole phase only", "search for a higher peak: --goal peak");
        assertThat(refused(experiment, "--keep-peak", "2")).contains("--keep-peak: found 2.0");
    }

    @Test
    void whatOthersStartMustSayHow() {
        String[] attached = {"tune", "--attach", "port:8080", "--url", "http://localhost:8080/"};
        assertThat(refused(attached))
                .contains("attach: a search starts the service anew for each of its runs", "or --restart");
        attached[2] = "kube:shop/checkout";
        assertThat(refused(attached)).contains("nothing says how others start this one anew", "or --restart");
        attached[2] = "kube:shop/deployment/checkout";
        assertThat(refused(attached).replaceAll("\\s+", " "))
                .contains(
                        "nothing says how others start this one anew",
                        "allow Kiln to set the variable there: restart: kubectl set env deployment/checkout -n shop"
                                + " JAVA_TOOL_OPTIONS, or --restart; at the end the deployment is as it was");
        assertThat(refused(Stream.concat(
                                Stream.of(attached),
                                Stream.of("--restart", "kubectl set env deployment/checkout -n shop OTHER"))
                        .toArray(String[]::new)))
                .contains("restart: it sets OTHER alone, and a search hands flags over by JAVA_TOOL_OPTIONS");
    }

    @Test
    void aCureIsAppliedOnlyWhereOthersStartTheServiceAndSomebodyAgrees() {
        Path experiment = sandbox.file(
                "service.yaml",
                "target:\n  command: " + Kiln.CURVE_SERVER + "\nload:\n  url: http://localhost:${port}/\n");
        assertThat(refused(experiment, "--apply")).contains("--apply: Kiln starts this service itself", "tuned/");
        assertThat(refused(experiment, "--yes")).contains("--yes without --apply");
        Path others = sandbox.file(
                "others.yaml",
                "target: {attach: 'port:8080', restart: 'true'}\nload: {url: 'http://localhost:8080/'}\n");
        Answer answer =
                Kiln.start(sandbox, "tune", others.toString(), "--apply").end();
        assertThat(answer.exit()).as(answer.err()).isEqualTo(2);
        assertThat(answer.err()).contains("--apply asks before it changes anything, and nobody can answer here");
    }

    private static String refused(Path experiment, String... more) {
        return refused(Stream.concat(Stream.of("tune", experiment.toString()), Stream.of(more))
                .toArray(String[]::new));
    }

    private static String refused(String... words) {
        Answer answer = Kiln.inProcess(words);
        assertThat(answer.exit()).as(answer.err()).isEqualTo(2);
        return answer.err();
    }
}
