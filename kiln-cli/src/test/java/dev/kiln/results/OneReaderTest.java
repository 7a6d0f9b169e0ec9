package dev.kiln.results;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.cli.Kiln;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code kiln analyze} and {@code kiln import} read a series in the same way and say the same of it. */
class OneReaderTest {
    private static final List<String> SAME = List.of(
            "verdict",
            "verdictReasons",
            "valid",
            "binSeconds",
            "seconds",
            "referencePeak",
            "endOverPeak",
            "endOfWarmupInterval",
            "growthPerMinute",
            "noise",
            "disturbances",
            "deficitSeconds",
            "deficitSecondsInterval",
            "cooldownJump",
            "requests",
            "errors");

    @TempDir
    private Path folder;

    /** Forms in which the same series comes. */
    enum Form {
        PLAIN(text -> text),
        WINDOWS(text -> text.replace("\n", "\r\n")),
        TURNED_TWICE(text -> text.replace("\n", "\r\r\n")),
        SEMICOLONS(text -> text.replace(',', ';')),
        TABS(text -> text.replace(',', '\t')),
        QUOTED(text -> text.replaceAll("(?m)^([^,\n]+)", "\"$1\"")),
        WITHOUT_AN_END(String::stripTrailing),
        MARKED(text -> "\ufeff" + text),
        UPPER_CASE(text ->
                text.replaceFirst("^.*", text.lines().findFirst().orElseThrow().toUpperCase(Locale.ROOT)));

        @SuppressWarnings("ImmutableEnumChecker") // a function of its argument alone
        private final UnaryOperator<String> of;

        Form(UnaryOperator<String> of) {
            this.of = of;
        }
    }

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private static JsonNode analyzed(Path file) {
        Kiln ran = Kiln.run("analyze", file.toString(), "--json", "-");
        assertThat(ran.exit()).as(ran.err()).isZero();
        return JsonMapper.shared().readTree(ran.out()).at("/series/0");
    }

    private JsonNode imported(Path file) {
        Path json = folder.resolve("json-" + file.getFileName());
        Kiln ran = Kiln.run(
                "import", file.toString(), "--results", folder.resolve("out").toString(), "--json", json.toString());
        assertThat(json).as(ran.out() + ran.err()).exists();
        return JsonMapper.shared().readTree(json).at("/variants/0/runs/0");
    }

    private void same(Path file) {
        JsonNode one = analyzed(file);
        JsonNode other = imported(file);
        for (String key : SAME) {
            assertThat(other.get(key)).as(file + " " + key).isEqualTo(one.get(key));
        }
        assertThat(other.get("timeToPeak")).isEqualTo(one.get("timeToPeak"));
        assertThat(other.get("timeToOwnEnd")).isEqualTo(one.get("timeToOwnEnd"));
    }

