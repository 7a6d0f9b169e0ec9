package dev.kiln.engines;

import dev.kiln.engines.Tool.Installed;
import dev.kiln.engines.Tool.Job;
import dev.kiln.engines.ToolShell.Running;
import dev.kiln.files.OutputFile;
import dev.kiln.importer.ToolOutput;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.program.H2loadLog;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.experiment.LoadTemplate.TemplateCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** An H2load runs h2load for each phase and reads its log, which has a line for each request. */
record H2load() implements Installed {
    static final LoadEngine NAME = new LoadEngine("h2load");

    @Override
    public LoadEngine engine() {
        return NAME;
    }

    @Override
    public String packages() {
        return "apt-get install nghttp2-client, or dnf install nghttp2";
    }

    @Override
    public String meaning() {
        return "closed loop, new connections for each phase; 100 ms bins by completion, from its log of each"
                + " request; connections that are reset are lost for the phase, and time out only when they"
                + " are silent";
    }

    @Override
    public Optional<String> unable(TemplateCall call) {
        boolean post = call.method().equals("POST") && call.body().isPresent();
        boolean get = call.method().equals("GET") && call.body().isEmpty();
        return get || post
                ? Optional.empty()
                : Optional.of(call.method() + (call.body().isPresent() ? " with a body" : ""));
    }

    @Override
    public void prepare(Job job) throws IOException {
        Files.deleteIfExists(log(job));
        if (job.call().body().isPresent()) {
            OutputFile.replace(body(job), job.call().body().get());
        }
    }

    private static Path log(Job job) {
        return job.folder().resolve("requests.log");
    }

    private static Path body(Job job) {
        return job.folder().resolve("body");
    }

    @Override
    public List<String> command(Job job) {
        List<String> options = new ArrayList<>(List.of(
                "--h1",
                "--threads=1",
                "--clients=" + job.spec().connections(),
                "--duration=" + job.phase().duration().toSeconds(),
                "--connection-inactivity-timeout="
                        + Installed.seconds(job.spec().timeout()),
                "--log-file=" + log(job)));
        job.call().body().ifPresent(body -> options.add("--data=" + body(job)));
        return command(job, options.toArray(String[]::new));
    }

    /** Reads the growing log, into which h2load writes each request as soon as it has ended. */
    @Override
    public LiveSeconds live(Job job, Running running) {
        return LiveLog.prompt(
                job,
                log(job),
                (file, log, requests) -> H2loadLog.parse(new Lines(file.toString(), log), requests, gap -> {}));
    }

    @Override
    public Optional<ToolOutput.ToolPhase> read(Job job, Ended ended) {
        return H2loadLog.of(log(job))
                .map(requests -> job.told(requests, ended, job.spec().connections()));
    }
}
