package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.engines.Engines;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.LoadTemplate.Feeding;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.load.FeedTable;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.Feed;
import dev.kiln.model.load.LoadSpec.Feed.Order;
import dev.kiln.model.load.Sending.Success;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Feeds, and what the calls of a load may have of them. */
class FeedFileTest extends LoadTexts {
    private static final String URL = "http://localhost:${port}/users/${id}";

    private String wrongFeed(String name, String content) throws IOException {
        Files.writeString(dir.resolve(name), content);
        return wrong("url: " + URL + "\nfeed: " + name);
    }

    private Feeding read(String name, String content) throws IOException {
        Files.writeString(dir.resolve(name), content);
        return experiment("url: " + URL + "\nfeed: " + name).load().feed().orElseThrow();
    }

    @Test
    void csvAndJsonLinesGiveTheSameTable() throws IOException {
        Feeding csv = read("users.csv", "id,name\n1,\"Ann, B\"\n#2,Zoë\n3,\n");
        Feeding json = read("users.jsonl", """
                {"id": 1, "name": "Ann, B"}
                {"name": "Zo\\u00eb", "id": "#2"}

                {"id": 3, "name": null}
                """);
        for (Feeding feeding : List.of(csv, json)) {
            FeedTable table = feeding.table();
            assertThat(table.columns()).containsExactly("id", "name");
            assertThat(table.rows()).isEqualTo(3);
            assertThat(table.text(0, 1)).isEqualTo("Ann, B");
            assertThat(table.text(1, 0)).isEqualTo("#2");
            assertThat(table.text(1, 1)).isEqualTo("Zoë");
            assertThat(table.text(2, 0)).isEqualTo("3");
            assertThat(table.text(2, 1)).isEmpty();
            Feed facts = feeding.variables().feed().orElseThrow();
            assertThat(facts.rows()).isEqualTo(3);
            assertThat(facts.order()).isEqualTo(Order.SEQUENTIAL);
            assertThat(facts.sha256()).matches("[0-9a-f]{64}");
        }
    }

    @Test
    void aMapSaysOrderAndSeedAndVariablesStayInTheLoad() throws IOException {
        Files.writeString(dir.resolve("u.csv"), "id\n7\n");
        LoadSpec load = experiment("""
                        feed: {file: u.csv, order: shuffled, seed: 42}
                        success: [2xx, 304]
                        calls:
                          - url: http://localhost:${port}/a/${id}?r=${random:1-5}
                            headers: {X: "${uuid} $${id}"}
                            body: '{"n": ${sequence}}'
                          - url: http://localhost:${port}/b
                        """).load().fill(new Placeholders(Map.of("port", "81")));
        var variables = load.variables().orElseThrow();
        assertThat(variables.seed()).isEqualTo(42);
        assertThat(variables.feed().orElseThrow().order()).isEqualTo(Order.SHUFFLED);
        assertThat(load.success()).contains(new Success(List.of("2xx", "304")));
        var call = load.calls().getFirst();
        assertThat(call.url()).hasToString("http://localhost:81/a/$%7Bid%7D?r=$%7Brandom%3A1-5%7D");
        assertThat(call.headers()).containsEntry("X", "${uuid} $${id}");
        assertThat(call.body()).contains("{\"n\": ${sequence}}");
    }

    @Test
    void aLoadWithoutVariablesIsFilledAsEver() throws IOException {
        LoadSpec load = experiment("calls: [{url: 'http://localhost:${port}/', body: '$${id}'}]")
                .load()
                .fill(new Placeholders(Map.of("port", "81")));
        assertThat(load.variables()).isEmpty();
        assertThat(load.calls().getFirst().body()).contains("${id}");
    }

    @Test
    void eachBadFeedIsToldBeforeTheRun() throws IOException {
        assertThat(wrong("url: " + URL + "\nfeed: none.csv"))
                .startsWith("4: feed: found 'none.csv', which is no file that can be read, expected a CSV file");
        assertThat(wrongFeed("a.csv", "")).startsWith("4: feed: a.csv:1: found no row; expected a CSV file");
        assertThat(wrongFeed("b.csv", "id,name\n")).startsWith("4: feed: b.csv:1: found no row");
        assertThat(wrongFeed("c.csv", "id,name\n1,a\n2\n"))
                .isEqualTo("4: feed: c.csv:3: found 1 value, expected 2; the columns are id, name");
        assertThat(wrongFeed("d.csv", "id\n1,a\n"))
                .isEqualTo("4: feed: d.csv:2: found 2 values, expected 1; the columns are id");
        assertThat(wrongFeed("e.csv", "id,id\n1,2\n")).startsWith("4: feed: e.csv:1: a column is there twice");
        assertThat(wrongFeed("f.csv", "id,\n1,2\n")).startsWith("4: feed: f.csv:1: column '' has no name");
        assertThat(wrongFeed("g.jsonl", "{\"id\": 1}\n{\"id\": 2, \"x\": 3}\n"))
                .isEqualTo("4: feed: g.jsonl:2: found keys [id, x], expected those of the first line: [id]");
        assertThat(wrongFeed("h.ndjson", "{\"id\": [1]}\n"))
                .startsWith("4: feed: h.ndjson:1: not an object of single values");
        assertThat(wrongFeed("i.jsonl", "{\"id\": 1\n")).startsWith("4: feed: i.jsonl:1: not JSON");
        try (RandomAccessFile large = new RandomAccessFile(dir.resolve("j.csv").toFile(), "rw")) {
            large.setLength((64L << 20) + 1_048_576);
        }
        assertThat(wrong("url: " + URL + "\nfeed: j.csv"))
                .isEqualTo("4: feed: found 'j.csv' with 65.0 MB, expected at most 64 MB");
    }

