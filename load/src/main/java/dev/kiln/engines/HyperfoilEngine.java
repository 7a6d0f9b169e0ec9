package dev.kiln.engines;

import dev.kiln.engines.HyperfoilController.Unanswered;
import dev.kiln.engines.HyperfoilSession.Setup;
import dev.kiln.load.LoadDriver;
import dev.kiln.load.LoadSession;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings.Hyperfoil;
import dev.kiln.model.experiment.LoadTemplate.TemplateCall;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.run.Provenance;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

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
    public Optional<String> blind() {
        return settings.benchmark().map(file -> "your own benchmark has its own phases");
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
        if (load.overTls()) {
            throw HyperfoilBenchmark.cannot("requests over TLS (https)");
        }
        if (load.poisson()) {
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
        List<Phase.Load> loads = protocol.loads();
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

    /** A HyperfoilDriver has a controller, with its agents on other machines, do a run of its own for each load phase. */
    static final class HyperfoilDriver implements LoadDriver {
        private static final long SECOND = 1_000_000_000L;

        private final HyperfoilController controller;
        private final Setup setup;

        /** @param temporary folder for what the controller sends; the caller deletes it */
        HyperfoilDriver(Hyperfoil settings, Path temporary) {
            controller = new HyperfoilController(settings.controller());
            try {
                String version = controller.version();
                controller.clock();
                // Others may use the same controller.
                String name = "kiln-" + UUID.randomUUID().toString().substring(0, 8);
                setup = new Setup(controller, version, settings, name, temporary);
            } catch (Unanswered e) {
                controller.close();
                throw controller.unreachable(e);
            }
        }

        Setup setup() {
            return setup;
        }

        @Override
        public DriverInfo info() {
            Hyperfoil settings = setup.settings();
            String version = setup.version();
            String senders = settings.agents().isEmpty()
                    ? "sent by the controller's own JVM, which stays from one phase to the next"
                    : "sent by agents on " + String.join(", ", settings.agents()) + ", in new JVMs for each phase";
            List<String> notes = new ArrayList<>();
            notes.add("its JVMs warm up while they measure, and Kiln does not watch them");
            settings.benchmark().ifPresent(file -> notes.add("the benchmark is the user's own, " + file));
            if (settings.benchmark().isEmpty() && !HyperfoilBenchmark.cacheOptional(version)) {
                notes.add(
                        "this version of Hyperfoil answers requests from its own cache if the service's headers allow that");
            }
            return new DriverInfo(
                    "hyperfoil",
                    version + " at " + controller,
                    senders + "; 1 s bins, by request start, with quantiles for each, read when a phase has ended;"
                            + " new connections for each phase",
                    notes);
        }

        @Override
        public Optional<Provenance> provenance() {
            return Optional.of(new Provenance(
                    List.of("the series of Hyperfoil " + setup.version() + " at " + controller
                            + ", which Kiln had run"),
                    new Provenance.SourceBins(SECOND, true, Provenance.SourceKind.TIME),
                    true,
                    true,
                    true,
                    OptionalLong.of(controller.uncertaintyNanos()),
                    List.of()));
        }

        @Override
        public OptionalLong pid() {
            return OptionalLong.empty();
        }

        /** Has the controller check the user's own benchmark. Nothing is warmed up, because there is no service yet. */
        @Override
        public WarmUp warmUp() {
            setup.settings().benchmark().ifPresent(file -> {
                try {
                    controller.upload(HyperfoilBenchmark.yaml(file));
                } catch (Unanswered e) {
                    throw controller.unreachable(e);
                }
            });
            return WarmUp.NONE;
        }

        @Override
        public LoadSession open(LoadSpec spec, Path runDirectory, long launchNanos) {
            return new HyperfoilSession(setup, spec, runDirectory, launchNanos);
        }

        @Override
        public void close() {
            if (setup.settings().benchmark().isEmpty()) {
                controller.delete(setup.name());
            }
            controller.close();
        }
    }
}
