package dev.kiln.engines;

import dev.kiln.files.InputFile;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings.Hyperfoil;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A HyperfoilBenchmark is a benchmark in the form in which a controller receives it.
 *
 * @param name by which it is started
 * @param yaml JSON, which is YAML, where Kiln made it
 * @param parameters for its placeholders, if it is a template
 */
record HyperfoilBenchmark(String name, String yaml, Map<String, String> parameters) {
    /** This finds the name of the benchmark itself, which starts its line, not names nested in it. */
    private static final Pattern NAME =
            Pattern.compile("^[\"']?name[\"']?\\s*:\\s*(?:\"([^\"]+)\"|'([^']+)'|([^#\\r\\n]+))", Pattern.MULTILINE);

    /** These lines end the YAML: the controller shows two below a mistake, and fails where none are. */
    private static final String ROOM_BELOW = "\n#\n#\n";

    private static final Pattern VERSION = Pattern.compile("(\\d{1,6})\\.(\\d{1,6}).*");

    /** Hyperfoil caches answers like a browser, if their headers allow it. From this version on, the cache can be switched off. */
    private static final int CACHE_OPTIONAL_SINCE = 27;

    /** Latency of an open loop can count from when a request was due, not from when an agent began it, from this version on. */
    private static final int FROM_SCHEDULE_SINCE = 29;

    /** More sessions are not asked for: each occupies some KiB of an agent, allocated beforehand. */
    private static final double MOST_SESSIONS = 100_000;

    private static final JsonMapper JSON = JsonMapper.builder().build();

    HyperfoilBenchmark {
        parameters = new TreeMap<>(parameters);
    }

    /** Returns the error for a load that a benchmark made by Kiln cannot express. */
    static KilnException cannot(String what) {
        return KilnException.usage(
                "load: hyperfoil cannot send " + what,
                "leave it out, or the engine: Kiln's own can; or write a benchmark of your own:"
                        + " load: {hyperfoil: {benchmark: FILE}}");
    }

    static boolean cacheOptional(String version) {
        return since(CACHE_OPTIONAL_SINCE, version);
    }

    /** @param minor of versions 0.x */
    private static boolean since(int minor, String version) {
        Matcher parts = VERSION.matcher(version);
        return parts.matches() && (Integer.parseInt(parts.group(1)) > 0 || Integer.parseInt(parts.group(2)) >= minor);
    }

    /** Returns the service's address from an agent's point of view: scheme, host and port. */
    static String target(LoadSpec spec, Hyperfoil settings) {
        URI url = spec.calls().getFirst().url();
        int port = url.getPort() < 0 ? 80 : url.getPort();
        Placeholders known =
                new Placeholders(Map.of(Placeholders.PORT, Integer.toString(port), Placeholders.HOST, url.getHost()));
        return settings.target().map(known::fill).orElse("http://" + url.getHost() + ":" + port);
    }

    /** Reads the user's own benchmark and passes the load to it as parameters. */
    static HyperfoilBenchmark own(Path file, LoadSpec spec, Phase.Load phase, Hyperfoil settings) {
        Map<String, String> parameters = new TreeMap<>(Map.of(
                "TARGET", target(spec, settings),
                "CONNECTIONS", Integer.toString(spec.connections()),
                "DURATION", phase.duration().toMillis() + "ms"));
        spec.rate().ifPresent(rate -> parameters.put("RATE", Double.toString(rate)));
        return new HyperfoilBenchmark(nameOf(file, text(file)), yaml(file), parameters);
    }

    /** Returns the text of the user's own benchmark as it is sent to the controller. */
    static String yaml(Path file) {
        return text(file) + ROOM_BELOW;
    }

    static String text(Path file) {
        try {
            return new String(InputFile.named(file, InputFile.DOCUMENT), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw KilnException.usage(e, file.toString(), "name a benchmark of Hyperfoil, in YAML");
        }
    }

    static String nameOf(Path file, String yaml) {
        Matcher name = NAME.matcher(yaml);
        if (!name.find()) {
            throw KilnException.usage(
                    file + ": found no name, expected a line such as 'name: fruits'",
                    "give the benchmark a name: the controller starts it by name");
        }
        for (int group = 1; group <= name.groupCount(); group++) {
            if (name.group(group) != null) {
                return name.group(group).strip();
            }
        }
        throw new IllegalStateException(name.group());
    }

    /** Makes a benchmark of one phase that repeats one request. */
    static HyperfoilBenchmark of(String name, LoadSpec spec, Phase.Load phase, Hyperfoil settings, String version) {
        ObjectNode root = JSON.createObjectNode();
        root.put("name", name);
        root.put("threads", settings.threads());
        ObjectNode agents = JSON.createObjectNode();
        settings.agents().forEach(agent -> agents.put(agent.replaceAll("[^A-Za-z0-9._-]", "_"), agent));
        if (!agents.isEmpty()) {
            root.set("agents", agents);
        }
        ObjectNode http = root.putObject("http");
        http.put("host", target(spec, settings));
        http.put("sharedConnections", spec.connections());
        http.put("requestTimeout", spec.timeout().toMillis() + "ms");
        http.put("allowHttp2", false);
        if (cacheOptional(version)) {
            http.put("useHttpCache", false);
        }
        // Nothing but what is asked for; statuses are counted as they are, and an error ends no user.
        ObjectNode ergonomics = root.putObject("ergonomics");
        for (String off : new String[] {"repeatCookies", "userAgentFromSession", "autoRangeCheck", "stopOnInvalid"}) {
            ergonomics.put(off, false);
        }
        if (spec.rate().isPresent() && since(FROM_SCHEDULE_SINCE, version)) {
            ergonomics.put("compensateInternalLatency", true);
        }
        root.putArray("phases").addObject().set(phase.name(), phase(spec, phase));
        return new HyperfoilBenchmark(
                name, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root) + ROOM_BELOW, Map.of());
    }

    private static ObjectNode phase(LoadSpec spec, Phase.Load phase) {
        ObjectNode model = JSON.createObjectNode();
        ObjectNode open = model.putObject(spec.rate().isPresent() ? "constantRate" : "always");
        if (spec.rate().isPresent()) {
            double rate = spec.rate().getAsDouble();
            open.put("usersPerSec", rate);
            open.put("variance", false);
            double waiting = Math.ceil(rate * spec.timeout().toMillis() / 1000);
            open.put("maxSessions", (int) Math.clamp(waiting, spec.connections(), MOST_SESSIONS));
        } else {
            open.put("users", spec.connections());
        }
        open.put("duration", phase.duration().toMillis() + "ms");
        ArrayNode steps = open.putArray("scenario").addObject().putArray("request");
        steps.addObject().set("httpRequest", request(spec.calls().getFirst()));
        return model;
    }

    private static ObjectNode request(HttpCall call) {
        ObjectNode request = JSON.createObjectNode();
        URI url = call.url();
        String path = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        // As a value, in which nothing is replaced.
        request.putObject(call.method())
                .put("value", url.getRawQuery() == null ? path : path + "?" + url.getRawQuery());
        request.put("metric", "request");
        if (!call.headers().isEmpty()) {
            ObjectNode headers = request.putObject("headers");
            new TreeMap<>(call.headers()).forEach(headers::put);
        }
        call.body().ifPresent(text -> request.putObject("body").put("text", text));
        return request;
    }
}
