package dev.kiln.plan.load;

import dev.kiln.model.experiment.LoadTemplate.Feeding;
import dev.kiln.model.experiment.LoadTemplate.TemplateCall;
import dev.kiln.plan.text.Fields;
import dev.kiln.plan.text.Node;
import dev.kiln.plan.text.Node.Scalar;
import dev.kiln.plan.text.Node.ScalarKind;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Section;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** A ReplayBinder reads {@code replay:} of a load. */
final class ReplayBinder {
    /** These keys of a load may not stand beside a recording. Each has the words that say what to do instead. */
    private static final Map<String, String> OTHERS = Map.of(
            "calls", "expected a url: the recording has the requests, and 'replay: {headers: ...}' adds headers to all",
            "method", "expected none: the recording has the methods",
            "headers", "expected 'replay: {headers: ...}', which adds headers to all requests",
            "body", "expected none: the recording has the bodies",
            "feed", "expected one of the two: the values of a recording are its own",
            "rate", "expected no rate: the recording has the times, and 'replay: {speed: 2}' sends twice as fast",
            "session", "expected one of the two: nobody knows which user sent a recorded request",
            "arrivals", "expected none: the recording has the times");

    private final Path base;
    private final Problems problems;
    private final CallTexts texts;
    private Map<String, String> headers = Map.of();

    /** @param base what relative paths are relative to */
    ReplayBinder(Path base, Problems problems, CallTexts texts) {
        this.base = base;
        this.problems = problems;
        this.texts = texts;
    }

    void refuseOthers(Fields load) {
        OTHERS.forEach((key, expected) -> {
            if (load.has(key)) {
                problems.add(load.at(key), key, "found it beside replay, " + expected);
            }
        });
    }

    /** Reads a recording: a file, or a map with one. */
    Optional<Feeding> bind(Node node) {
        if (node instanceof Scalar scalar && scalar.is(ScalarKind.TEXT)) {
            return problems.attempt(
                    scalar.at(), "replay", () -> RecordingFile.read(base, scalar.text(), 1, headers.keySet()));
        }
        return Fields.of(node, Section.REPLAY, "a file, or a map with file, speed and headers", problems)
                .flatMap(this::bind);
    }

    private Optional<Feeding> bind(Fields map) {
        headers = map.map("headers", texts::header);
        headers.forEach(
                (name, value) -> problems.attempt(map.at("headers"), "headers", () -> CallTexts.header(name, value)));
        double speed = map.positive("speed").orElse(1.0);
        map.require("file", "replay", RecordedTraffic.EXPECTED);
        return map.parsed("file", RecordedTraffic.EXPECTED, text -> text)
                .flatMap(file -> problems.attempt(
                        map.at("file"), "replay", () -> RecordingFile.read(base, file, speed, headers.keySet())));
    }

    /** Returns the call that is sent until the service answers. All requests have its host and its headers. */
    TemplateCall call(String url) {
        return new TemplateCall(
                "GET", url, headers, Optional.empty(), 1, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** Returns the requests per second of a recording, which are those of its load. */
    static OptionalDouble rate(Feeding recording) {
        return OptionalDouble.of(recording.variables().replay().orElseThrow().rate());
    }
}
