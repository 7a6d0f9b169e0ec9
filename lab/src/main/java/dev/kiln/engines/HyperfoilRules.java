package dev.kiln.engines;

import dev.kiln.engines.HyperfoilController.Unanswered;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.LoadTemplate;
import dev.kiln.model.LoadTemplate.Call;
import dev.kiln.model.LoadTemplate.EngineSettings;
import dev.kiln.model.LoadTemplate.EngineSettings.Hyperfoil;
import dev.kiln.model.LoadTemplate.LoadEngine;
import dev.kiln.model.Protocol;
import dev.kiln.model.Protocol.Phase;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What Hyperfoil cannot send as Kiln would, and whether its controller is there. */
final class HyperfoilRules {
    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE");

    private HyperfoilRules() {}

    static void check(LoadTemplate load, Protocol protocol) {
        Hyperfoil settings = settings(load);
        settings.benchmark().ifPresentOrElse(file -> checkOwn(file, protocol), () -> checkMade(load, settings));
        checkTarget(load, settings);
        try (HyperfoilController controller = new HyperfoilController(settings.controller())) {
            controller.version();
        } catch (Unanswered e) {
            throw unreachable(settings.controller(), String.valueOf(e.getMessage()));
        }
    }

    static Hyperfoil settings(LoadTemplate load) {
        Optional<EngineSettings> settings = load.settings();
        if (settings.isPresent() && settings.get() instanceof Hyperfoil hyperfoil) {
            return hyperfoil;
        }
        throw new KilnException(
                Exit.USAGE,
                "load: engine hyperfoil wants to know its controller",
                "write it in the experiment file: load: {engine: hyperfoil, hyperfoil: {controller: http://lab1:8090}}");
    }

    static KilnException unreachable(URI controller, String why) {
        return new KilnException(
                Exit.MACHINE,
                "load: no controller of Hyperfoil answers at " + controller + ": " + why,
                "start one (bin/standalone.sh, or bin/controller.sh for agents on other machines), or mend"
                        + " load: {hyperfoil: {controller: URL}}");
    }

    private static void checkMade(LoadTemplate load, Hyperfoil settings) {
        if (load.calls().size() > 1) {
            throw cannot("several calls");
        }
        load.calls().forEach(HyperfoilRules::check);
        int least = settings.threads() * Math.max(1, settings.agents().size());
        if (load.connections() < least) {
            throw new KilnException(
                    Exit.USAGE,
                    "load: " + load.connections() + " connections are fewer than the " + least
                            + " threads of all agents, each of which opens one at least",
                    "take more connections, or fewer threads or agents");
        }
    }

    private static void check(Call call) {
        if (call.bodyContains().isPresent()) {
            throw cannot("requests whose bodies are checked (bodyContains)");
        }
        if (!METHODS.contains(call.method())) {
            throw cannot(call.method());
        }
        if (call.headers().values().stream().anyMatch(value -> value.contains("$${"))) {
            throw cannot("headers with a ${...} of their own, which it would replace");
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
            throw new KilnException(
                    Exit.USAGE,
                    "load: a benchmark of your own has its own phases, and the protocol "
                            + (search
                                    ? "looks for the reference in several loads"
                                    : untilSteady
                                            ? "loads until it is steady"
                                            : "has " + loads.size() + " load phases"),
                    "give the protocol one load phase, as long as all of the benchmark at most: protocol: load=60s");
        }
    }

    /** An agent elsewhere that is sent to localhost loads its own machine. */
    private static void checkTarget(LoadTemplate load, Hyperfoil settings) {
        boolean here = local(settings.controller().getHost())
                && settings.agents().stream()
                        .map(agent -> agent.replaceFirst("^.*@", "").replaceFirst(":\\d+$", ""))
                        .allMatch(HyperfoilRules::local);
        String url = settings.target().orElse(load.calls().getFirst().url());
        String rest = url.replaceFirst("^http://", "");
        String host = rest.replaceFirst(rest.startsWith("[") ? "(?<=]).*$" : "[:/?].*$", "");
        if (!here && local(host)) {
            throw new KilnException(
                    Exit.USAGE,
                    "load: agents on other machines cannot reach " + host,
                    "name this machine as they see it: load: {hyperfoil: {target: 'http://10.0.0.5:${port}'}},"
                            + " and have the service listen there");
        }
    }

    private static boolean local(String host) {
        return host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
    }

    static KilnException cannot(String what) {
        return new KilnException(
                Exit.USAGE,
                "load: " + LoadEngine.HYPERFOIL.id() + " cannot send " + what,
                "leave it out, or the engine: Kiln's own can; or write a benchmark of your own:"
                        + " load: {hyperfoil: {benchmark: FILE}}");
    }
}
