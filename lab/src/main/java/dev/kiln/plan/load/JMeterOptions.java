package dev.kiln.plan.load;

import dev.kiln.model.experiment.LoadTemplate.EngineSettings;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.plan.text.CommandPaths;
import dev.kiln.plan.text.Fields;
import dev.kiln.plan.text.JdkBinder;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Problems.BadValue;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** JMeterOptions reads {@code jmeter:}, a test plan and what it is told. */
final class JMeterOptions {
    static final List<String> KEYS = List.of("plan", "home", "properties", "jdk", "jvmFlags");
    static final String MAP = "a map with a plan";
    static final String EXAMPLE = "{plan: test.jmx}";

    private static final Set<String> FILLED = Set.of(Placeholders.PORT, Placeholders.HOST);

    private JMeterOptions() {}

    static Optional<EngineSettings> bind(Fields fields, Path base, Problems problems) {
        if (!fields.has("plan")) {
            problems.add(fields.at(), "jmeter", "found no plan, expected " + MAP);
        }
        Optional<Path> home = fields.parsed("home", "a path", text -> CommandPaths.directory(text, base));
        Map<String, String> properties = fields.map("properties", JMeterOptions::filled);
        List<String> flags = fields.words("jvmFlags", JMeterOptions::plain).orElse(List.of());
        return fields.parsed("plan", "a path", text -> CommandPaths.readable(text, base, "a test plan of JMeter"))
                .map(plan -> new EngineSettings.JMeterPlan(
                        plan,
                        home,
                        properties,
                        fields.node("jdk").flatMap(jdk -> new JdkBinder(base, problems).bind(jdk)),
                        flags));
    }

    private static String filled(String text) {
        for (String name : Placeholders.namesIn(text)) {
            if (!FILLED.contains(name)) {
                throw BadValue.of("${" + name + "}", "no placeholder but ${port} and ${host}");
            }
        }
        return text;
    }

    private static String plain(String text) {
        if (!Placeholders.namesIn(text).isEmpty()) {
            throw BadValue.of("a placeholder", "none: the test plan gets the properties url and port");
        }
        return text;
    }
}
