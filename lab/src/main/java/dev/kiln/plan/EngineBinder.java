package dev.kiln.plan;

import dev.kiln.model.EngineSettings;
import dev.kiln.model.EngineSettings.Hyperfoil;
import dev.kiln.model.LoadEngine;
import dev.kiln.model.Placeholders;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What an engine wants to know beyond the load itself: a map of its own name in {@code load:}. */
final class EngineBinder {
    private static final String GATLING = LoadEngine.GATLING.id();
    private static final String HYPERFOIL = LoadEngine.HYPERFOIL.id();
    private static final String CONTROLLER = "the URL of a controller such as http://lab1:8090";

    private final Path base;
    private final Problems problems;

    EngineBinder(Path base, Problems problems) {
        this.base = base;
        this.problems = problems;
    }

    Optional<EngineSettings> bind(LoadEngine engine, Fields load) {
        for (String key : List.of(GATLING, HYPERFOIL)) {
            if (load.has(key) && !engine.id().equals(key)) {
                problems.add(
                        load.at(key),
                        key + ": found it beside engine " + engine.id() + ", expected 'engine: " + key + "'");
            }
        }
        return switch (engine) {
            case KILN, WRK, H2LOAD -> Optional.empty();
            case GATLING ->
                map(load, GATLING, "{simulation: com.acme.FruitsSimulation, classpath: [target/test-classes]}")
                        .flatMap(node -> new GatlingBinder(base, problems).bind(node));
            case HYPERFOIL ->
                map(load, HYPERFOIL, "{controller: http://lab1:8090}")
                        .flatMap(node -> Fields.of(node, Section.HYPERFOIL, "a map with a controller", problems))
                        .flatMap(this::hyperfoil);
        };
    }

    private Optional<Node> map(Fields load, String key, String example) {
        if (!load.has(key)) {
            problems.add(
                    load.at("engine"),
                    "engine: found " + key + " but no map '" + key + "', expected one such as '" + key + ": " + example
                            + "'");
        }
        return load.node(key);
    }

    private Optional<EngineSettings> hyperfoil(Fields fields) {
        if (!fields.has("controller")) {
            problems.add(fields.at(), "hyperfoil: found no controller, expected " + CONTROLLER);
        }
        Optional<String> target = fields.parsed("target", "a URL", EngineBinder::target);
        List<String> agents = fields.words("agents").orElse(List.of());
        int threads = fields.integer("threads", 1, 1024).orElse(1L).intValue();
        Optional<Path> benchmark = fields.parsed("benchmark", "a path", text -> CommandPaths.benchmark(text, base));
        return fields.parsed("controller", CONTROLLER, EngineBinder::controller)
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
            // Told as any other text that is none.
        }
        throw BadValue.of("'" + text + "'", CONTROLLER);
    }

    private static String target(String text) {
        UrlText.check(text);
        for (String name : Placeholders.namesIn(text)) {
            if (!name.equals(Placeholders.PORT) && !name.equals(Placeholders.HOST)) {
                throw BadValue.of("${" + name + "}", "no placeholder but ${port} and ${host}");
            }
        }
        if (!text.matches("http://[^/?#]+/?")) {
            throw BadValue.of("'" + text + "'", "scheme, host and port alone, such as http://10.0.0.5:${port}");
        }
        return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }
}
