package dev.kiln.plan.load;

import dev.kiln.engines.Engines;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.plan.text.Fields;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Problems.BadValue;
import dev.kiln.plan.text.Section;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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
}
