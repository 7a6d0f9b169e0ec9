package dev.kiln.compare;

import dev.kiln.model.HttpCall;
import dev.kiln.model.LoadSpec;
import dev.kiln.model.Phase;
import dev.kiln.model.Protocol;
import dev.kiln.model.RunInfo;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What must be alike for two experiments to be compared, in words. */
final class Circumstances {
    private Circumstances() {}

    static Map<String, String> of(RunInfo info) {
        Map<String, String> out = new LinkedHashMap<>();
        out.put("protocols", protocol(info.protocol()));
        out.put("load", load(info.load()));
        out.put("load drivers", info.driver());
        out.put("hosts", host(info.host()));
        out.put(
                "CPUs of the target",
                info.cpus().pinned() ? info.cpus().target().size() + " bound" : "not bound");
        return out;
    }

    private static String protocol(Protocol protocol) {
        String found = protocol.reference()
                .map(reference ->
                        ", until the reference is found" + (reference.favoured() ? " with the compilers favoured" : ""))
                .orElse("");
        return protocol.phases().stream()
                        .map(phase -> Circumstances.phase(phase))
                        .collect(Collectors.joining(", "))
                + found;
    }

    private static String phase(Phase phase) {
        return switch (phase) {
            case Phase.Load load ->
                "load " + seconds(load.duration())
                        + load.untilSteadyFrom()
                                .map(from -> " or until steady from " + seconds(from))
                                .orElse("");
            case Phase.Pause pause -> "pause " + seconds(pause.duration());
        };
    }

    /** Without host and port: a free port is another one each time. */
    private static String load(LoadSpec load) {
        String calls = load.calls().stream().map(Circumstances::call).collect(Collectors.joining(" + "));
        String rate = load.rate().isPresent()
                ? String.format(
                        Locale.ROOT, "%.3f requests/s over ", load.rate().getAsDouble())
                : "";
        return calls + ", " + rate + load.connections() + " connections";
    }

    private static String call(HttpCall call) {
        String query = call.url().getRawQuery();
        String body =
                call.body().map(text -> " with a body of " + text.length()).orElse("");
        return call.method() + " " + call.url().getRawPath() + (query == null ? "" : "?" + query) + body
                + (call.weight() == 1 ? "" : " x" + call.weight());
    }

    private static String host(RunInfo.HostInfo host) {
        return host.cpuModel() + ", " + host.cpus() + " CPUs, "
                + Math.round(host.memoryBytes() / (double) (1 << 30)) + " GiB, kernel " + host.kernel() + ", "
                + host.scheduler();
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.0f s", duration.toMillis() / 1e3);
    }
}
