package dev.kiln.engines;

import dev.kiln.host.Programs;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.LoadEngine;
import dev.kiln.model.LoadSpec.HttpCall;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A program of the system's packages.
 *
 * @param packages what to install for it
 */
record Installed(LoadEngine engine, String packages) {
    private static final Pattern VERSION = Pattern.compile("(?:wrk|h2load) (\\S+)");

    Path program() {
        return Programs.find(engine.id())
                .orElseThrow(() -> new KilnException(
                        Exit.MACHINE,
                        "load: " + engine.id() + " is not installed: no such program in the PATH",
                        "install it: " + packages + "; or leave out engine: Kiln's own driver needs no program"));
    }

    String version(String flag) {
        Matcher version = VERSION.matcher(Programs.says(List.of(program().toString(), flag)));
        return version.find() ? version.group(1) : "of unknown version";
    }

    /** As both take them. */
    static Stream<String> headers(HttpCall call) {
        return call.headers().entrySet().stream()
                .flatMap(header -> Stream.of("-H", header.getKey() + ": " + header.getValue()));
    }

    /** Both take whole seconds. */
    static long seconds(Duration timeout) {
        return Math.max(1, timeout.plusMillis(999).toSeconds());
    }
}
