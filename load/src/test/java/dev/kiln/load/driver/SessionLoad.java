package dev.kiln.load.driver;

import static dev.kiln.load.driver.LoadKit.loadUntil;

import dev.kiln.load.LoadSession;
import dev.kiln.load.PhaseResult;
import dev.kiln.load.driver.ScriptedServer.Exchange;
import dev.kiln.model.load.FeedTable;
import dev.kiln.model.load.LoadBin.Errors;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.LoadSpec.Step;
import dev.kiln.model.load.LoadSpec.Variables;
import dev.kiln.model.load.VariedText;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A SessionLoad sends sessions to a server, and notes what that sees. */
abstract class SessionLoad extends DrivenLoad {
    static String answer(String headers, String body) {
        return "HTTP/1.1 200 OK\r\n" + headers + "Content-Length: " + body.getBytes(StandardCharsets.ISO_8859_1).length
                + "\r\n\r\n" + body;
    }

    static HttpCall call(URI base, String path, Step step) {
        return HttpCall.get(URI.create(VariedText.inUrl(base + path))).with(step);
    }

    static Step taking(Map<String, String> take) {
        return new Step(true, Duration.ZERO, take);
    }

    static LoadSpec spec(int connections, HttpCall... calls) {
        return LoadKit.closed(connections, calls).with(new Variables(1, Optional.empty()));
    }

    /** Notes the path and those lines of the request that begin with a word. */
    void note(Exchange e, String... words) {
        StringBuilder line = new StringBuilder(e.path());
        for (String word : words) {
            e.request()
                    .lines()
                    .filter(one -> one.startsWith(word))
                    .forEach(one -> line.append(" ").append(one));
        }
        seen.add(line.toString());
    }

    PhaseResult load(ScriptedServer server, LoadSpec spec, int atLeast) throws Exception {
        return load(server, spec, Optional.empty(), atLeast);
    }

    PhaseResult load(ScriptedServer server, LoadSpec spec, Optional<FeedTable> feed, int atLeast) throws Exception {
        try (LoadSession session = driver.open(spec, feed, run)) {
            // The next request of a connection tells that the one before is noted.
            return loadUntil(session, () -> server.requests.get() > atLeast);
        }
    }

    List<String> seen(int first) {
        return new ArrayList<>(seen).subList(0, first);
    }

    Errors taking(String how, ScriptedServer.Script script) throws Exception {
        try (ScriptedServer server = new ScriptedServer(script)) {
            HttpCall call = call(server.url(""), "/", taking(Map.of("v", how)));
            PhaseResult r = load(server, spec(1, call, call(server.url(""), "/${v}", taking(Map.of()))), 4);
            return r.requests().completed() > 0 ? Errors.NONE : r.requests().errors();
        }
    }
}