    /** A step at second 20, then a pause and a load. */
    private static String phases() {
        StringBuilder csv = new StringBuilder("phase,requests,errors\n");
        for (int i = 0; i < 90; i++) {
            csv.append("warmup,").append((i < 20 ? 100 : 500) + i * 7 % 11).append(",1\n");
        }
        csv.append("pause,0,0\n".repeat(5));
        for (int i = 0; i < 30; i++) {
            csv.append("measure,").append(500 + i * 7 % 11).append(",0\n");
        }
        return csv.toString();
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void everyFormOfASeriesGivesTheSameAnswer(Form form) throws IOException {
        Path plain = file("plain.csv", phases());
        Path file = file("a.csv", form.of.apply(phases()));

        same(file);
        assertThat(analyzed(file).get("timeToPeak")).isEqualTo(analyzed(plain).get("timeToPeak"));
        assertThat(analyzed(file).get("requests")).isEqualTo(analyzed(plain).get("requests"));
    }

    /** Every sample of this repository that the first of the two takes. */
    @Test
    void samplesThatBothTakeGiveTheSameAnswer() throws IOException {
        List<Path> samples = new ArrayList<>(List.of(Path.of("../docs/examples/series.csv")));
        try (Stream<Path> files = Files.list(Path.of("../load/src/test/resources/dev/kiln/importer"))) {
            files.filter(Files::isRegularFile).forEach(samples::add);
        }
        int both = 0;
        for (Path sample : samples) {
            if (Kiln.run("analyze", sample.toString()).exit() == 0) {
                same(sample);
                both++;
            }
        }
        assertThat(both).isPositive();
        same(file("numbers.csv", "100\n".repeat(20) + "500\n".repeat(60)));
        same(file("times.csv", timed(i -> true, "time,requests\n", "%d,%d\n")));
    }

    /** A backlog that drains above the rate of the table. */
    @Test
    void theRateThatATableTellsIsThatOfTheRun() throws IOException {
        StringBuilder csv = new StringBuilder("phase,requests,rate\n");
        for (int i = 0; i < 80; i++) {
            csv.append(i < 60 ? "warmup," : "measure,")
                    .append((i < 20 ? 100 : i < 53 ? 260 : 200) + i * 7 % 5 - 2)
                    .append(",200\n");
        }
        Path file = file("rate.csv", csv.toString());

        same(file);
        JsonNode run = imported(file);
        assertThat(run.get("verdict").asString()).isEqualTo("served");
        assertThat(run.at("/openLoop/rate").asDouble()).isEqualTo(200);
        assertThat(run.at("/openLoop/allServed").asBoolean()).isTrue();
        assertThat(run.at("/openLoop/drainedSeconds").isNull())
                .as("what waited is not in the table")
                .isTrue();
        Path named = file("named.csv", csv.toString().replaceFirst("rate", "asked"));
        Kiln ran = Kiln.run(
                "import",
                named.toString(),
                "--map",
                "phase=phase,requests=requests,rate=asked,bin=1s",
                "--results",
                folder.resolve("mapped").toString());
        assertThat(ran.out()).as(ran.err()).contains("served all 200 requests per second");
    }

    private interface Kept {
        boolean is(int second);
    }

    private static String timed(Kept kept, String header, String form) {
        StringBuilder csv = new StringBuilder(header);
        for (int i = 0; i < 110; i++) {
            if (kept.is(i)) {
                csv.append(form.formatted(1_780_390_800L + i, i < 5 ? 500 : i < 35 ? 0 : 1000 + i % 3));
            }
        }
        return csv.toString();
    }

    private static String withEnds(Kept kept) {
        StringBuilder csv = new StringBuilder("phase,start_ms,end_ms,requests\n");
        for (int i = 0; i < 110; i++) {
            if (kept.is(i)) {
                long at = 1_780_390_800_000L + i * 1000L;
                csv.append(i < 80 ? "warmup," : "measure,")
                        .append(at)
                        .append(',')
                        .append(at + 1000)
                        .append(',');
                csv.append(i < 5 ? 500 : i < 35 ? 0 : 1000 + i % 3).append('\n');
            }
        }
        return csv.toString();
    }

    @Test
    void secondsWithoutARowAreSecondsWithoutRequests() throws IOException {
        Path holes = file("holes.csv", withEnds(i -> i < 5 || i >= 35));
        Path whole = file("whole.csv", withEnds(i -> true));

        same(holes);
        assertThat(analyzed(holes).at("/timeToPeak/90/seconds").asDouble()).isEqualTo(35);
        assertThat(analyzed(holes).get("timeToPeak")).isEqualTo(analyzed(whole).get("timeToPeak"));
        assertThat(analyzed(holes).get("footnotes").toString()).contains("has no row for 30 s from its second 5 on");
    }

    @Test
    void aTimeAloneTellsOfSecondsWithoutARow() throws IOException {
        Path holes = file("holes.csv", timed(i -> i < 5 || i >= 35, "second,requests\n", "%d,%d\n"));

        same(holes);
        assertThat(analyzed(holes).get("seconds").asDouble()).isEqualTo(110);
    }

    @Test
    void longerRowsThatAreMissingAreNoRequestsEither() throws IOException {
        StringBuilder csv = new StringBuilder("time,requests\n");
        for (int i = 0; i < 40; i++) {
            if (i != 20 && i != 21) {
                csv.append(1_780_390_800L + 5L * i).append(",500\n");
            }
        }
        Path fives = file("fives.csv", csv.toString());

        same(fives);
        assertThat(analyzed(fives).get("seconds").asDouble()).isEqualTo(200);
        assertThat(analyzed(fives).get("binSeconds").asDouble()).isEqualTo(5);
    }

    @Test
    void rowsOutOfOrderArePutInOrder() throws IOException {
        String ordered = withEnds(i -> true);
        List<String> lines = new ArrayList<>(ordered.lines().skip(1).toList());
        Collections.shuffle(lines, new Random(7));
        Path shuffled =
                file("a.csv", ordered.lines().findFirst().orElseThrow() + "\n" + String.join("\n", lines) + "\n");

        same(shuffled);
        assertThat(analyzed(shuffled).get("timeToPeak"))
                .isEqualTo(analyzed(file("b.csv", ordered)).get("timeToPeak"));
    }

    @Test
    void theSameSecondTwiceIsAnErrorWithItsLine() throws IOException {
        Path file = file("twice.csv", "time,requests\n1780390800,5\n1780390801,6\n1780390801,7\n1780390802,7\n");

        for (String command : List.of("analyze", "import")) {
            Kiln ran = Kiln.run(command, file.toString());
            assertThat(ran.exit()).isEqualTo(2);
            assertThat(ran.err()).contains("twice.csv:4: found the time of line 3 again");
        }
    }

    @Test
    void rowsALittleLongerThanASecondDoNotDrift() throws IOException {
        StringBuilder csv = new StringBuilder("start_ms,end_ms,requests\n");
        for (int i = 0; i < 3000; i++) {
            long at = 1_780_390_800_000L + i * 1002L;
            csv.append(at).append(',').append(at + 1000).append(",1000\n");
        }
        Path drifting = file("drift.csv", csv.toString());

        same(drifting);
        assertThat(analyzed(drifting).get("seconds").asDouble()).isEqualTo(3000);
        assertThat(analyzed(drifting).get("disturbances")).isEmpty();
    }
}
