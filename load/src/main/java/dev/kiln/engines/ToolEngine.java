package dev.kiln.engines;

import dev.kiln.load.LoadDriver;
import dev.kiln.load.LoadSession;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.TemplateCall;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.run.Provenance;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A ToolEngine sends the load by a program, which Kiln starts for each phase and whose output it reads at the end. */
record ToolEngine(Tool tool) implements Engine {
    /** Refuses what none of the programs can send, because each would silently send something else. */
    @Override
    public void check(LoadTemplate load, Protocol protocol) {
        check(load);
        check(protocol);
        tool.require();
    }

    private void check(LoadTemplate load) {
        if (load.overTls()) {
            throw tool.cannot("requests over TLS (https)");
        }
        if (load.http2().isPresent() && !tool.http2()) {
            throw tool.cannot("requests over HTTP/2");
        }
        if (load.replay().isPresent()) {
            throw tool.cannot("recorded traffic (replay)");
        }
        load.rate().ifPresent(rate -> refuse(tool.unable(rate)));
        if (load.poisson()) {
            throw tool.cannot("poisson arrivals");
        }
        if (load.inSession()) {
            throw tool.cannot("requests of users with a session (session)");
        }
        if (load.varies()) {
            throw tool.cannot("requests that differ (a feed, ${random:...}, ${uuid}, ${sequence} or ${text:...})");
        }
        if (load.success().isPresent()) {
            throw tool.cannot("requests of which you say what is a success (success)");
        }
        if (load.calls().size() > 1) {
            throw tool.cannot("several calls");
        }
        for (TemplateCall call : load.calls()) {
            if (call.bodyContains().isPresent()) {
                throw tool.cannot("requests whose bodies are checked (bodyContains)");
            }
            refuse(tool.unable(call));
        }
    }

    private void check(Protocol protocol) {
        if (!protocol.shaped().isEmpty()) {
            throw tool.cannot(
                    "load that changes (phase " + protocol.shaped().getFirst().name() + ")");
        }
        protocol.untilKnown().forEach(phase -> {
            throw tool.cannot("load until it is known, which Kiln's own driver can (phase " + phase.name() + ")");
        });
        for (Phase phase : protocol.phases()) {
            if (phase instanceof Phase.Load some && some.untilSteadyFrom().isPresent()) {
                tool.blind().ifPresent(why -> {
                    throw tool.cannot("load until it is steady, because " + why + " (phase " + phase.name() + ")");
                });
            }
            if (phase instanceof Phase.Load && phase.duration().toNanosPart() != 0) {
                throw tool.cannot("for a part of a second (phase " + phase.name() + ")");
            }
        }
    }

    private void refuse(Optional<String> unable) {
        unable.ifPresent(what -> {
            throw tool.cannot(what);
        });
    }

    @Override
    public Optional<String> blind() {
        return tool.blind();
    }

    @Override
    public boolean totals() {
        return tool.totals();
    }

    @Override
    public LoadDriver driver(List<String> prefix, Path temporary) {
        return new ToolDriver(tool, tool.version(), new ToolShell(prefix, temporary), temporary);
    }

    /** @param folder for the program's output */
    private record ToolDriver(Tool tool, String version, ToolShell shell, Path folder) implements LoadDriver {
        @Override
        public DriverInfo info() {
            return new DriverInfo(tool.engine().id(), version, tool.meaning(), tool.notes());
        }

        @Override
        public Optional<Provenance> provenance() {
            return tool.totals()
                    ? Optional.of(new Provenance(
                            List.of("the output of " + tool.engine().id() + " " + version + ", which Kiln ran"),
                            new Provenance.SourceBins(0, false, Provenance.SourceKind.TOTAL),
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

        /** Does nothing: machine code needs no warm-up, and a JVM that ends with its phase cannot be warm before it. */
        @Override
        public WarmUp warmUp() {
            return WarmUp.NONE;
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
}
