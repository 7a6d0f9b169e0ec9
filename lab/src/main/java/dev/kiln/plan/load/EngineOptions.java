package dev.kiln.plan.load;

import dev.kiln.engines.Engines;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings.GhzCall;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings.GhzData;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings.Hyperfoil;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.plan.text.CommandPaths;
import dev.kiln.plan.text.Fields;
import dev.kiln.plan.text.JdkBinder;
import dev.kiln.plan.text.Names.UrlText;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Problems.BadValue;
import dev.kiln.plan.text.Section;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The EngineOptions are the options of one engine: a map with the engine's name in {@code load:}.
 *
 * @param keys of that map
 * @param expected the map in words
 * @param example the map as people write it
 */
public record EngineOptions(LoadEngine engine, List<String> keys, String expected, String example, Binder binder) {
    /** The list has the options of all engines that have some. */
    public static final List<EngineOptions> ALL = List.of(
            new EngineOptions(
                    EngineSettings.GhzCall.ENGINE,
                    GhzOptions.KEYS,
                    GhzOptions.MAP,
                    GhzOptions.EXAMPLE,
                    GhzOptions::bind),
            new EngineOptions(
                    EngineSettings.JMeterPlan.ENGINE,
                    JMeterOptions.KEYS,
                    JMeterOptions.MAP,
                    JMeterOptions.EXAMPLE,
                    JMeterOptions::bind),
            new EngineOptions(
                    EngineSettings.GatlingTemplate.ENGINE,
                    GatlingOptions.KEYS,
                    GatlingOptions.MAP,
                    GatlingOptions.EXAMPLE,
                    GatlingOptions::bind),
            new EngineOptions(
                    EngineSettings.Hyperfoil.ENGINE,
                    HyperfoilOptions.KEYS,
                    HyperfoilOptions.MAP,
                    HyperfoilOptions.EXAMPLE,
                    HyperfoilOptions::bind));

    private static final String ENGINES =
            Engines.names().stream().map(LoadEngine::id).collect(Collectors.joining(", ", "one of ", ""));

    /** A Binder reads the map of an engine's options. */
    interface Binder {
        Optional<EngineSettings> bind(Fields fields, Path base, Problems problems);
    }

    /** Returns the engine's name, which is also the key of the map. */
    public String name() {
        return engine.id();
    }

    /** Returns the section that describes the map. */
    public Section section() {
        return new Section(name(), keys);
    }

    /** Returns the engine of this name. A name that is not known is a {@link BadValue}. */
    public static LoadEngine engine(String text) {
        return Engines.names().stream()
                .filter(engine -> engine.id().equals(text))
                .findFirst()
                .orElseThrow(() -> BadValue.of("'" + text + "'", ENGINES));
    }

    /** Returns the engine of a load; Kiln's own if it names none. */
    static LoadEngine engine(Fields load) {
        return load.parsed("engine", ENGINES, EngineOptions::engine).orElse(LoadEngine.KILN);
    }

    /** Reads the options of this engine. Those of another engine are a mistake. */
    static Optional<EngineSettings> bind(LoadEngine engine, Fields load, Path base, Problems problems) {
        Optional<EngineSettings> settings = Optional.empty();
        for (EngineOptions options : ALL) {
            if (options.engine.equals(engine)) {
                settings = options.bind(load, base, problems);
            } else if (load.has(options.name())) {
                problems.add(
                        load.at(options.name()),
                        options.name(),
                        "found it with engine " + engine.id() + ", expected 'engine: " + options.name() + "'");
            }
        }
        return settings;
    }

    private Optional<EngineSettings> bind(Fields load, Path base, Problems problems) {
        if (!load.has(name())) {
            problems.add(
                    load.at("engine"),
                    "engine",
                    "found " + name() + " but no map '" + name() + "', expected one such as '" + name() + ": " + example
                            + "'");
        }
        return load.node(name())
                .flatMap(node -> Fields.of(node, section(), expected, problems))
                .flatMap(fields -> binder.bind(fields, base, problems));
    }

    /** Checks a text in which another engine can be told where the service is, and nothing else. */
    private static String filled(String text) {
        for (String name : Placeholders.namesIn(text)) {
            if (!name.equals(Placeholders.PORT) && !name.equals(Placeholders.HOST)) {
                throw BadValue.of("${" + name + "}", "no placeholder but ${port} and ${host}");
            }
        }
        return text;
    }

