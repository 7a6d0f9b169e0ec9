package dev.kiln.load.driver;

import dev.kiln.model.load.FeedTable;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.Feed;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.LoadSpec.Step;
import dev.kiln.model.load.LoadSpec.Variables;
import dev.kiln.model.load.Sending.Http2;
import dev.kiln.model.load.Sending.Tls;
import dev.kiln.model.load.VariedText;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * WarmUpLoads are the loads to {@link WarmUpServer} that the driver warms up with.
 *
 * @param port of that server
 * @param nobody a port on which nobody listens
 * @param traits of the loads to come
 * @param severalLoops whether they may need several event loops
 */
record WarmUpLoads(int port, int nobody, Set<Trait> traits, boolean severalLoops) {
    static final FeedTable FEED = new FeedTable.FeedTableBuilder(List.of("name"))
            .add(List.of("apple"))
            .add(List.of("crab apple"))
            .add(List.of("Äpfel"))
            .build();

    private static final Duration TIMEOUT = Duration.ofMillis(60);

    /** A Round is a load, with how long it is sent at a time and over how many event loops. */
    record Round(LoadSpec spec, int millis, int loops) {}

    List<Round> rounds() {
        OptionalDouble closed = OptionalDouble.empty();
        List<Round> rounds = new ArrayList<>();
        if (traits.contains(Trait.HTTP2)) {
            rounds.add(round(plain(port, "small", 10, closed), 150));
            rounds.add(round(plain(port, "small", 2, OptionalDouble.of(3000)), 50));
        } else {
            rounds.add(round(mixed(closed), 30));
            rounds.add(round(mixed(OptionalDouble.of(3000)), 20));
            rounds.add(round(plain(port, "small", 50, closed), 120));
            rounds.add(round(plain(port, "tomcat", 100, closed), 120));
            rounds.add(round(plain(port, "big", 50, closed), 50));
            rounds.add(round(plain(port, "netty", 5, OptionalDouble.of(2000)), 40));
        }
        if (traits.contains(Trait.VARIED)) {
            rounds.add(round(varied(), 80));
        }
        if (traits.contains(Trait.SESSION)) {
            rounds.add(round(session(), 80));
        }
        if (severalLoops) {
            rounds.add(overTwo(plain(port, "small", 4, closed), 40));
            rounds.add(overTwo(plain(port, "small", 4, OptionalDouble.of(2000)), 40));
        }
        rounds.add(round(plain(nobody, "small", 20, closed), 10));
        rounds.add(round(plain(nobody, "small", 20, OptionalDouble.of(1000)), 10));
        return rounds;
    }

    private Round round(LoadSpec spec, int millis) {
        LoadSpec trusting = traits.contains(Trait.TLS) ? spec.with(new Tls(Optional.empty(), true)) : spec;
        return new Round(traits.contains(Trait.HTTP2) ? trusting.with(new Http2(10)) : trusting, millis, 1);
    }

    /** Returns a round over two event loops: their code would else be compiled only when a load needs the second loop. */
    private Round overTwo(LoadSpec spec, int millis) {
        return new Round(round(spec, millis).spec(), millis, 2);
    }

    private LoadSpec plain(int to, String path, int connections, OptionalDouble rate) {
        return new LoadSpec(List.of(call(to, "GET", path, 1)), connections, rate, TIMEOUT);
    }

    /** Returns a load whose requests are assembled one by one. */
    private LoadSpec varied() {
        HttpCall get = new HttpCall(
                "GET",
                URI.create(target(port) + VariedText.inUrl("/small?q=${name}&n=${random:1-1000000}")),
                Map.of("Accept", "*/*", "X-Request-Id", "${uuid}"),
                Optional.empty(),
                1,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        HttpCall post = new HttpCall(
                "POST",
                get.url(),
                get.headers(),
                Optional.of("{\"id\":${sequence},\"name\":\"${name}\"}"),
                1,
                Optional.of("kiln!"),
                Optional.empty(),
                Optional.empty());
        Feed feed = new Feed("warm-up", FEED.rows(), Feed.Order.SHUFFLED, "");
        return new LoadSpec(List.of(get, post), 50, OptionalDouble.empty(), TIMEOUT)
                .with(new Variables(1, Optional.of(feed)));
    }

    /** Returns the load of a user who keeps a cookie, extracts a value of each kind, and thinks. */
    private LoadSpec session() {
        HttpCall begin = call(port, "GET", "tomcat", 1)
                .with(new Step(true, Duration.ZERO, Map.of("word", "regex:(k[a-z]+)", "kind", "header:Content-Type")));
        HttpCall json = call(port, "GET", "json", 1)
                .with(new Step(true, Duration.ofMillis(1), Map.of("id", "json:/user/ids/0")));
        HttpCall end = new HttpCall(
                        "POST",
                        URI.create(target(port) + VariedText.inUrl("/small?q=${word}")),
                        Map.of("X-Kind", "${kind}"),
                        Optional.of("{\"id\":${id}}"),
                        1,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty())
                .with(new Step(true, Duration.ZERO, Map.of()));
        return new LoadSpec(List.of(begin, json, end), 50, OptionalDouble.empty(), TIMEOUT)
                .with(new Variables(1, Optional.empty()));
    }

    private LoadSpec mixed(OptionalDouble rate) {
        return new LoadSpec(
                List.of(
                        call(port, "GET", "small", 400),
                        call(port, "GET", "big", 200),
                        call(port, "GET", "chunked", 200),
                        call(port, "GET", "tomcat", 100),
                        call(port, "GET", "netty", 100),
                        call(port, "POST", "small", 50),
                        call(port, "HEAD", "head", 20),
                        call(port, "GET", "empty", 20),
                        call(port, "GET", "huge", 5),
                        call(port, "GET", "last", 50),
                        call(port, "GET", "leave", 20),
                        call(port, "GET", "open-end", 5),
                        call(port, "GET", "error", 20),
                        call(port, "GET", "garbage", 5),
                        call(port, "GET", "cut", 5),
                        call(port, "GET", "nothing", 5),
                        call(port, "GET", "reset", 20),
                        call(port, "GET", "hang", 1)),
                50,
                rate,
                TIMEOUT);
    }

    private String target(int to) {
        return (traits.contains(Trait.TLS) ? "https" : "http") + "://127.0.0.1:" + to;
    }

    private HttpCall call(int to, String method, String path, int weight) {
        boolean post = method.equals("POST");
        return new HttpCall(
                method,
                URI.create(target(to) + "/" + path),
                Map.of("Accept", "*/*"),
                post ? Optional.of("{\"question\":\"warm?\"}") : Optional.empty(),
                weight,
                post || path.equals("chunked") ? Optional.of("kiln!") : Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }
}
