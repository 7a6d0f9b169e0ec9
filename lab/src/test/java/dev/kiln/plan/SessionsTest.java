package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.engines.Engines;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Sessions in an experiment file. */
class SessionsTest extends LoadTexts {
    private static final String A = "{url: 'http://h:1/a', take: {token: 'json:/t'}}";

    /** Two calls: one that takes a token, and one of the test. */
    private String wrongSecond(String call) {
        return wrong("session: true\ncalls:\n  - " + A + "\n  - " + call);
    }

    @Test
    void aSessionIsReadWhole() throws IOException {
        LoadSpec load = experiment("""
                        url: http://localhost:${port}/shop/
                        session: {think: 500ms, cookies: false}
                        calls:
                          - {path: /login, method: POST, take: {token: 'json:/a~1b/0', page: 'regex:p=([0-9]+)'}}
                          - {path: '/basket/${page}?x=1', headers: {Authorization: 'Bearer ${token}'}, think: 2s}
                          - {path: /, think: 0s, take: {token: 'header:X-Token'}}
                        """).load().fill(new Placeholders(Map.of("port", "81")));
        assertThat(load.inSession()).isTrue();
        assertThat(load.variables()).isPresent();
        assertThat(load.calls())
                .extracting(call -> call.url().toString())
                .containsExactly(
                        "http://localhost:81/shop/login",
                        "http://localhost:81/shop/basket/$%7Bpage%7D?x=1",
                        "http://localhost:81/shop/");
        assertThat(load.calls())
                .extracting(call -> call.step().orElseThrow())
                .containsExactly(
                        new Step(
                                false,
                                Duration.ofMillis(500),
                                Map.of("token", "json:/a~1b/0", "page", "regex:p=([0-9]+)")),
                        new Step(false, Duration.ofSeconds(2), Map.of()),
                        new Step(false, Duration.ZERO, Map.of("token", "header:X-Token")));
    }

    @Test
    void aSessionCanBeOfOneCall() throws IOException {
        for (String session : List.of("true", "{}")) {
            assertThat(experiment("url: http://h:1/\nsession: " + session)
                            .load()
                            .calls())
                    .extracting(call -> call.step().orElseThrow())
                    .containsExactly(new Step(true, Duration.ZERO, Map.of()));
        }
        assertThat(experiment("url: http://h:1/\nsession: false").load().inSession())
                .isFalse();
    }

    @Test
    void eachBadSessionIsTold() {
        assertThat(wrong("url: http://h:1/\nsession: often"))
                .isEqualTo("4: found 'often', expected true, or a map with think and cookies");
        assertThat(wrong("url: http://h:1/\nsession: {thnk: 1s}"))
                .isEqualTo("4: unknown key 'thnk'; did you mean 'think'?");
        assertThat(wrong("url: http://h:1/\nsession: {think: long}")).startsWith("4: think: found 'long', expected a");
        assertThat(wrong("calls: [" + A + "]"))
                .isEqualTo("3: take: found it without a session, expected 'session: true' in the load");
        assertThat(wrongSecond("{url: 'http://h:1/', weight: 2}"))
                .isEqualTo("6: weight: found one in a session, expected none: a user sends the calls in their order");
    }

