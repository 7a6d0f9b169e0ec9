package dev.kiln.engines;

import dev.kiln.host.Programs;
import dev.kiln.model.HttpCall;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.LoadEngine;
import dev.kiln.model.LoadSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A program that sends load.
 *
 * @param meaning what its figures mean
 * @param packages what to install for it
 */
record Tool(LoadEngine engine, String meaning, String packages) {
    private static final Pattern VERSION = Pattern.compile("(?:wrk|h2load) (\\S+)");

    static Tool of(LoadEngine engine) {
        return switch (engine) {
            case WRK ->
                new Tool(
                        engine,
                        "closed loop, new connections for each phase; totals and quantiles of a whole phase, no curve;"
                                + " a 3xx counts as good, and a request that could not be sent not at all",
                        "apt-get install wrk, or dnf install wrk");
            case H2LOAD ->
                new Tool(
                        engine,
                        "closed loop, new connections for each phase; 100 ms bins by completion, from its log of each"
                                + " request; connections that are reset are lost for the phase, and time out only when they"
                                + " are silent",
                        "apt-get install nghttp2-client, or dnf install nghttp2");
            case KILN, HYPERFOIL -> throw new IllegalArgumentException(engine.id() + " is no program");
        };
    }

    Path program() {
        return Programs.find(engine.id())
                .orElseThrow(() -> new KilnException(
                        Exit.MACHINE,
                        "load: " + engine.id() + " is not installed: no such program in the PATH",
                        "install it: " + packages + "; or leave out engine: Kiln's own driver needs no program"));
    }

    String version() {
        String flag = engine == LoadEngine.WRK ? "-v" : "--version";
        Matcher version = VERSION.matcher(Programs.says(List.of(program().toString(), flag)));
        return version.find() ? version.group(1) : "of unknown version";
    }

    /**
     * The command for one phase.
     *
     * @param log where h2load writes its requests
     * @param body file with the body to post
     */
    List<String> command(LoadSpec spec, Duration duration, Path log, Optional<Path> body) {
        List<String> command = new ArrayList<>();
        command.add(program().toString());
        command.addAll(
                switch (engine) {
                    case WRK ->
                        List.of(
                                "--threads",
                                "1",
                                "--connections",
                                "" + spec.connections(),
                                "--duration",
                                duration.toSeconds() + "s",
                                "--timeout",
                                seconds(spec.timeout()) + "s",
                                "--latency");
                    case H2LOAD ->
                        List.of(
                                "--h1",
                                "--threads=1",
                                "--clients=" + spec.connections(),
                                "--duration=" + duration.toSeconds(),
                                "--connection-inactivity-timeout=" + seconds(spec.timeout()),
                                "--log-file=" + log);
                    case KILN, HYPERFOIL -> throw new IllegalStateException(engine.id() + " is no program");
                });
        HttpCall call = spec.calls().getFirst();
        call.headers().forEach((name, value) -> command.addAll(List.of("-H", name + ": " + value)));
        body.ifPresent(file -> command.add("--data=" + file));
        command.add(call.url().toString());
        return command;
    }

    /** Both take whole seconds. */
    private static long seconds(Duration timeout) {
        return Math.max(1, timeout.plusMillis(999).toSeconds());
    }
}
