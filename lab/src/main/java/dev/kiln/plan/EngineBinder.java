package dev.kiln.plan;

import dev.kiln.model.EngineSettings;
import dev.kiln.model.LoadEngine;
import java.nio.file.Path;
import java.util.Optional;

/** What an engine wants to know beyond the load itself: a map of its own name in {@code load:}. */
final class EngineBinder {
    private static final String GATLING = LoadEngine.GATLING.id();

    private final Path base;
    private final Problems problems;

    EngineBinder(Path base, Problems problems) {
        this.base = base;
        this.problems = problems;
    }

    Optional<EngineSettings> bind(LoadEngine engine, Fields load) {
        if (engine != LoadEngine.GATLING) {
            load.node(GATLING)
                    .ifPresent(node -> problems.add(
                            load.at(GATLING),
                            "gatling: found it beside engine " + engine.id() + ", expected 'engine: gatling'"));
            return Optional.empty();
        }
        if (!load.has(GATLING)) {
            problems.add(
                    load.at("engine"),
                    "engine: found gatling but no map 'gatling', expected one such as"
                            + " 'gatling: {simulation: com.acme.FruitsSimulation, classpath: [target/test-classes]}'");
        }
        return load.node(GATLING).flatMap(node -> new GatlingBinder(base, problems).bind(node));
    }
}
