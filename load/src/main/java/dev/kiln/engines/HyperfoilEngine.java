package dev.kiln.engines;

import dev.kiln.engines.HyperfoilController.Unanswered;
import dev.kiln.load.LoadDriver;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings.Hyperfoil;
import dev.kiln.model.experiment.LoadTemplate.TemplateCall;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.Sending.Arrivals;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** A HyperfoilEngine sends the load by a Hyperfoil controller that already runs. */
record HyperfoilEngine(Hyperfoil settings) implements Engine {
    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE");

    static HyperfoilEngine of(LoadTemplate load) {
        return load.settings(Hyperfoil.class)
                .map(HyperfoilEngine::new)
                .orElseThrow(
                        () -> KilnException.usage(
                                "load: engine hyperfoil needs a controller",
                                "name it in the experiment file: load: {engine: hyperfoil, hyperfoil: {controller: http://lab1:8090}}"));
    }

    @Override
    public LoadDriver driver(List<String> prefix, Path temporary) {
        return new HyperfoilDriver(settings, temporary);
    }

    @Override
    public void check(LoadTemplate load, Protocol protocol) {
        if (!protocol.shaped().isEmpty()) {
            throw HyperfoilBenchmark.cannot(
                    "load that changes (phase " + protocol.shaped().getFirst().name() + ")");
        }
        if (load.inSession()) {
            throw HyperfoilBenchmark.cannot("requests of users with a session (session)");
        }
        if (load.replay().isPresent()) {
            throw HyperfoilBenchmark.cannot("recorded traffic (replay)");
        }
        if (load.varies()) {
            throw HyperfoilBenchmark.cannot(
                    "requests that differ (a feed, ${random:...}, ${uuid}, ${sequence} or ${text:...})");
        }
        if (load.success().isPresent()) {
            throw HyperfoilBenchmark.cannot("requests of which you say what is a success (success)");
        }
        if (!protocol.untilKnown().isEmpty()) {
            throw HyperfoilBenchmark.cannot("load until it is known, which Kiln's own driver can");
        }
        settings.benchmark().ifPresentOrElse(file -> checkOwn(file, protocol), () -> checkMade(load));
        checkTarget(load);
        try (HyperfoilController controller = new HyperfoilController(settings.controller())) {
            try {
                controller.version();
            } catch (Unanswered e) {
                throw controller.unreachable(e);
            }
        }
    }

    private void checkMade(LoadTemplate load) {
        if (load.calls().stream().anyMatch(call -> call.url().startsWith("https:"))) {
            throw HyperfoilBenchmark.cannot("requests over TLS (https)");
        }
        if (load.arrivals().filter(Arrivals.POISSON::equals).isPresent()) {
            throw HyperfoilBenchmark.cannot("poisson arrivals");
        }
        if (load.http2().isPresent()) {
            throw HyperfoilBenchmark.cannot("requests over HTTP/2");
        }
        if (load.calls().size() > 1) {
            throw HyperfoilBenchmark.cannot("several calls");
        }
        load.calls().forEach(HyperfoilEngine::check);
        int least = settings.threads() * Math.max(1, settings.agents().size());
        if (load.connections() < least) {
            throw KilnException.usage(
                    "load: " + load.connections() + " connections are fewer than the " + least
                            + " threads of all agents, and each thread opens at least one",
                    "use more connections, or fewer threads or agents");
        }
    }

    private static void check(TemplateCall call) {
        if (call.bodyContains().isPresent()) {
            throw HyperfoilBenchmark.cannot("requests whose bodies are checked (bodyContains)");
        }
        if (!METHODS.contains(call.method())) {
            throw HyperfoilBenchmark.cannot(call.method());
        }
        if (call.headers().values().stream().anyMatch(value -> value.contains("$${"))) {
            throw HyperfoilBenchmark.cannot("headers with a ${...} of their own, which it would replace");
        }
    }

    private static void checkOwn(Path file, Protocol protocol) {
        HyperfoilBenchmark.nameOf(file, HyperfoilBenchmark.text(file));
        List<Phase.Load> loads = protocol.phases().stream()
                .filter(Phase.Load.class::isInstance)
                .map(Phase.Load.class::cast)
                .toList();
        boolean untilSteady =
                loads.stream().anyMatch(load -> load.untilSteadyFrom().isPresent());
        boolean search = protocol.reference().isPresent();
        if (loads.size() != 1 || untilSteady || search) {
            throw KilnException.usage(
                    "load: your own benchmark has its own phases, and the protocol "
                            + (search
                                    ? "looks for the reference in several loads"
                                    : untilSteady
                                            ? "loads until it is steady"
                                            : "has " + loads.size() + " load phases"),
                    "give the protocol one load phase, at most as long as the whole benchmark, such as protocol: load=60s");
        }
    }

    /** Refuses localhost as the target of agents on other machines, which would load their own machine. */
    private void checkTarget(LoadTemplate load) {
        boolean here = local(settings.controller().getHost())
                && settings.agents().stream()
                        .map(agent -> agent.replaceFirst("^.*@", "").replaceFirst(":\\d+$", ""))
                        .allMatch(HyperfoilEngine::local);
        String url = settings.target().orElse(load.calls().getFirst().url());
        String rest = url.replaceFirst("^http://", "");
        String host = rest.replaceFirst(rest.startsWith("[") ? "(?<=]).*$" : "[:/?].*$", "");
        if (!here && local(host)) {
            throw KilnException.usage(
                    "load: agents on other machines cannot reach " + host,
                    "name this machine as they see it: load: {hyperfoil: {target: 'http://10.0.0.5:${port}'}},"
                            + " and have the service listen there");
        }
    }

    private static boolean local(String host) {
        return host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
    }
}
