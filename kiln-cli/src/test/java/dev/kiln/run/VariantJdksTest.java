package dev.kiln.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kiln.cli.Kiln;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings;
import dev.kiln.model.experiment.Target.JdkChoice;
import dev.kiln.model.experiment.Variant;
import dev.kiln.plan.ExperimentFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VariantJdksTest {
    private static final String HEAD = "target: {command: java Main}\nload: {url: http://localhost:8080/}\nvariants:\n";

    @TempDir
    Path dir;

    private final List<String> notes = new ArrayList<>();

    private Experiment resolved(String variants) throws IOException {
        Path file = Files.writeString(dir.resolve("e.yaml"), HEAD + variants);
        VariantJdks jdks = new VariantJdks(new JdkFinder());
        return jdks.resolve(
                new OptionalVariants(jdks, new Workloads(dir)).present(ExperimentFile.read(file), notes::add));
    }

    @Test
    void aVersionBecomesTheHomeThatIsFound() throws IOException {
        int running = Runtime.version().feature();
        Path home = new JdkFinder()
                .find(new JdkChoice.Version(String.valueOf(running), false))
                .orElseThrow()
                .home();
        Experiment experiment = resolved("  plain:\n  found: {jdk: " + running + "}\n");
        assertThat(experiment.variants()).extracting(Variant::name).containsExactly("plain", "found");
        assertThat(experiment.variants().getFirst().target().jdk()).isEmpty();
        assertThat(experiment.variants().getLast().target().jdk()).isEqualTo(Optional.of(new JdkChoice.Home(home)));
        assertThat(notes).isEmpty();
    }

    @Test
    void gatlingHasItsOwn() throws IOException {
        int running = Runtime.version().feature();
        Path home = new JdkFinder()
                .find(new JdkChoice.Version(String.valueOf(running), false))
                .orElseThrow()
                .home();
        String text = """
                target: {command: java Main}
                load:
                  url: http://localhost:8080/
                  engine: gatling
                  gatling: {simulation: A, classpath: ., jdk: VERSION}
                """;
        Path file = Files.writeString(dir.resolve("e.yaml"), text.replace("VERSION", "" + running));
        VariantJdks jdks = new VariantJdks(new JdkFinder());
        assertThat(jdks.resolve(ExperimentFile.read(file)).load().settings())
                .contains(new EngineSettings.GatlingTemplate(
                        "A", List.of(dir), Optional.of(new JdkChoice.Home(home)), List.of()));
        assertThat(jdks.told(ExperimentFile.read(file)))
                .last()
                .isEqualTo("JDK of gatling: " + JdkFinder.at(home).text());
        Path missing = Files.writeString(dir.resolve("m.yaml"), text.replace("VERSION", "9999"));
        KilnException e = catchThrowableOfType(KilnException.class, () -> jdks.resolve(ExperimentFile.read(missing)));
        assertThat(e.getMessage()).startsWith("gatling: no JDK 9999 was found; found: ");
    }

    @Test
    void anOptionalOneThatIsMissingLeavesItsVariantOut() throws IOException {
        Experiment experiment = resolved("  plain:\n  future: {jdk: {version: 9999, optional: true}}\n");
        assertThat(experiment.variants()).extracting(Variant::name).containsExactly("plain");
        assertThat(notes)
                .containsExactly(
                        "variant future is left out: no JDK 9999 was found; kiln jdks lists those on this machine");
        assertThat(resolved("  plain:\n  future: {jdk: 9999, optional: true}\n").variants())
                .hasSize(1);
    }

    @Test
    void aPlanSaysWhatWouldBeFound() throws IOException {
        int running = Runtime.version().feature();
        Path home = new JdkFinder()
                .find(new JdkChoice.Version(String.valueOf(running), false))
                .orElseThrow()
                .home();
        Path file = Files.writeString(
                dir.resolve("e.yaml"),
                HEAD + "  a: {jdk: " + running + "}\n  b: {jdk: " + running + "}\n  c: {jdk: 9999}\n");
        String jdk = JdkFinder.at(home).text();
        assertThat(jdk)
                .isEqualTo(
                        JdkFinder.at(home).vendor() + " " + JdkFinder.at(home).version() + " (" + home + ")");
        assertThat(new VariantJdks(new JdkFinder()).told(ExperimentFile.read(file)))
                .containsExactly("JDK of a, b: " + jdk, "JDK of c: none found for '9999'");
        assertThat(Kiln.run("plan", file.toString()).out()).contains("\nJDK of c: none found for '9999'\n");
    }

    /** One line for all that have the same; with a PATH of its own, a variant may have another. */
    @Test
    void aPlanSaysWhatTheCommandFinds() throws IOException {
        Path bin = Files.createDirectories(dir.resolve("bin"));
        Path java = JdkFinder.current().java();
        Files.createSymbolicLink(bin.resolve("java"), java);
        String text =
                "target: {command: java Main, environment: {PATH: " + bin + "}}\nload: {url: http://localhost:8080/}\n";
        Path file = Files.writeString(dir.resolve("one.yaml"), text);
        assertThat(Kiln.run("plan", file.toString()).out())
                .contains("\nJDK: " + JdkFinder.current().text() + "\n");

        Files.writeString(
                file,
                text + "variants:\n  a:\n  b:\n  none: {environment: {PATH: " + dir + "}}\n  script: {command: sh x}\n"
                        + "  image: {container: {image: temurin}}\n");
        assertThat(new VariantJdks(new JdkFinder()).told(ExperimentFile.read(file)))
                .containsExactly(
                        "JDK of a, b: " + JdkFinder.current().text(),
                        "JDK of none: none, there is no 'java' in the PATH",
                        "JDK of script: what the command finds by itself",
                        "JDK of image: that of temurin");
    }

    /** Kiln's own services need another JDK than a machine's users may have. */
    @Test
    void aWorkloadHasItsOwnUnlessTheVariantNamesOne() throws IOException {
        Path folder = Files.createDirectories(dir.resolve("service"));
        Files.writeString(folder.resolve("workload.yaml"), "command: java Main\njdk: 25+\n");
        Path file = Files.writeString(dir.resolve("e.yaml"), """
                target: {workload: service}
                load: {url: http://localhost:8080/}
                variants:
                  a:
                  b: {jdk: 17}
                  c: {container: {image: temurin}}
                """);
        assertThat(new Workloads(dir).onTheirJdks(ExperimentFile.read(file)).variants())
                .extracting(variant -> variant.target().jdk())
                .containsExactly(
                        Optional.of(new JdkChoice.Version("25+", false)),
                        Optional.of(new JdkChoice.Version("17", false)),
                        Optional.empty());
    }

    @Test
    void oneThatMustBeThereEndsTheExperiment() {
        KilnException e = catchThrowableOfType(KilnException.class, () -> resolved("  future: {jdk: 9999}\n"));
        assertThat(e.exit()).isEqualTo(Exit.MACHINE);
        assertThat(e.getMessage()).startsWith("variant future: no JDK 9999 was found; found: ");
        assertThat(e.remedy()).contains("jdk: {version: 9999, optional: true}");

        KilnException none = catchThrowableOfType(
                KilnException.class, () -> resolved("  future: {jdk: {version: 9999, optional: true}}\n"));
        assertThat(none.getMessage()).isEqualTo("no variant is left: this machine lacks what each of them needs");
    }
}
