package dev.kiln.engines;

import dev.kiln.engines.Tool.Installed;
import dev.kiln.engines.Tool.Job;
import dev.kiln.engines.ToolShell.Running;
import dev.kiln.files.OutputFile;
import dev.kiln.importer.ToolOutput;
import dev.kiln.importer.format.Json;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.program.VegetaCsv;
import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.experiment.LoadTemplate.TemplateCall;
import dev.kiln.model.load.LoadSpec.HttpCall;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.node.ObjectNode;

/** A Vegeta runs {@code vegeta attack} for each phase, and {@code vegeta encode} makes lines meanwhile. */
record Vegeta() implements Installed {
    static final LoadEngine NAME = new LoadEngine("vegeta");

    /**
     * This script starts the encoder behind a pipe with a name, and becomes the attack, which so gets the signals. While the
     * pipe is open for both, opening it waits for nobody: so the encoder ends whenever the attack does.
     */
    private static final String SCRIPT = """
            set -e
            pipe=$1 rows=$2 over=$3
            shift 3
            mkfifo "$pipe"
            exec 3<>"$pipe"
            ( exec <"$pipe" 3>&-; "$0" encode -to csv >"$rows" || true; : >"$over" ) &
            exec "$0" attack "$@" >"$pipe" 3>&-
            """;

    private static final long POLL_NANOS = 5_000_000;

    /** The encoder is about as fast as the attack, so little is left when that has ended. */
    private static final long REST_NANOS = 10_000_000_000L;

    @Override
    public LoadEngine engine() {
        return NAME;
    }

    @Override
    public String packages() {
        return "go install github.com/tsenart/vegeta/v12@latest, or brew install vegeta";
    }

    @Override
    public String meaning() {
        return "with a rate an open loop, which opens a connection for each request that finds none idle; without one a"
                + " closed loop; new connections for each phase; 100 ms bins by completion, from its result of each"
                + " request; latency counts from when vegeta sent the request, not from when it was due";
    }

    @Override
    public void require() {
        require("-help", "encode command", "-max-workers", "-max-body");
    }

    @Override
    public String beforeVersion() {
        return "Version: v?";
    }

    @Override
    public Optional<String> unable(double rate) {
        return Optional.empty();
    }

    /** Returns nothing: vegeta sends whatever one call says. */
    @Override
    public Optional<String> unable(TemplateCall call) {
        return Optional.empty();
    }

    @Override
    public void prepare(Job job) throws IOException {
        for (Path old : List.of(pipe(job), rows(job), over(job))) {
            Files.deleteIfExists(old);
        }
        OutputFile.replace(target(job), target(job.call()) + "\n");
    }

    /** Returns a call in the form of {@code -format=json}. */
    private static String target(HttpCall call) {
        ObjectNode target = Json.MAPPER.createObjectNode();
        target.put("method", call.method()).put("url", call.url().toString());
        ObjectNode headers = target.putObject("header");
        call.headers().forEach((name, value) -> headers.putArray(name).add(value));
        call.body()
                .ifPresent(body ->
                        target.put("body", Base64.getEncoder().encodeToString(body.getBytes(StandardCharsets.UTF_8))));
        return target.toString();
    }

    private static Path target(Job job) {
        return job.folder().resolve("target.json");
    }

    private static Path pipe(Job job) {
        return job.folder().resolve("results.pipe");
    }

    private static Path rows(Job job) {
        return job.folder().resolve("results.csv");
    }

    /** Returns the file that appears when all results are in the rows. */
    private static Path over(Job job) {
        return job.folder().resolve("results.over");
    }

    @Override
    public List<String> command(Job job) {
        String connections = Integer.toString(job.spec().connections());
        List<String> command = new ArrayList<>(List.of(
                "/bin/sh",
                "-c",
                SCRIPT,
                program().toString(),
                pipe(job).toString(),
                rows(job).toString(),
                over(job).toString(),
                "-targets=" + target(job),
                "-format=json",
                "-duration=" + job.phase().duration().toSeconds() + "s",
                "-timeout=" + job.spec().timeout().toMillis() + "ms",
                "-http2=false",
                // A redirect is not followed, and no body is kept.
                "-redirects=-1",
                "-max-body=0",
                "-workers=" + connections));
        OptionalDouble rate = job.spec().rate();
        if (rate.isPresent()) {
            command.add("-rate=" + rate(rate.getAsDouble()));
        } else {
            command.addAll(List.of("-rate=0", "-max-workers=" + connections));
        }
        return command;
    }

    /** Returns a rate in whole requests, as vegeta takes it. */
    private static String rate(double rate) {
        return rate == Math.rint(rate)
                ? String.format(Locale.ROOT, "%.0f/1s", rate)
                : Math.max(1, Math.round(rate * 1000)) + "/1000s";
    }

    /** Says what a user can do; the whole command is a script. */
    @Override
    public String remedy(Job job) {
        List<String> command = command(job);
        return "check whether the target still answers; the command was: vegeta attack "
                + String.join(
                        " ",
                        Secrets.HIDDEN.command(
                                command.subList(command.indexOf(over(job).toString()) + 1, command.size())));
    }

    @Override
    public LiveSeconds live(Job job, Running running) {
        return LiveLog.prompt(
                job,
                rows(job),
                (file, log, requests) -> VegetaCsv.parse(new Lines(file.toString(), log), requests, gap -> {}));
    }

    @Override
    public void settle(Job job) {
        long end = System.nanoTime() + REST_NANOS;
        while (Files.exists(pipe(job)) && !Files.exists(over(job)) && System.nanoTime() < end) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    @Override
    public Optional<ToolOutput.ToolPhase> read(Job job, Ended ended) {
        // In the open loop nobody tells how many connections there are.
        int connections = job.spec().rate().isPresent() ? 0 : job.spec().connections();
        return Files.exists(rows(job))
                ? VegetaCsv.of(rows(job)).map(requests -> job.told(requests, ended, connections))
                : Optional.empty();
    }
}