    @Test
    void variablesThatNothingFillsAreTold() throws IOException {
        Files.writeString(dir.resolve("u.csv"), "id,name\n7,\"a\nb\"\n");
        assertThat(wrong("feed: u.csv\nurl: http://localhost:1/${colour}"))
                .startsWith("4: url: unknown placeholder '${colour}'; expected one of ${id}, ${name}, ${port},")
                .contains("${random:1-100000}, ${uuid}, ${sequence}, ${text:1000}");
        assertThat(wrong("feed: u.csv\nurl: http://localhost:1/"))
                .isEqualTo("3: feed: found u.csv, which no call uses, expected a call with one of ${id}, ${name}");
        assertThat(wrong("feed: u.csv\nurl: http://${id}:1/"))
                .startsWith("4: url: found ${id} in the host and port of");
        assertThat(wrong("feed: u.csv\ncalls: [{url: 'http://localhost:1/${id}', headers: {A: '${name}'}}]"))
                .startsWith("4: headers A: found ${name}, which has a line break or control character on line 2");
        for (String bad : List.of("random:5-1", "random:a-b", "random:-1-5", "random:")) {
            assertThat(wrong("calls: [{url: 'http://localhost:1/${" + bad + "}'}]"))
                    .startsWith("3: url: found ${" + bad + "}, expected two whole numbers, the lesser one first");
        }
        for (String bad : List.of("text:0", "text:12345678", "text:a", "text:")) {
            assertThat(wrong("calls: [{url: 'http://localhost:1/', body: '${" + bad + "}'}]"))
                    .startsWith("3: body: found ${" + bad + "}, expected a number of letters from 1 to 9999999");
        }
        assertThat(wrong("feed: {file: u.csv, order: random}\nurl: " + URL))
                .startsWith("3: order: found 'random', expected sequential, shuffled or unique");
        assertThat(wrong("success: [2xx, 604]\nurl: http://localhost:1/"))
                .isEqualTo("3: success: found '604', expected statuses from 200 to 599 or classes of them,"
                        + " such as 2xx and 304");
    }

    @Test
    void aRateThatNeedsMoreRowsThanThereAreIsRefused() throws IOException {
        Files.writeString(dir.resolve("u.csv"), "id\n7\n8\n");
        Experiment one = experiment("rate: 1\nfeed: {file: u.csv, order: unique}\nurl: " + URL);
        assertThatThrownBy(() ->
                        Engines.of(one.load()).check(one.load(), FlagExperiment.protocol("load=2s,pause=1s,load=1s")))
                .isInstanceOf(KilnException.class)
                .hasMessageStartingWith("load: u.csv has 2 rows, the protocol sends at least 3 requests with one");
        Engines.of(one.load()).check(one.load(), FlagExperiment.protocol("load=2s"));
    }

    private Experiment flags(String url, String feed, String success) {
        return new FlagExperiment(dir, List.of("java", "Main", "${port}"))
                .with(ServiceFlag.URL, url)
                .with(ServiceFlag.FEED, feed)
                .with(ServiceFlag.SUCCESS, success)
                .toExperiment();
    }

    @Test
    void flagsSayTheSame() throws IOException {
        Files.writeString(dir.resolve("u.csv"), "id\n7\n");
        Experiment experiment = flags(URL, "u.csv", "2xx, 404");
        assertThat(experiment
                        .load()
                        .feed()
                        .orElseThrow()
                        .variables()
                        .feed()
                        .orElseThrow()
                        .name())
                .isEqualTo("u.csv");
        assertThat(experiment.load().success()).contains(new Success(List.of("2xx", "404")));
        assertThatThrownBy(() -> flags(URL, "v.csv", "2xx")).hasMessageStartingWith("--feed: found 'v.csv'");
        assertThatThrownBy(() -> flags(URL, "u.csv", "ok")).hasMessageStartingWith("--success: found 'ok'");
        assertThatThrownBy(() -> flags("http://h:1/${x}", "u.csv", "2xx"))
                .hasMessageStartingWith("--url: unknown placeholder '${x}'");
    }
}
