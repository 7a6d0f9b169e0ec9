package dev.kiln.engines;

import dev.kiln.load.LoadDriver;
import dev.kiln.load.LoadSession;
import dev.kiln.model.LoadSpec;
import dev.kiln.model.LoadTemplate;
import dev.kiln.model.Provenance;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A program as the driver: started for each phase, its output read when it has ended. */
public final class ToolDriver implements LoadDriver {
    private final Tool tool;
    private final String version;
    private final ToolShell shell;
    private final Path folder;

    /**
     * @param prefix put in front of its commands, which replaces itself by them
     * @param temporary folder for its output; the caller deletes it
     */
    public ToolDriver(LoadTemplate load, List<String> prefix, Path temporary) {
        tool = Tool.of(load);
        version = tool.version();
        folder = temporary;
        shell = new ToolShell(prefix, temporary);
    }

    @Override
    public DriverInfo info() {
        return new DriverInfo(tool.engine().id(), version, tool.meaning(), tool.notes());
    }

    @Override
    public Optional<Provenance> provenance() {
        return tool.totals()
                ? Optional.of(new Provenance(
                        List.of("the output of " + tool.engine().id() + " " + version + ", which Kiln ran"),
                        new Provenance.Bins(0, false, Provenance.Kind.TOTAL),
                        true,
                        false,
                        true,
                        OptionalLong.empty(),
                        List.of()))
                : Optional.empty();
    }

    @Override
    public OptionalLong pid() {
        return OptionalLong.of(shell.pid());
    }

    /** Machine code has nothing to warm up, and a JVM that ends with its phase cannot be warm before it. */
    @Override
    public WarmUp warmUp() {
        return new WarmUp(Duration.ZERO, 0, true);
    }

    @Override
    public LoadSession open(LoadSpec spec, Path runDirectory, long launchNanos) {
        return new ToolSession(tool, shell, folder, spec, runDirectory, launchNanos);
    }

    @Override
    public void close() {
        shell.close();
    }
}
