package dev.kiln.engines;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.load.LoadDriver;
import dev.kiln.load.driver.DriverPlace;
import dev.kiln.load.driver.FarDriver;
import dev.kiln.load.driver.NettyDriver;
import dev.kiln.load.driver.Trait;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings;
import dev.kiln.model.experiment.LoadTemplate.Feeding;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.experiment.LoadTemplate.TemplateCall;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.load.LoadSpec.Feed;
import dev.kiln.model.load.LoadSpec.Feed.Order;
import dev.kiln.model.load.Shape;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/** Engines are all engines by their names, which an experiment file and {@code --engine} use. */
public final class Engines {
    private static final List<Named> ALL = List.of(
            new Named(LoadEngine.KILN, load -> new Own(load.feed(), traits(load))),
            new Named(Wrk.NAME, load -> new ToolEngine(new Wrk(ProcFs.ofThisMachine()))),
            new Named(H2load.NAME, load -> new ToolEngine(new H2load())),
            new Named(Vegeta.NAME, load -> new ToolEngine(new Vegeta())),
            new Named(EngineSettings.GhzCall.ENGINE, load -> new ToolEngine(Ghz.of(load))),
            new Named(EngineSettings.JMeterPlan.ENGINE, load -> new ToolEngine(JMeter.of(load))),
            new Named(EngineSettings.GatlingTemplate.ENGINE, load -> new ToolEngine(Gatling.of(load))),
            new Named(EngineSettings.Hyperfoil.ENGINE, HyperfoilEngine::of));

    /** A Named is an engine with its name; it is made from the load that it is to send. */
    private record Named(LoadEngine name, Function<LoadTemplate, Engine> engine) {}

    private Engines() {}

    /** Returns the names of all engines, Kiln's own first. */
    public static List<LoadEngine> names() {
        return ALL.stream().map(Named::name).toList();
    }

    /** Returns the engine that a load names, with the load's settings for it. */
    public static Engine of(LoadTemplate load) {
        return ALL.stream()
                .filter(one -> one.name().equals(load.engine()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "no engine " + load.engine().id()))
                .engine()
                .apply(load);
    }

    /** Starts Kiln's own driver in another place. */
    public static LoadDriver elsewhere(LoadTemplate load, DriverPlace place) {
        return new FarDriver(place, load.feed().map(Feeding::table), traits(load));
    }

    private static Set<Trait> traits(LoadTemplate load) {
        Set<Trait> traits = EnumSet.noneOf(Trait.class);
        if (load.overTls()) {
            traits.add(Trait.TLS);
        }
        if (load.http2().isPresent()) {
            traits.add(Trait.HTTP2);
        }
        if (load.varies()) {
            traits.add(Trait.VARIED);
        }
        if (load.inSession()) {
            traits.add(Trait.SESSION);
        }
        return traits;
    }

    /** Own is the engine of Kiln's own driver, which can send every load. */
    private record Own(Optional<Feeding> feed, Set<Trait> traits) implements Engine {
        @Override
        public void check(LoadTemplate load, Protocol protocol) {
            NettyDriver.check(load.connections(), load.http2());
            protocol.shaped()
                    .forEach(phase -> check(load, phase.name(), phase.shape().orElseThrow()));
            protocol.untilKnown().forEach(phase -> checkUntilKnown(load, phase.name()));
            if (load.poisson() && load.rate().isEmpty()) {
                throw KilnException.usage(
                        "poisson arrivals need a rate, and the load has none", "add a rate, or leave them out");
            }
            feed.flatMap(some -> some.variables().feed())
                    .filter(some -> some.order() == Order.UNIQUE && load.rate().isPresent())
                    .ifPresent(
                            some -> checkRows(some, feed.orElseThrow().table().columns(), load, protocol));
        }

        private static void check(LoadTemplate load, String phase, Shape shape) {
            if (load.replay().isPresent()) {
                throw KilnException.usage(
                        "phase " + phase + " changes the load, and a recording has its own times",
                        "give the phase a plain load, or leave the replay out");
            }
            if (shape.of() == Shape.Of.CONNECTIONS && shape.most() > load.connections()) {
                throw KilnException.usage(
                        String.format(
                                Locale.ROOT,
                                "phase %s goes up to %.0f connections, and the load has %d",
                                phase,
                                shape.most(),
                                load.connections()),
                        String.format(Locale.ROOT, "give the load %.0f connections", shape.most()));
            }
            if (shape.of() == Shape.Of.RATE && load.rate().isEmpty()) {
                throw KilnException.usage(
                        "phase " + phase + " changes the rate, and the load has none",
                        String.format(
                                Locale.ROOT,
                                "give the load the rate of the phases after it, such as %.0f",
                                shape.most()));
            }
        }

        /** Refuses to end a load early by its throughput where that is what was offered, not what the service can do. */
        private static void checkUntilKnown(LoadTemplate load, String phase) {
            boolean thinks = load.calls().stream()
                    .flatMap(call -> call.step().stream())
                    .anyMatch(step -> !step.think().isZero());
            if (load.rate().isPresent() || load.replay().isPresent() || thinks) {
                throw KilnException.usage(
                        "phase " + phase + " ends when its throughput is known (until-known), and the load's "
                                + (load.replay().isPresent()
                                        ? "recording"
                                        : load.rate().isPresent() ? "rate" : "time to think")
                                + " sets the throughput",
                        "give the phase its length, such as load: 60s");
            }
        }

        /** Refuses an open loop that would need more rows than the feed has, as its rate says beforehand. */
        private static void checkRows(Feed feed, List<String> columns, LoadTemplate load, Protocol protocol) {
            double seconds = protocol.loads().stream()
                    .filter(phase -> phase.shape().isEmpty())
                    .mapToDouble(phase ->
                            phase.earliestEnd().orElse(phase.duration()).toMillis() / 1e3)
                    .sum();
            double fed = load.inSession()
                    ? 1
                    : load.calls().stream()
                            .filter(call -> call.feeds(columns))
                            .mapToInt(TemplateCall::weight)
                            .sum();
            double all = load.calls().stream().mapToInt(TemplateCall::weight).sum();
            long needed = (long) (load.rate().orElse(0) * seconds * fed / all);
            if (needed > feed.rows()) {
                throw KilnException.usage(
                        "load: " + feed.name() + " has " + feed.rows() + " rows, the protocol sends at least " + needed
                                + " requests with one, and none is sent twice (order: unique)",
                        "add rows, send less, or let the rows come again: order: sequential");
            }
        }

        @Override
        public Optional<String> preparation() {
            return Optional.of("warming up the load driver");
        }

        @Override
        public LoadDriver driver(List<String> prefix, Path temporary) {
            return new NettyDriver(prefix, temporary, feed.map(Feeding::table), traits);
        }
    }
}
