package dev.kiln.plan.load;

import dev.kiln.model.experiment.LoadTemplate.EngineSettings;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings.GhzCall;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings.GhzData;
import dev.kiln.plan.text.CommandPaths;
import dev.kiln.plan.text.Fields;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Problems.BadValue;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/** GhzOptions reads {@code ghz:}, a call of gRPC and what describes it. */
final class GhzOptions {
    static final List<String> KEYS = List.of("call", "proto", "imports", "data", "metadata");
    static final String MAP = "a map with a call";
    static final String EXAMPLE = "{call: helloworld.Greeter/SayHello, proto: greeter.proto}";

    private static final String CALL = "a service and its method such as helloworld.Greeter/SayHello";
    private static final Pattern NAMES = Pattern.compile("\\w+(\\.\\w+)*/\\w+");
    private static final String DATA = "JSON, or the path of a file with it";

    private GhzOptions() {}

    static Optional<EngineSettings> bind(Fields fields, Path base, Problems problems) {
        if (!fields.has("call")) {
            problems.add(fields.at(), "ghz", "found no call, expected " + MAP);
        }
        Optional<Path> proto = fields.parsed(
                "proto", "a path", text -> CommandPaths.readable(text, base, "a description of gRPC's calls (.proto)"));
        List<Path> imports = fields.words("imports", UnaryOperator.identity()).orElse(List.of()).stream()
                .flatMap(text ->
                        problems
                                .attempt(fields.at("imports"), "imports", () -> CommandPaths.directory(text, base))
                                .stream())
                .toList();
        GhzData data = fields.parsed("data", DATA, text -> data(text, base)).orElse(new GhzData.Json("{}"));
        Map<String, String> metadata = fields.map("metadata", UnaryOperator.identity());
        return fields.parsed("call", CALL, GhzOptions::call)
                .map(call -> new GhzCall(call, proto, imports, data, metadata));
    }

    private static String call(String text) {
        if (!NAMES.matcher(text).matches()) {
            throw BadValue.of("'" + text + "'", CALL);
        }
        return text;
    }

    /** JSON begins with a bracket here: a request is an object, and several are a list. */
    private static GhzData data(String text, Path base) {
        String begin = text.stripLeading();
        return begin.startsWith("{") || begin.startsWith("[")
                ? new GhzData.Json(text)
                : new GhzData.JsonFile(CommandPaths.readable(text, base, DATA));
    }
}
