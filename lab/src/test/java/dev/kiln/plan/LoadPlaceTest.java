package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.experiment.Where.AttachPoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the load comes from, in a file and on the command line. */
class LoadPlaceTest {
    @TempDir
    private Path dir;

    private Experiment read(String from) throws IOException {
        return ExperimentFile.read(Files.writeString(
                dir.resolve("test.yaml"),
                "target: {command: java Main}\nload: {url: 'http://app:8080/', from: " + from + "}\n"));
    }

    private Where from(String from) throws IOException {
        return read(from).load().from().orElseThrow();
    }

    @Test
    void aCommandAMachineAndAPodArePlaces() throws IOException {
        Where.HostPlace box = Where.HostPlace.through(List.of("podman", "exec", "-i", "loadbox"));
        assertThat(from("[podman, exec, -i, loadbox]")).isEqualTo(box);
        assertThat(from("podman exec -i loadbox")).isEqualTo(box);
        assertThat(from("./into.sh")).isEqualTo(Where.HostPlace.through(List.of("./into.sh")));
        assertThat(from("me@box")).isEqualTo(new Where.HostPlace("me@box", List.of()));
        assertThat(from("'kube:shop/loadpod'"))
                .isEqualTo(new Where.Running(new AttachPoint.KubePod("shop", false, "loadpod", Optional.empty(), 1)));
        assertThat(read("podman exec -i loadbox").load().withConnections(3).from())
                .contains(box);
    }

    @Test
    void aFlagIsTheSame() {
        Experiment experiment = new FlagExperiment(dir, List.of("java", "Main"))
                .with(ServiceFlag.URL, "http://app:8080/")
                .with(ServiceFlag.LOAD_FROM, "podman exec -i loadbox")
                .toExperiment();
        assertThat(experiment.load().from())
                .contains(Where.HostPlace.through(List.of("podman", "exec", "-i", "loadbox")));
        assertThat(PlanText.render(experiment, Schedule.of(experiment)))
                .contains("100 connections, closed loop, timeout 30 s, from the far end of podman exec -i loadbox");
    }

    @Test
    void aMachineElsewhereMayCallItselfLocalhost() throws IOException {
        String file =
                "target: {host: box, command: 'x ${port}'}\nload: {from: box, url: 'http://localhost:${port}/'}\n";
        assertThat(ExperimentFile.read(Files.writeString(dir.resolve("test.yaml"), file))
                        .load()
                        .from())
                .contains(new Where.HostPlace("box", List.of()));
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '"', textBlock = """
                []                       | from: found nothing, expected a machine as ssh takes it
                none                     | from: found 'none', expected a machine as ssh takes it
                ssh box                  | from: found ssh in from, expected the machine alone
                podman exec -i box-${port} | from: found a placeholder, expected none
                kube:shop                | from: found 'kube:shop', expected a machine as ssh takes it
                """, delimiter = '|')
    void whatLeadsNowhereIsRefused(String from, String words) {
        assertThatThrownBy(() -> read(from.startsWith("[") ? from : "'" + from + "'"))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining(words);
    }
}