    /** GhzOptions reads {@code ghz:}, a call of gRPC and what describes it. */
    private static final class GhzOptions {
        static final List<String> KEYS = List.of("call", "proto", "imports", "data", "metadata");
        static final String MAP = "a map with a call";
        static final String EXAMPLE = "{call: helloworld.Greeter/SayHello, proto: greeter.proto}";

        private static final String CALL = "a service and its method such as helloworld.Greeter/SayHello";
        private static final Pattern NAMES = Pattern.compile("\\w+(\\.\\w+)*/\\w+");
        private static final String DATA = "JSON, or the path of a file with it";

        private GhzOptions() {}

        static Optional<EngineSettings> bind(Fields fields, Path base, Problems problems) {
            fields.require("call", "ghz", MAP);
            Optional<Path> proto = fields.parsed(
                    "proto",
                    "a path",
                    text -> CommandPaths.readable(text, base, "a description of gRPC's calls (.proto)"));
            List<Path> imports = fields.words("imports", UnaryOperator.identity()).orElse(List.of()).stream()
                    .flatMap(
                            text -> problems
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

    /** JMeterOptions reads {@code jmeter:}, a test plan and what it is told. */
    private static final class JMeterOptions {
        static final List<String> KEYS = List.of("plan", "home", "properties", "jdk", "jvmFlags");
        static final String MAP = "a map with a plan";
        static final String EXAMPLE = "{plan: test.jmx}";

        private JMeterOptions() {}

        static Optional<EngineSettings> bind(Fields fields, Path base, Problems problems) {
            fields.require("plan", "jmeter", MAP);
            Optional<Path> home = fields.parsed("home", "a path", text -> CommandPaths.directory(text, base));
            Map<String, String> properties = fields.map("properties", EngineOptions::filled);
            List<String> flags = fields.words("jvmFlags", JMeterOptions::plain).orElse(List.of());
            return fields.parsed("plan", "a path", text -> CommandPaths.readable(text, base, "a test plan of JMeter"))
                    .map(plan -> new EngineSettings.JMeterPlan(
                            plan,
                            home,
                            properties,
                            fields.node("jdk").flatMap(jdk -> new JdkBinder(base, problems).bind(jdk)),
                            flags));
        }

        private static String plain(String text) {
            if (!Placeholders.namesIn(text).isEmpty()) {
                throw BadValue.of("a placeholder", "none: the test plan gets the properties url and port");
            }
            return text;
        }
    }

    /** HyperfoilOptions reads {@code hyperfoil:}, a controller and its agents. */
    private static final class HyperfoilOptions {
        static final List<String> KEYS = List.of("controller", "target", "agents", "threads", "benchmark");
        static final String MAP = "a map with a controller";
        static final String EXAMPLE = "{controller: http://lab1:8090}";

        private static final String CONTROLLER = "the URL of a controller such as http://lab1:8090";

        private HyperfoilOptions() {}

        static Optional<EngineSettings> bind(Fields fields, Path base, Problems problems) {
            fields.require("controller", "hyperfoil", CONTROLLER);
            Optional<String> target = fields.parsed("target", "a URL", HyperfoilOptions::target);
            List<String> agents = fields.words("agents").orElse(List.of());
            int threads = fields.integer("threads", 1, 1024).orElse(1L).intValue();
            Optional<Path> benchmark = fields.parsed(
                    "benchmark", "a path", text -> CommandPaths.readable(text, base, "a benchmark of Hyperfoil"));
            return fields.parsed("controller", CONTROLLER, HyperfoilOptions::controller)
                    .map(uri -> new Hyperfoil(uri, target, agents, threads, benchmark));
        }

        private static URI controller(String text) {
            try {
                URI uri = new URI(text.endsWith("/") ? text.substring(0, text.length() - 1) : text);
                if (uri.getHost() != null
                        && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
                        && uri.getRawQuery() == null) {
                    return uri;
                }
            } catch (URISyntaxException e) {
                // Refused below, like any text that is not a URL.
            }
            throw BadValue.of("'" + text + "'", CONTROLLER);
        }

        private static String target(String text) {
            UrlText.plain(text);
            filled(text);
            if (!text.matches("http://[^/?#]+/?")) {
                throw BadValue.of("'" + text + "'", "scheme, host and port alone, such as http://10.0.0.5:${port}");
            }
            return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
        }
    }
}
