package dev.kiln.engines;

import dev.kiln.engines.Tool.Installed;
import dev.kiln.engines.Tool.Job;
import dev.kiln.importer.ToolOutput;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.program.WrkOutput;
import dev.kiln.model.LoadTemplate.Call;
import dev.kiln.model.LoadTemplate.LoadEngine;
import java.util.List;
import java.util.Optional;

/** wrk, which reports only totals. */
record Wrk() implements Installed {
    @Override
    public LoadEngine engine() {
        return LoadEngine.WRK;
    }

    @Override
    public String packages() {
        return "apt-get install wrk, or dnf install wrk";
    }

    @Override
    public String meaning() {
        return "closed loop, new connections for each phase; totals and quantiles of a whole phase, no curve;"
                + " a 3xx counts as good, and a request that could not be sent not at all";
    }

    @Override
    public boolean totals() {
        return true;
    }

    @Override
    public Optional<String> unable(Call call) {
        return call.method().equals("GET") && call.body().isEmpty()
                ? Optional.empty()
                : Optional.of(call.method() + (call.body().isPresent() ? " with a body" : ""));
    }

    @Override
    public List<String> command(Job job) {
        return command(
                job,
                "--threads",
                "1",
                "--connections",
                "" + job.spec().connections(),
                "--duration",
                job.phase().duration().toSeconds() + "s",
                "--timeout",
                Installed.seconds(job.spec().timeout()) + "s",
                "--latency");
    }

    @Override
    public Optional<ToolOutput.Phase> read(Job job, Ended ended) {
        return ended.stopped()
                ? Optional.empty()
                : Optional.of(ToolOutput.of(
                        WrkOutput.parse(
                                Lines.of(ended.running().output()), job.phase().name()),
                        job.phase().name(),
                        -ended.startNanos(),
                        job.spec().connections()));
    }
}
