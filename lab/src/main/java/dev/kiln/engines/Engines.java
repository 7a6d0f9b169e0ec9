package dev.kiln.engines;

import dev.kiln.load.LoadDriver;
import dev.kiln.load.driver.NettyDriver;
import dev.kiln.model.LoadTemplate;
import dev.kiln.model.Protocol;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** All engines. {@link dev.kiln.model.LoadTemplate.LoadEngine} has their names, which an experiment file and {@code --engine} take. */
public final class Engines {
    private Engines() {}

    /** The engine that a load names, with its settings. */
    public static Engine of(LoadTemplate load) {
        return switch (load.engine()) {
            case KILN -> new Own();
            case WRK -> new ToolEngine(new Wrk());
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
