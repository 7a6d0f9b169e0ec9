package dev.kiln.engines;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.load.LoadDriver;
import dev.kiln.load.driver.NettyDriver;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.LoadSpec.Arrivals;
import dev.kiln.model.LoadTemplate;
import dev.kiln.model.Protocol;
import dev.kiln.model.Shape;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** All engines. {@link dev.kiln.model.LoadTemplate.LoadEngine} has their names, which an experiment file and {@code --engine} take. */
public final class Engines {
    private Engines() {}

    /** The engine that a load names, with its settings. */
    public static Engine of(LoadTemplate load) {
        return switch (load.engine()) {
            case KILN -> new Own();
            case WRK -> new ToolEngine(new Wrk(ProcFs.ofThisMachine()));
            case H2LOAD -> new ToolEngine(new H2load());
            case GATLING -> new ToolEngine(Gatling.of(load));
            case HYPERFOIL -> HyperfoilEngine.of(load);
        };
    }

    /** Kiln's own driver, which can send every load. */
    private record Own() implements Engine {
        @Override
        public void check(LoadTemplate load, Protocol protocol) {
            NettyDriver.check(load.connections(), load.http2());
            protocol.shaped()
                    .forEach(phase -> check(load, phase.name(), phase.shape().orElseThrow()));
            if (load.arrivals().filter(Arrivals.POISSON::equals).isPresent()
                    && load.rate().isEmpty()) {
                throw new KilnException(
                        Exit.USAGE,
                        "poisson arrivals need a rate, and the load has none",
                        "add a rate, or leave them out");
            }
        }

        private static void check(LoadTemplate load, String phase, Shape shape) {
            if (shape.of() == Shape.Of.CONNECTIONS && shape.most() > load.connections()) {
                throw new KilnException(
                        Exit.USAGE,
                        String.format(
                                Locale.ROOT,
                                "phase %s goes up to %.0f connections, and the load has %d",
                                phase,
                                shape.most(),
                                load.connections()),
                        String.format(Locale.ROOT, "give the load %.0f connections", shape.most()));
            }
            if (shape.of() == Shape.Of.RATE && load.rate().isEmpty()) {
                throw new KilnException(
                        Exit.USAGE,
                        "phase " + phase + " changes the rate, and the load has none",
                        String.format(
                                Locale.ROOT,
                                "give the load the rate of the phases after it, such as %.0f",
                                shape.most()));
            }
        }

        @Override
        public Optional<String> preparation() {
            return Optional.of("warming up the load driver");
        }

        @Override
        public LoadDriver driver(List<String> prefix, Path temporary) {
            return new NettyDriver(prefix, temporary);
        }
    }
}
