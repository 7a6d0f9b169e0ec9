package dev.kiln.plan.load;

import dev.kiln.model.experiment.LoadTemplate.EngineSettings;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings.Hyperfoil;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.plan.text.CommandPaths;
import dev.kiln.plan.text.Fields;
import dev.kiln.plan.text.Names.UrlText;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Problems.BadValue;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** HyperfoilOptions reads {@code hyperfoil:}, a controller and its agents. */
final class HyperfoilOptions {
    static final List<String> KEYS = List.of("controller", "target", "agents", "threads", "benchmark");
    static final String MAP = "a map with a controller";
    static final String EXAMPLE = "{controller: http://lab1:8090}";

    private static final String CONTROLLER = "the URL of a controller such as http://lab1:8090";

    private HyperfoilOptions() {}

    static Optional<EngineSettings> bind(Fields fields, Path base, Problems problems) {
        if (!fields.has("controller")) {
            problems.add(fields.at(), "hyperfoil", "found no controller, expected " + CONTROLLER);
        }
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
