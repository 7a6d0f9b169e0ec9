package dev.kiln.engines;

import dev.kiln.engines.HyperfoilController.Unanswered;
import dev.kiln.load.LoadDriver;
import dev.kiln.load.LoadSession;
import dev.kiln.model.KilnException;
import dev.kiln.model.LoadSpec;
import dev.kiln.model.LoadTemplate;
import dev.kiln.model.LoadTemplate.EngineSettings.Hyperfoil;
import dev.kiln.model.Protocol.Phase;
import dev.kiln.model.Provenance;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** A Hyperfoil controller as the driver, and its agents on other machines: a run of its own for each load phase. */
public final class HyperfoilDriver implements LoadDriver {
    private static final long SECOND = 1_000_000_000L;

    private final Hyperfoil settings;
    private final HyperfoilController controller;
    private final String version;
    private final Path folder;

    /** Of this driver alone: somebody else may use the same controller. */
    private final String name = "kiln-" + UUID.randomUUID().toString().substring(0, 8);

    private volatile long uncertaintyNanos;

    /**
     * @param load whose settings are those of Hyperfoil
     * @param temporary folder for what the controller tells; the caller deletes it
     */
    public HyperfoilDriver(LoadTemplate load, Path temporary) {
        settings = HyperfoilRules.settings(load);
        folder = temporary;
        controller = new HyperfoilController(settings.controller());
        try {
            version = controller.version();
            clock();
        } catch (Unanswered e) {
            controller.close();
            throw unreachable(e);
        }
    }

    HyperfoilController controller() {
        return controller;
    }

    Hyperfoil settings() {
        return settings;
    }

    Path folder() {
        return folder;
    }

    /** Its clock as it is now: clocks drift, and an experiment lasts. */
    HyperfoilController.Clock clock() throws Unanswered {
        HyperfoilController.Clock clock = controller.clock();
        uncertaintyNanos = clock.uncertaintyNanos();
        return clock;
    }

    HyperfoilBenchmark benchmark(LoadSpec spec, Phase.Load phase) {
        return settings.benchmark()
                .map(file -> HyperfoilBenchmark.own(file, spec, phase, settings))
                .orElseGet(() -> HyperfoilBenchmark.of(name, spec, phase, settings, version));
    }

    KilnException unreachable(Unanswered e) {
        return HyperfoilRules.unreachable(settings.controller(), String.valueOf(e.getMessage()));
    }

    @Override
    public DriverInfo info() {
        String senders = settings.agents().isEmpty()
                ? "sent by the controller's own JVM, which stays from one phase to the next"
                : "sent by agents on " + String.join(", ", settings.agents())
                        + ", JVMs that start anew with each phase";
        List<String> notes = new ArrayList<>();
        notes.add("its JVMs warm up while they measure, and Kiln does not see them");
        settings.benchmark().ifPresent(file -> notes.add("the benchmark is the user's own, " + file));
        if (settings.benchmark().isEmpty() && !HyperfoilBenchmark.cacheOptional(version)) {
            notes.add("this version answers requests from a cache of its own where the service's headers allow it");
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
                List.of("the series of Hyperfoil " + version + " at " + controller + ", which Kiln had run"),
                new Provenance.Bins(SECOND, true, Provenance.Kind.TIME),
                true,
                true,
                true,
                OptionalLong.of(uncertaintyNanos),
                List.of()));
    }

    @Override
    public OptionalLong pid() {
        return OptionalLong.empty();
    }

    /** Has the controller look at a user's own benchmark; there is no service yet to warm up with. */
    @Override
    public WarmUp warmUp() {
        settings.benchmark().ifPresent(file -> {
            try {
                controller.upload(HyperfoilBenchmark.yaml(file));
            } catch (Unanswered e) {
                throw unreachable(e);
            }
        });
        return new WarmUp(Duration.ZERO, 0, true);
    }

    @Override
    public LoadSession open(LoadSpec spec, Path runDirectory, long launchNanos) {
        return new HyperfoilSession(this, spec, runDirectory, launchNanos);
    }

    @Override
    public void close() {
        if (settings.benchmark().isEmpty()) {
            controller.delete(name);
        }
        controller.close();
    }
}
