package dev.kiln.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kiln.cli.Kiln;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Variant;
import dev.kiln.plan.ExperimentFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a machine lacks leaves out the variants that say so, and ends the experiment of the others. */
final class OptionalVariantsTest {
    private static final String NEEDS = " needs 'kiln-no-such-tool', and there is no such program in the PATH";

    @TempDir
    private Path dir;

    private final List<String> notes = new ArrayList<>();

    private Path file(String variants, String connections) throws IOException {
        workload("there", "[sh]");
        workload("missing", "[sh, kiln-no-such-tool]");
        return Files.writeString(
                dir.resolve("e.yaml"),
                "variants:\n" + variants + "load: {url: 'http://localhost:${port}/', connections: " + connections
                        + "}\n");
    }

    private void workload(String name, String needs) throws IOException {
        Path folder = Files.createDirectories(dir.resolve(name));
        Files.writeString(folder.resolve("workload.yaml"), "command: target/app\nneeds: " + needs + "\n");
    }

    private Experiment present(Path file) {
        return new OptionalVariants(new VariantJdks(new JdkFinder()), new Workloads(dir))
                .present(ExperimentFile.read(file), notes::add);
    }

    @Test
    void aWorkloadWhoseToolIsMissingIsLeftOut() throws IOException {
        Experiment experiment = present(file("""
                  plain: {workload: there}
                  native: {workload: missing, optional: true}
                  small: {extends: native, arguments: -Xmx64m}
                  kept: {workload: there, optional: true}
                """, "10"));

        assertThat(experiment.variants()).extracting(Variant::name).containsExactly("plain", "kept");
        assertThat(notes).containsExactly("variants native, small are left out: workload missing" + NEEDS);
    }

    @Test
    void allLevelsOfASweepAreLeftOutInOneLine() throws IOException {
        Experiment experiment =
                present(file("  a: {workload: there}\n  b: {workload: missing, optional: true}\n", "[1, 2]"));

        assertThat(experiment.variants()).extracting(Variant::name).containsExactly("a-c1", "a-c2");
        assertThat(notes).containsExactly("variants b-c1, b-c2 are left out: workload missing" + NEEDS);
    }

    /** Whether this machine has an engine or not: no one has such an image. */
    @Test
    void aContainerWhoseImageIsMissingIsLeftOut() throws IOException {
        Experiment experiment = present(file("""
                  plain: {workload: there}
                  inside: {workload: there, container: {image: kiln/no-such-image}, optional: true}
                """, "10"));

        assertThat(experiment.variants()).extracting(Variant::name).containsExactly("plain");
        assertThat(notes).singleElement().asString().startsWith("variant inside is left out: ");
    }

    @Test
    void whatIsNotOptionalEndsTheExperiment() throws IOException {
        Experiment experiment = present(file("  a: {workload: missing}\n", "10"));
        KilnException refused = catchThrowableOfType(KilnException.class, () -> new Workloads(dir).resolve(experiment));
        assertThat(refused.exit()).isEqualTo(Exit.MACHINE);
        assertThat(refused.getMessage()).isEqualTo("variant a: workload missing" + NEEDS);
        assertThat(refused.remedy()).contains("optional: true");
    }

    @Test
    void anInheritedOptionCanBeTakenBack() throws IOException {
        Experiment experiment =
                present(file("  a: {workload: there, optional: true}\n  b: {extends: a, optional: false}\n", "10"));
        assertThat(experiment.variants()).extracting(Variant::optional).containsExactly(true, false);
    }

    @Test
    void aPlanSaysWhatWouldBeLeftOut() throws IOException {
        Path file = file("""
                  a: {command: 'java Main ${port}', jdk: {version: 9999, optional: true}}
                  b: {command: 'java Main ${port}', optional: true}
                """, "10");

        assertThat(Kiln.run("plan", file.toString()).out())
                .contains("\nvariant b (left out where this machine lacks what it needs)\n")
                .startsWith("e: 2 variants x 3 runs, likely ")
                .contains("\nvariant a is left out: no JDK 9999 was found; ")
                .contains("\non this machine: 1 variant x 3 runs, likely ");
    }

    @Test
    void aPlanSaysFromHowManyRunsOnADifferenceCanBeShown() throws IOException {
        Path two = file("  a: {command: 'sleep ${port}'}\n  b: {command: 'sleep ${port}'}\n", "10");
        Files.writeString(two, "runs: until-decided\n" + Files.readString(two));
        assertThat(Kiln.run("plan", two.toString()).out()).contains("7 to 10 runs");

        Path one = file("  a: {command: 'sleep ${port}'}\n", "10");
        Files.writeString(one, "runs: until-decided\n" + Files.readString(one));
        assertThat(Kiln.run("plan", one.toString()).out()).contains("5 to 10 runs");
    }
}
