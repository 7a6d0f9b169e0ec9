package dev.kiln.plan;

import dev.kiln.model.EngineSettings;
import dev.kiln.model.EngineSettings.Hyperfoil;
import dev.kiln.model.LoadEngine;
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
        if (engine != LoadEngine.HYPERFOIL) {
            load.node(HYPERFOIL)
                    .ifPresent(node -> problems.add(
                            load.at(HYPERFOIL),
                            "hyperfoil: found it beside engine " + engine.id() + ", expected 'engine: hyperfoil'"));
            return gatling(engine, load);
        }
        if (!load.has(HYPERFOIL)) {
            problems.add(
                    load.at("engine"),
                    "engine: found hyperfoil but no map 'hyperfoil', expected one such as"
                            + " 'hyperfoil: {controller: http://lab1:8090}'");
        }
        return load.node(HYPERFOIL)
                .flatMap(node -> Fields.of(node, Section.HYPERFOIL, "a map with a controller", problems))
                .flatMap(this::hyperfoil);
    }

    /** Kept for --engine where the file names another. */
    private Optional<EngineSettings> gatling(LoadEngine engine, Fields load) {
        if (engine == LoadEngine.GATLING && !load.has(GATLING)) {
            problems.add(
                    load.at("engine"),
                    "engine: found gatling alone, expected beside it gatling: {simulation: CLASS, classpath: [...]}");
        }
        return load.node(GATLING).flatMap(node -> new GatlingBinder(base, problems).bind(node));
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
        if (!text.matches("http://[^/?#]+/?")) {
            throw BadValue.of("'" + text + "'", "scheme, host and port alone, such as http://10.0.0.5:${port}");
        }
        return text.endsWith("/") ? text.substring(0, text.length() - 1) : text;
    }
}
