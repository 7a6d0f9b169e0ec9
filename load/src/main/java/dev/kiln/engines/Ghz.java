package dev.kiln.engines;

import dev.kiln.engines.Tool.Installed;
import dev.kiln.engines.Tool.Job;
import dev.kiln.engines.ToolShell.Running;
import dev.kiln.files.OutputFile;
import dev.kiln.host.process.Signal;
import dev.kiln.importer.ToolOutput;
import dev.kiln.importer.format.Json;
import dev.kiln.importer.program.GhzReport;
import dev.kiln.load.LoadSession.AttemptResult;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings.GhzCall;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings.GhzData;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.experiment.LoadTemplate.TemplateCall;
import dev.kiln.model.load.LoadSpec.HttpCall;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** A Ghz runs ghz for each phase, which calls a service by gRPC and writes a report of all calls at its end. */
record Ghz(GhzCall settings) implements Installed {
    static Ghz of(LoadTemplate load) {
        return load.settings(GhzCall.class)
                .map(Ghz::new)
                .orElseThrow(() -> KilnException.usage(
                        "load: engine ghz needs a call",
                        "name it in the experiment file, below load: ghz: {call: helloworld.Greeter/SayHello, proto:"
                                + " greeter.proto}; kiln help load has an example"));
    }

    @Override
    public LoadEngine engine() {
        return GhzCall.ENGINE;
    }

    @Override
    public String packages() {
        return "go install github.com/bojand/ghz/cmd/ghz@latest, or brew install ghz";
    }

    @Override
    public String meaning() {
        return "calls " + settings.call() + " by gRPC, over new connections for each phase; with a rate an open loop,"
                + " without one a closed loop; 100 ms bins by completion, from its report of each call; good is the"
                + " status OK; latency counts from when ghz made the call, not from when it was due";
    }

    @Override
    public void require() {
        require("--help", "--duration-stop", "--connections", "--async");
    }

    /** Returns nothing: ghz prints its version alone. */
    @Override
    public String beforeVersion() {
        return "^v?";
    }

    @Override
    public Optional<String> unable(double rate) {
        return rate == Math.rint(rate)
                ? Optional.empty()
                : Optional.of("a rate that is no whole number of calls a second");
    }

    @Override
    public boolean http2() {
        return true;
    }

    @Override
    public Optional<String> unable(TemplateCall call) {
        return call.method().equals("GET")
                        && call.headers().isEmpty()
                        && call.body().isEmpty()
                ? Optional.empty()
                : Optional.of("a method, headers or a body of HTTP: ghz has call, metadata and data");
    }

    /** Returns what any gRPC server answers, with its settings: the beginning of HTTP/2 (RFC 9113, 3.4). */
    @Override
    public FirstAnswer.Question question(HttpCall call) {
        byte[] preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        byte[] noSettings = {0, 0, 0, 4, 0, 0, 0, 0, 0};
        int typeAt = 3;
        return socket -> {
            connect(socket, call.url());
            socket.getOutputStream().write(preface);
            socket.getOutputStream().write(noSettings);
            byte[] frame = socket.getInputStream().readNBytes(noSettings.length);
            if (frame.length < noSettings.length) {
                return Optional.of(AttemptResult.passing("connection closed before an answer"));
            }
            return frame[typeAt] == noSettings[typeAt]
                    ? Optional.empty()
                    : Optional.of(AttemptResult.noAgreement("the server does not speak HTTP/2, as gRPC does"));
        };
    }

    private static void connect(Socket socket, URI url) throws IOException {
        int millis = 500;
        socket.connect(new InetSocketAddress(url.getHost(), JvmTool.port(url)), millis);
    }

    @Override
    public void prepare(Job job) throws IOException {
        Files.deleteIfExists(report(job));
        if (settings.data() instanceof GhzData.Json json) {
            OutputFile.replace(data(job), json.text());
        }
        // In a file, because others can read the command.
        OutputFile.replace(metadata(job), Json.MAPPER.writeValueAsString(settings.metadata()));
    }

    private static Path report(Job job) {
        return job.folder().resolve("ghz.json");
    }

    private static Path metadata(Job job) {
        return job.folder().resolve("ghz-metadata.json");
    }

    private Path data(Job job) {
        return switch (settings.data()) {
            case GhzData.Json json -> job.folder().resolve("ghz-data.json");
            case GhzData.JsonFile some -> some.file();
        };
    }

    @Override
    public List<String> command(Job job) {
        URI url = job.call().url();
        List<String> command = new ArrayList<>(List.of(
                program().toString(),
                "--insecure",
                "--call=" + settings.call(),
                "--data-file=" + data(job),
                "--metadata-file=" + metadata(job),
                "--concurrency=" + job.spec().inFlight(),
                "--connections=" + job.spec().connections(),
                "--duration=" + job.phase().duration().toSeconds() + "s",
                // What is in flight at the end is no error of the service.
                "--duration-stop=ignore",
                "--timeout=" + job.spec().timeout().toMillis() + "ms",
                "--format=json",
                "--output=" + report(job)));
        settings.proto().ifPresent(proto -> command.add("--proto=" + proto));
        if (!settings.imports().isEmpty()) {
            command.add("--import-paths="
                    + settings.imports().stream().map(Path::toString).collect(Collectors.joining(",")));
        }
        OptionalDouble rate = job.spec().rate();
        if (rate.isPresent()) {
            command.addAll(List.of("--async", "--rps=" + Math.round(rate.getAsDouble())));
        }
        command.add(url.getHost() + ":" + JvmTool.port(url));
        return command;
    }

    /** Returns SIGINT: at other signals ghz ends without its report. */
    @Override
    public Signal ending() {
        return Signal.INT;
    }

    @Override
    public LiveSeconds live(Job job, Running running) {
        return (ended, ticks) -> {};
    }

    @Override
    public Optional<String> blind() {
        return Optional.of("ghz reports nothing before its end");
    }

    @Override
    public Optional<ToolOutput.ToolPhase> read(Job job, Ended ended) {
        return report(job).toFile().length() == 0
                ? Optional.empty()
                : GhzReport.of(report(job))
                        .map(calls -> job.told(
                                calls,
                                ended,
                                job.spec().rate().isPresent() ? 0 : job.spec().inFlight()));
    }
}
