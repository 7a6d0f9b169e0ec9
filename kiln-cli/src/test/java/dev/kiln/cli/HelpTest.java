package dev.kiln.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.console.Installation;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.dataformat.yaml.YAMLMapper;

class HelpTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "demo",
                "run",
                "tune",
                "plan",
                "import",
                "report",
                "explain",
                "analyze",
                "compare",
                "gate",
                "doctor",
                "startup",
                "warm",
                "history",
                "serve",
                "sweep",
                "soak",
                "jdks",
                "flame",
                "aot",
                "aot check",
                "aot train",
                "version"
            })
    void namesItsOptions(String command) {
        String help = Kiln.run((command + " --help").split(" ", 0)).out();
        assertThat(help).contains("-h, --help").contains("Usage: kiln " + command);
        assertThat(help.replace("${port}", "").replace("${id}", "")).doesNotContain("${", "%%", "....", "...]...");
        assertThat(help.lines()).as("on a terminal of 80 columns").allMatch(line -> line.length() <= 80);
    }

    /** {@code docs/reference} shows each command; only what is told by the program's own help is not there. */
    @Test
    void theReferenceHasThemAll() throws IOException {
        StringBuilder reference = new StringBuilder();
        try (Stream<Path> pages = Files.list(Path.of("../docs/reference"))) {
            for (Path page : pages.filter(Files::isRegularFile).toList()) {
                reference.append(Files.readString(page));
            }
        }
        assertThat(new CommandLine(new Main()).getSubcommands().keySet())
                .filteredOn(name -> !List.of("completion", "help", "version").contains(name))
                .allSatisfy(name -> assertThat(reference).containsPattern("kiln " + name + "\\b"));
    }

    @Test
    void helpIsACommandToo() {
        assertThat(Kiln.run("help")).isEqualTo(Kiln.run("--help"));
        assertThat(Kiln.run("help", "run")).isEqualTo(Kiln.run("run", "--help"));
        assertThat(Kiln.run("help", "aot", "check")).isEqualTo(Kiln.run("aot", "check", "--help"));
        Kiln unknown = Kiln.run("help", "swep");
        assertThat(unknown.exit()).isEqualTo(2);
        assertThat(unknown.err()).contains("unknown command 'swep'", "Did you mean: kiln sweep?");
    }

    /** A message may name a page where there is no folder of documentation, as in an image. */
    @Test
    void aTopicIsAPageOfTheDocumentation() throws IOException {
        for (String topic : HelpPage.TOPICS) {
            Path reference = Path.of("../docs/reference", topic + ".md");
            Path page = Files.exists(reference) ? reference : Path.of("../docs/how-to", topic + ".md");
            assertThat(Kiln.run("help", topic)).isEqualTo(new Kiln(0, Files.readString(page), ""));
        }
    }

    @Test
    void everyPageOfTheReferenceIsOfACommandOrATopic() throws IOException {
        Set<String> known = new HashSet<>(HelpPage.TOPICS);
        known.addAll(new CommandLine(new Main()).getSubcommands().keySet());
        try (Stream<Path> pages = Files.list(Path.of("../docs/reference"))) {
            assertThat(pages.map(page -> page.getFileName().toString().replace(".md", "")))
                    .isSubsetOf(known);
        }
        Pattern named = Pattern.compile("kiln help ([a-z-]+)");
        for (Path file : Modules.files("src/main/java")) {
            assertThat(named.matcher(Files.readString(file)).results().map(found -> found.group(1)))
                    .as(file.toString())
                    .isSubsetOf(known);
        }
    }

    /** The help of another command answers nothing. */
    @ParameterizedTest
    @CsvSource({
        "swep --help, kiln: unknown command 'swep'|Did you mean: kiln sweep?|See: kiln --help|",
        "aot chek --help, kiln: unknown command 'chek'|Did you mean: kiln aot check?|See: kiln aot --help|",
        "help run foo, 'kiln: kiln run has no commands, so there is no ''foo''|See: kiln run --help|'",
        "demo foo, kiln: kiln demo does not take 'foo'|See: kiln demo --help|",
        "version a b, 'kiln: kiln version does not take ''a'', ''b''|See: kiln version --help|'"
    })
    void aWordThatMeansNothingIsNamed(String typed, String told) {
        assertThat(Kiln.run(typed.split(" ", 0))).isEqualTo(new Kiln(2, "", told.replace('|', '\n')));
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo", "run", "doctor", "aot", "aot check", "completion", "version", "help"})
    void everyCommandTellsItsVersion(String command) {
        for (String option : List.of("-V", "--version")) {
            Kiln ran = Kiln.run((command + " " + option).split(" ", 0));
            assertThat(ran).isEqualTo(new Kiln(0, "kiln " + Installation.version() + "\n", ""));
        }
    }

    @Test
    void colourIsSpeltEitherWayBeforeOrBehindTheCommand() {
        for (String option : List.of("--no-colour", "--no-color")) {
            assertThat(Kiln.run("version", option)).isEqualTo(Kiln.run("version"));
            assertThat(Kiln.run(option, "version")).isEqualTo(Kiln.run("version"));
            assertThat(Kiln.run(option, "version", "--json").exit()).isZero();
            assertThat(Kiln.run(option, "rn").err()).contains("unknown command 'rn'");
        }
    }

    @ParameterizedTest
    @CsvSource({"rn, run", "runn, run", "analyse, analyze", "docter, doctor", "swep, sweep", "start, startup"})
    void aMistypedCommandIsFound(String typed, String meant) {
        Kiln ran = Kiln.run(typed, "x.yaml");
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err())
                .isEqualTo(
                        "kiln: unknown command '" + typed + "'\nDid you mean: kiln " + meant + "?\nSee: kiln --help\n");
    }

    @Test
    void aCommandLikeNoneIsToldWhichThereAre() {
        assertThat(Kiln.run("benchmark").err()).contains("unknown command 'benchmark'; there are demo, run,");
        assertThat(Kiln.run("experiments/demo.yaml").err())
                .contains("unknown command 'experiments/demo.yaml'", "Did you mean: kiln run experiments/demo.yaml?");
    }

    @Test
    void aMistypedOptionIsFound() {
        assertThat(Kiln.run("run", "--hlep").err()).contains("Did you mean: --help?");
        assertThat(Kiln.run("run", "x.yaml", "--rusn", "3").err()).contains("Did you mean: --runs?");
        assertThat(Kiln.run("doctor", "--quite-another-thing").err()).doesNotContain("Did you mean");
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "sweep", "soak", "tune"})
    void aCommandStandsBehindTwoHyphens(String command) {
        Kiln ran = Kiln.run(command, "java", "-jar", "app.jar");
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err())
                .contains("Put -- before the command that starts the service: kiln " + command + " --url ", " -- java");
    }

    @ParameterizedTest
    @ValueSource(strings = {"run", "plan"})
    void anExperimentOfKilnsIsFoundFromAnotherFolder(String command) {
        for (String name : List.of("demo", "demo.yaml", "nosuchfolder/experiments/demo.yaml")) {
            Kiln ran = Kiln.run(command, name);
            assertThat(ran.exit()).isEqualTo(2);
            assertThat(ran.err())
                    .startsWith("kiln: " + name + ": no such file\n")
                    .contains("experiments/demo.yaml");
            assertThat(ran.err()).contains("Kiln's own experiment of that name is /");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "run, kiln run EXPERIMENT.yaml",
        "sweep, kiln sweep EXPERIMENT.yaml",
        "tune, kiln tune EXPERIMENT.yaml",
        "soak, kiln soak --duration 3h EXPERIMENT.yaml"
    })
    void aCommandWithoutArgumentsSpeaksOfItself(String command, String form) {
        Kiln ran = Kiln.run(command);
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err()).startsWith("kiln: nothing to run\n  " + form + ", or ");
        assertThat(ran.err().replace("kiln " + command, "")).doesNotContain("kiln run");
        assertThat(Kiln.run(command, "shop.yaml", "--env", "A=1").err())
                .contains("kiln " + command + " --help", "--env");
    }

    /** Its own report asks for more runs, or another protocol. */
    @Test
    void theDemoTakesTheOptionsThatStandBesideAFile() {
        String demo = Kiln.run("demo", "--help").out();
        for (String option :
                List.of("--runs", "--protocol", "--seed", "--connections", "--jdks", "--flight-recorder")) {
            assertThat(demo).contains(option);
        }
        assertThat(demo).doesNotContain("--url");
        assertThat(Kiln.run("demo", "--runs", "none").err())
                .contains("--runs: found 'none'")
                .doesNotContain("Unknown option");
    }

    @Test
    void aNumberThatIsNoneIsSaidInPlainWords() {
        assertThat(Kiln.run("doctor", "99999999999999999999").err())
                .contains("'99999999999999999999' is not a whole number, or is too large")
                .doesNotContain("is not a long");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "demo",
                "run",
                "sweep",
                "soak",
                "import",
                "report",
                "explain",
                "analyze",
                "compare",
                "gate",
                "doctor",
                "startup",
                "warm",
                "history",
                "jdks",
                "aot check",
                "aot train",
                "version"
            })
    void jsonMeansTheSameEverywhere(String command) {
        assertThat(Kiln.run((command + " --help").split(" ", 0)).out().replaceAll("\\s+", " "))
                .contains(
                        "--json[=FILE] Also writes the result as JSON to FILE; with - or no FILE, to the standard output"
                                + " in place of the text.");
    }

    /** By its name the class of a command is found, without those of all others. */
    @Test
    void theClassOfACommandIsNamedAfterIt() {
        new CommandLine(new Main()).getSubcommands().forEach((name, command) -> {
            if (command.getCommandSpec().userObject() instanceof Method method) {
                assertThat(method.getName()).isEqualTo(name);
            } else {
                assertThat(command.getCommandSpec().userObject().getClass().getSimpleName())
                        .isEqualToIgnoringCase(name + "Command");
            }
        });
    }

    @Test
    void theVersionIsToldToPeopleAndToScripts() {
        String java = Runtime.version().toString();
        assertThat(Kiln.run("version").out()).isEqualTo("kiln " + Installation.version() + " on Java " + java + "\n");
        for (String json : List.of("version --json", "version --json -")) {
            JsonNode told =
                    JsonMapper.shared().readTree(Kiln.run(json.split(" ", -1)).out());
            assertThat(told.propertyNames()).containsExactly("version", "java");
            assertThat(told.get("version").asString()).isEqualTo(Installation.version());
            assertThat(told.get("java").asString()).isEqualTo(java);
        }
    }

    /** What was given before the second occurrence would be lost without a word. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "run x.yaml --protocol quick --seed 1 --seed 2",
                "run x.yaml --seed=1 --seed 1",
                "sweep x.yaml --seed 1 --seed=2",
                "soak x.yaml --seed 1 --seed=2"
            })
    void anOptionThatTakesOneValueIsGivenOnce(String command) {
        Kiln ran = Kiln.run(command.split(" ", -1));
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err()).contains("kiln: option '--seed' should be specified only once");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "compare a b --csv --markdown",
                "compare a b --csv --json -",
                "compare a b --json --csv",
                "startup --table t.csv --markdown --json -",
                "history results --csv --json -",
                "history results --csv --horreum -",
                "history results --horreum - --json -"
            })
    void twoDocumentsCannotShareTheStandardOutput(String command) {
        Kiln ran = Kiln.run(command.split(" ", -1));
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).contains(" cannot share the standard output\n  give one of them");
    }

    @Test
    void whatTheFileSaysIsNotGivenBesideIt() {
        Kiln ran = Kiln.run("run", "shop.yaml", "--rate", "5", "--runs", "2", "--env", "A=1", "--env", "B=2");
        assertThat(ran.exit()).isEqualTo(2);
        assertThat(ran.err())
                .startsWith(
                        "kiln: --rate, --env cannot be given with an experiment file\n" + "  write it into shop.yaml;");
    }

    @Test
    void aPlaceholderOfTheUsersStaysOne() {
        assertThat(Kiln.run("run", "--help").out()).contains("${port} stands for");
        assertThat(Kiln.run("startup", "--help").out()).contains("${port} stands for");
    }

    @Test
    void thePodOfTheExampleCallsTheDoctorAsItIs() throws Exception {
        JsonNode containers = new YAMLMapper()
                .readTree(Files.readString(Path.of("../deploy/kubernetes.yaml")))
                .path("spec")
                .path("containers");
        assertThat(containers.path(1).path("args").toString())
                .isEqualTo("[\"doctor\",\"--only\",\"--metrics\",\"0.0.0.0:9404\"]");
        assertThat(containers
                        .path(0)
                        .path("startupProbe")
                        .path("httpGet")
                        .path("port")
                        .asInt())
                .isEqualTo(9404);
        assertThat(containers
                        .path(1)
                        .path("ports")
                        .path(0)
                        .path("containerPort")
                        .asInt())
                .isEqualTo(9404);
    }

    @Test
    void everyOptionOfTheDoctorIsInItsReference() throws Exception {
        String reference = Files.readString(Path.of("../docs/reference/doctor.md"));
        String help = Kiln.run("doctor", "--help").out();
        Pattern.compile("^ +(?:-., )?(--[a-z-]+)", Pattern.MULTILINE)
                .matcher(help)
                .results()
                .map(found -> found.group(1))
                .filter(option -> !option.matches("--help|--version|--no-color"))
                .forEach(option -> assertThat(reference).contains("`" + option));
    }
}
