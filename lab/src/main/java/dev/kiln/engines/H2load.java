package dev.kiln.engines;

import dev.kiln.engines.Tool.Installed;
import dev.kiln.engines.Tool.Job;
import dev.kiln.importer.ToolOutput;
import dev.kiln.model.LoadTemplate.Call;
import dev.kiln.model.LoadTemplate.LoadEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** h2load, which logs each request. */
record H2load() implements Tool {
    private static final Installed INSTALLED =
            new Installed(LoadEngine.H2LOAD, "apt-get install nghttp2-client, or dnf install nghttp2");

    @Override
    public LoadEngine engine() {
        return LoadEngine.H2LOAD;
    }

    @Override
    public String meaning() {
        return "closed loop, new connections for each phase; 100 ms bins by completion, from its log of each"
                + " request; connections that are reset are lost for the phase, and time out only when they"
                + " are silent";
    }

    @Override
    public void require() {
        INSTALLED.program();
    }

    @Override
    public String version() {
        return INSTALLED.version("--version");
    }

    @Override
    public Optional<String> unable(Call call) {
        boolean post = call.method().equals("POST") && call.body().isPresent();
        boolean get = call.method().equals("GET") && call.body().isEmpty();
        return get || post
                ? Optional.empty()
                : Optional.of(call.method() + (call.body().isPresent() ? " with a body" : ""));
    }

    @Override
    public void prepare(Job job) {
        try {
            Files.deleteIfExists(log(job));
            if (job.call().body().isPresent()) {
                Files.writeString(body(job), job.call().body().get());
            }
        } catch (IOException e) {
            throw job.noRoom(e);
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
        Stream<String> command = Stream.of(
                INSTALLED.program().toString(),
                "--h1",
                "--threads=1",
                "--clients=" + job.spec().connections(),
                "--duration=" + job.phase().duration().toSeconds(),
                "--connection-inactivity-timeout="
                        + Installed.seconds(job.spec().timeout()),
                "--log-file=" + log(job));
        return Stream.of(
                        command,
                        Installed.headers(job.call()),
                        job.call().body().map(body -> "--data=" + body(job)).stream(),
                        Stream.of(job.call().url().toString()))
                .flatMap(words -> words)
                .toList();
    }

    @Override
    public Optional<ToolOutput.Phase> read(Job job, Ended ended) {
        return ToolOutput.h2load(
                log(job),
                job.phase().name(),
                ended.launchEpochNanos(),
                job.spec().connections());
    }
}
