package dev.kiln.engines;

import dev.kiln.engines.HyperfoilController.Unanswered;
import dev.kiln.engines.HyperfoilSession.Setup;
import dev.kiln.load.LoadDriver;
import dev.kiln.load.LoadSession;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings.Hyperfoil;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.run.Provenance;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** A HyperfoilDriver has a controller, with its agents on other machines, do a run of its own for each load phase. */
final class HyperfoilDriver implements LoadDriver {
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
                List.of("the series of Hyperfoil " + setup.version() + " at " + controller + ", which Kiln had run"),
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
