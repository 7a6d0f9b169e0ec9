package dev.kiln.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.Controls;
import dev.kiln.model.run.Course;
import dev.kiln.report.Markdown;
import dev.kiln.text.TerminalWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Texts that somebody else wrote, on the way to a terminal. */
class HostileTextTest {
    /** Sets the title of a window, colours, goes back, turns the direction of writing; the eighth bit does the same. */
    private static final String EVIL = "x\u001b]0;PWNED\u0007\u001b[31mRED\r\u009b2J\u202e\u0001\u0002y";

    private static final String LINES = "\n::error::x\nkiln: well done";

    /** What has one of a few values, or a form: with anything else in it a document cannot be read. */
    private static final Set<String> OF_A_KIND = Set.of(
            "kind",
            "url",
            "method",
            "outcome",
            "timeout",
            "duration",
            "referenceEnd",
            "limit",
            "startupPhases",
            "bins");

    @TempDir
    private Path folder;

    private static void assertPlain(Kiln kiln) {
        assertThat(kiln.exit()).isNotEqualTo(Main.BUG);
        String all = kiln.out() + kiln.err();
        assertThat(all).isNotBlank();
        assertThat(all.chars().filter(c -> c != '\n' && c != '\t' && Controls.isControl((char) c)))
                .as(all)
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "report", "explain", "analyze", "compare", "plan", "run", "import", "history", "gate", "flame", "serve"
            })
    void theNameOfAFileThatIsNotThere(String command) {
        assertPlain(Kiln.run(command, folder.resolve(EVIL).toString()));
    }

    @Test
    void anOptionThatThereIsNot() {
        assertPlain(Kiln.run("report", "--" + EVIL));
        assertPlain(Kiln.run(EVIL));
    }

    @Test
    void theNamesInEvidence() throws Exception {
        Path evidence = folder.resolve("evidence" + EVIL);
        new RecordedRuns(evidence).variant(List.of("v" + EVIL), "v" + EVIL, 2, 20, 1000);
        try (Stream<Path> all = Files.walk(evidence)) {
            for (Path info : all.filter(file -> file.endsWith("run.json")).toList()) {
                String text = Files.readString(info);
                Files.writeString(info, text.replaceAll("(\"(?:experiment|cpuModel)\" : \")", "$1" + json(EVIL)));
            }
        }
        assertPlain(Kiln.run("report", evidence.toString()));
        assertPlain(Kiln.run("explain", evidence.toString()));
        assertPlain(Kiln.run("compare", evidence.toString(), evidence.toString()));
        assertPlain(Kiln.run("compare", evidence.toString(), evidence.toString(), "--markdown"));
        assertPlain(Kiln.run("report", evidence.toString(), "--json"));
        assertPlain(Kiln.run("history", folder.toString()));
    }

    /** A line that Kiln seems to have said, and one that the service of a CI takes for a command. */
    private static void assertOwnLines(Kiln kiln) {
        assertThat(kiln.exit()).isNotEqualTo(Main.BUG);
        assertThat((kiln.out() + kiln.err()).lines())
                .as(kiln.out() + kiln.err())
                .isNotEmpty()
                .noneMatch(line ->
                        line.startsWith("kiln: well done") || line.strip().startsWith("::"));
    }

    private static void injected(JsonNode node) {
        if (node instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> field : List.copyOf(object.properties())) {
                if (!OF_A_KIND.contains(field.getKey()) && field.getValue().isString()) {
                    object.put(field.getKey(), field.getValue().asString() + LINES);
                } else if (!OF_A_KIND.contains(field.getKey())) {
                    injected(field.getValue());
                }
            }
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                if (array.get(i).isString()) {
                    array.set(i, array.get(i).asString() + LINES);
                } else {
                    injected(array.get(i));
                }
            }
        }
    }

    @Test
    void lineBreaksInEvidence() throws Exception {
        Path evidence = folder.resolve("evidence");
        new RecordedRuns(evidence, 60, 100, "EPYC", Course.Outcome.TARGET_FAILED)
                .variant(List.of("v"), "v", 2, 20, 1000);
        JsonMapper json = JsonMapper.shared();
        try (Stream<Path> all = Files.walk(evidence)) {
            for (Path info : all.filter(file -> file.endsWith("run.json")).toList()) {
                ObjectNode run = (ObjectNode) json.readTree(Files.readString(info));
                run.put("outcomeDetail", "ended").putArray("notes").add("a note");
                injected(run);
                Files.writeString(info, json.writeValueAsString(run));
            }
        }
        Files.writeString(evidence.resolve("labels.properties"), "commit=abc\\n::error::x\\nkiln: well done");
        assertOwnLines(Kiln.run("report", evidence.toString()));
        Path summary = evidence.resolve("summary.json");
        JsonNode listed = json.readTree(Files.readString(summary));
        injected(listed);
        Files.writeString(summary, json.writeValueAsString(listed));
        for (String command : List.of("explain", "history", "report")) {
            assertOwnLines(Kiln.run(command, evidence.toString()));
        }
        assertOwnLines(Kiln.run("compare", evidence.toString(), evidence.toString()));
        assertOwnLines(Kiln.run("compare", evidence.toString(), evidence.toString(), "--markdown"));
        assertOwnLines(
                Kiln.run("gate", evidence.toString(), "--baseline", evidence.toString(), "--tolerance", "peak=-5"));
    }

    @Test
    void lineBreaksInATable() throws Exception {
        String one = "\"a" + LINES + "\"";
        String rows = "1,1\n2,2\n3,3\n4,4\n".replaceAll("(?m)^\\d", Matcher.quoteReplacement(one));
        Path csv =
                Files.writeString(folder.resolve("a.csv"), "variant," + one + "\n" + rows + rows.replace("\"a", "\"b"));
        assertOwnLines(Kiln.run("compare", csv.toString()));
        assertOwnLines(Kiln.run("compare", csv.toString(), csv.toString()));
    }

    @Test
    void noLineIsACommandOfACi() throws IOException {
        StringWriter shown = new StringWriter();
        try (PrintWriter terminal = new PrintWriter(new TerminalWriter(shown))) {
            terminal.print("::error::x\n  ::add-mask::a\n##vso[task.x]\n##[group]\n## Heading\nstd::string a ::b\n");
        }
        assertThat(shown).hasToString("""
                        :\\u003aerror::x
                          :\\u003aadd-mask::a
                        ##\\u0076so[task.x]
                        ##\\u005bgroup]
                        ## Heading
                        std::string a ::b
                        """);
    }

    @Test
    void theNameOfAColumnAndItsCells() throws Exception {
        Path csv = Files.writeString(folder.resolve("a.csv"), "time," + EVIL + "\n1," + EVIL + "\n2,3\n");
        assertPlain(Kiln.run("compare", csv.toString(), csv.toString()));
        assertPlain(Kiln.run("analyze", csv.toString()));
    }

    @Test
    void theKeysAndValuesOfAnExperiment() throws Exception {
        Path file = Files.writeString(
                folder.resolve("x.yaml"),
                "\"" + json(EVIL) + "\": 1\nname: \"" + json(EVIL) + "\"\ntarget: {command: \"" + json(EVIL) + "\"}\n");
        assertPlain(Kiln.run("plan", file.toString()));
    }

    private static String json(String text) {
        StringBuilder out = new StringBuilder();
        text.chars()
                .forEach(c -> out.append(c < 0x20 || c > 0x7e ? String.format("\\u%04x", c) : Character.toString(c)));
        return out.toString();
    }

    /** Each by its number: C0, C1, and all that Unicode has for turning the direction. */
    @Test
    void eachKindOfControlCharacterIsReplaced() {
        int[] kinds = {0, 0x1b, 0x7f, 0x85, 0x9b, 0x61c, 0x200e, 0x200f, 0x2028, 0x202a, 0x202e, 0x2066, 0x2069, 0xfeff
        };
        for (int kind : kinds) {
            assertThat(Controls.line("a" + (char) kind + "b")).isEqualTo("a\\u%04xb".formatted(kind));
        }
    }

    @Test
    void kilnsOwnEscapesPass() throws IOException {
        StringWriter shown = new StringWriter();
        PrintWriter terminal = new PrintWriter(new TerminalWriter(shown));
        String bold = TerminalWriter.escape("[1m");
        terminal.print("a" + bold.substring(0, 4));
        terminal.print(bold.substring(4) + "b\u001b[1mc\u0001d");
        terminal.flush();
        assertThat(shown).hasToString("a\u001b[1mb\\u001b[1mc\\u0001d");
    }

    @Test
    void nobodyIsMentionedInMarkdown() {
        assertThat(Markdown.escape("&#64;root &commat;root")).isEqualTo("\\&\\#64;root \\&commat;root");
        assertThat(Markdown.escape("@root and a@b.c\u001b"))
                .doesNotContain("@root", "@b")
                .doesNotContain("\u001b");
    }
}