    @Test
    void namesAreThoseOfEarlierCalls() throws IOException {
        assertThat(wrongSecond("{url: 'http://h:1/${tokn}'}"))
                .startsWith("6: url: unknown placeholder '${tokn}'; did you mean '${token}'?");
        assertThat(wrong("session: true\ncalls: [{url: 'http://h:1/', body: '${token}'}, " + A + "]"))
                .isEqualTo("4: body: found ${token}, which no earlier call to the same host and port takes,"
                        + " expected it after a call that does");
        assertThat(wrong("session: true\ncalls: [{url: 'http://h:1/', take: {a: 'json:/a'}, headers: {X: '${a}'}}]"))
                .startsWith("4: headers X: found ${a}, which no earlier call");
        assertThat(wrongSecond("{url: 'http://${token}:1/'}")).startsWith("6: url: found ${token}, which no");
        String replica = "{url: 'http://h:2/${token}'}, {url: 'http://h:2/a', take: {token: 'json:/t'}}";
        assertThat(wrong("session: true\ncalls: [" + A + ", " + replica + "]"))
                .as("a replica has the values of its own answers")
                .startsWith("4: url: found ${token}, which no earlier call to the same host and port takes");
        Files.writeString(dir.resolve("u.csv"), "token,id\n1,2\n");
        assertThat(wrong("session: true\nfeed: u.csv\ncalls: [" + A + ", {url: 'http://h:1/${id}'}]"))
                .startsWith("5: take: found 'token', which is a column of the feed too, expected names that differ");
        assertThat(wrong("session: true\nfeed: u.csv\ncalls: [{url: 'http://h:1/'}]"))
                .startsWith("4: feed: found u.csv, which no call uses");
        for (String own : List.of("port", "uuid", "sequence", "random:1-5", "2x")) {
            assertThat(wrongSecond("{url: 'http://h:1/', take: {'" + own + "': 'json:/a'}}"))
                    .startsWith("6: take: found '" + own + "', expected a name of letters, digits");
        }
    }

    @Test
    void whatCannotBeTakenIsTold() {
        Map<String, String> expected = Map.of(
                "token", "json:/POINTER, header:NAME or regex:EXPRESSION",
                "xml:/a", "json:/POINTER, header:NAME or regex:EXPRESSION",
                "json:token", "a JSON Pointer such as json:/user/token or json:/items/0/id",
                "json:/a~2", "a JSON Pointer such as json:/user/token or json:/items/0/id",
                "header:a b", "the name of a header such as header:X-CSRF",
                "regex:(a", "a regular expression (Unclosed group)",
                "regex:a", "exactly one group in round brackets, which is the value; (?:...) is no group",
                "regex:(a)(b)", "exactly one group in round brackets, which is the value; (?:...) is no group");
        expected.forEach((how, what) -> assertThat(wrongSecond("{url: 'http://h:1/', take: {v: '" + how + "'}}"))
                .isEqualTo("6: take v: found '" + how + "', expected " + what));
    }

    @Test
    void pathsAreBehindTheUrlOfTheLoad() {
        assertThat(wrong("url: http://h:1/\ncalls: [{url: 'http://h:1/a'}]"))
                .isEqualTo("4: calls: found a url beside the load's url, expected a path such as /login");
        assertThat(wrong("calls: [{path: /a}]"))
                .isEqualTo("3: calls: found a path without the load's url, expected a url, or 'url' in the load");
        assertThat(wrong("url: http://h:1/\ncalls: [{path: a}]"))
                .isEqualTo("4: path: found 'a', expected a path such as /login");
        assertThat(wrong("url: http://h:1/\ncalls: [{method: GET}]"))
                .isEqualTo("4: calls: found a call without a path, expected one");
        assertThat(wrong("url: http://h:1/?a=b\ncalls: [{path: /a}]"))
                .isEqualTo("3: url: found 'http://h:1/?a=b' with calls, expected a URL without a query");
        assertThat(wrong("url: h:1\ncalls: [{path: /a}]")).startsWith("3: url: found 'h:1', expected a URL");
    }

    @Test
    void aRowIsForAPass() throws IOException {
        Files.writeString(dir.resolve("u.csv"), "id\n7\n8\n9\n");
        LoadTemplate load = experiment("""
                        rate: 2
                        session: true
                        feed: {file: u.csv, order: unique}
                        calls: [{url: 'http://h:1/a'}, {url: 'http://h:1/${id}'}]
                        """).load();
        Engines.of(load).check(load, FlagExperiment.protocol("load=3s"));
        assertThatThrownBy(() -> Engines.of(load).check(load, FlagExperiment.protocol("load=4s")))
                .hasMessageStartingWith("load: u.csv has 3 rows, the protocol sends at least 4 requests with one");
    }
}
