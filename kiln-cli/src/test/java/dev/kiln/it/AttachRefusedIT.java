package dev.kiln.it;

import static dev.kiln.it.Kiln.assertTold;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.it.Kiln.Answer;
import dev.kiln.jvm.JdkFinder;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What Kiln cannot attach to, and what it does not do with a service that it did not start. */
final class AttachRefusedIT extends InSandbox {
    private static Answer refused(String... words) {
        return Kiln.inProcess(words);
    }

    @Test
    void whatCannotBeAttachedToIsSaidOnceAndNothingIsRun() throws Exception {
        ForeignService service = ForeignService.start(sandbox, JdkFinder.current());
        String url = service.url();
        String pid = Long.toString(service.pid());
        String results = sandbox.results().toString();
        assertTold(
                refused("run", "--attach", "4194304", "--url", url, "--results", results),
                2,
                "attach: there is no process 4194304 on this machine");
        assertTold(
                refused("run", "--attach", "port:1", "--url", url, "--results", results),
                2,
                "attach: nothing listens on port 1 of this machine");
        assertTold(
                refused("run", "--attach", "kiln-it-absent", "--url", url, "--results", results),
                2,
                "container 'kiln-it-absent'");
        assertTold(
                refused("run", "--attach", "kube:shop", "--url", url, "--results", results),
                2,
                "--attach: found 'kube:shop', expected a PID, port:8080, the name of a container or kube:NAMESPACE/POD");
        for (String changing : List.of("--flight-recorder", "--async-profiler", "--cold")) {
            assertTold(refused("run", "--attach", pid, "--url", url, changing, "--results", results), 2, "kiln: ");
        }
        assertTold(refused("run", "--attach", pid, "--url", url, "--runs", "3"), 2, "runs: found more than one");
        assertTold(refused("run", "--attach", pid, "--url", url, "--variant", "a=-Xint"), 2, "jvmFlags with attach");
        assertTold(refused("run", "--attach", pid, "--url", url, "--jdks", "17"), 2, "jdk");
        assertTold(refused("run", "--attach", pid), 2, "--attach without --url");
        assertTold(refused("run", "--attach", pid, "--url", url, "--", "java"), 2, "--attach beside a command");
        assertTold(refused("tune", "--attach", pid, "--url", url), 2, "attach: a search starts the service anew");
        assertTold(
                refused("sweep", "--attach", pid, "--url", url, "--connections", "1,2"),
                2,
                "a second run of process " + pid);
        Path twice = sandbox.file(
                "twice.yaml",
                "variants:\n  a: {attach: " + pid + "}\n  b: {attach: 'port:" + service.port() + "'}\nload: {url: '"
                        + url + "'}\n");
        assertTold(
                refused("run", twice.toString(), "--results", results),
                2,
                "attach: variants a and b are the same process");
        service.requireServes();
        assertThat(sandbox.results()).isEmptyDirectory();
    }
}
