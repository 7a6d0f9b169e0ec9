package dev.kiln.report;

import dev.kiln.model.Modifier.CompilerPriority;
import dev.kiln.model.Target;
import dev.kiln.model.Variant;
import dev.kiln.tune.Tuning;
import dev.kiln.tune.Tuning.Proof;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A proven cure as configuration, one file for each place where a service is configured. Each says which runs prove it.
 *
 * @param directory of the search
 */
public record TunedFiles(Variant baseline, Tuning tuning, Path directory) {
    /** As Kiln launches a target whose compilers it favours. */
    private static final List<String> PRIORITY =
            List.of("-XX:ThreadPriorityPolicy=1", "-XX:CompilerThreadPriority=-20");

    private static final String CACHE = "/app/app.aot";

    /** By file name. */
    public Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("service.env", service());
        texts.put("systemd.conf", systemd());
        texts.put("kubernetes.yaml", kubernetes());
        if (target().aot().isPresent()) {
            texts.put("Dockerfile", dockerfile());
        }
        return texts;
    }

    private Proof proof() {
        return tuning.winner().orElseThrow();
    }

    private Target target() {
        return proof().candidate().variant().target();
    }

    private boolean favoured() {
        return target().modifier(CompilerPriority.class).isPresent();
    }

    /** Comments that all of these forms understand. */
    private String head(String use) {
        List<String> lines = new ArrayList<>();
        lines.add(use);
        lines.add("Proven by the runs in " + directory.resolve(proof().stage()) + ":");
        lines.add(TuneText.sentence(tuning, baseline));
        tuning.baseline().circumstances().forEach((what, how) -> lines.add("Measured with " + what + ": " + how));
        proof().candidate().cost().ifPresent(cost -> lines.add("It costs: " + cost));
        return lines.stream().map(line -> "# " + line.replace('\n', ' ') + "\n").collect(Collectors.joining());
    }

    /** What the JVM is told; a cache only where it has one. */
    private List<String> flags() {
        List<String> flags = new ArrayList<>(target().jvmFlags());
        baseline.target().jvmFlags().forEach(flags::remove);
        boolean spring = target().virtualThreads() && !baseline.target().virtualThreads();
        if (spring) {
            flags.add("-Dspring.threads.virtual.enabled=true");
        }
        if (favoured()) {
            flags.addAll(PRIORITY);
        }
        if (target().aot().isPresent()) {
            flags.add("-XX:AOTCache=" + CACHE);
        }
        return flags;
    }

    private Map<String, String> environment() {
        Map<String, String> environment = new TreeMap<>();
        target().environment().forEach((name, value) -> {
            if (!value.equals(baseline.target().environment().get(name))) {
                environment.put(name, value);
            }
        });
        if (!flags().isEmpty()) {
            environment.put("JAVA_TOOL_OPTIONS", String.join(" ", flags()));
        }
        return environment;
    }

    private String service() {
        return head("The environment of the service, for a shell or docker run --env-file.")
                + environment().entrySet().stream()
                        .map(one -> one.getKey() + "=" + one.getValue() + "\n")
                        .collect(Collectors.joining());
    }

    private String systemd() {
        StringBuilder out = new StringBuilder(head(
                "A drop-in of systemd: /etc/systemd/system/NAME.service.d/kiln.conf, then systemctl daemon-reload."));
        out.append("[Service]\n");
        environment()
                .forEach((name, value) -> out.append("Environment=\"")
                        .append(name)
                        .append('=')
                        .append(value.replace("\\", "\\\\").replace("\"", "\\\""))
                        .append("\"\n"));
        if (favoured()) {
            out.append("AmbientCapabilities=CAP_SYS_NICE\n");
        }
        return out.toString();
    }

    /** A strategic merge patch: what it does not name stays as it is. */
    private String kubernetes() {
        StringBuilder out = new StringBuilder(
                head("kubectl patch deployment NAME --patch-file kubernetes.yaml, with the names of yours in it."));
        out.append("""
                apiVersion: apps/v1
                kind: Deployment
                metadata:
                  name: NAME
                spec:
                  template:
                    spec:
                      containers:
                        - name: CONTAINER
                          env:
                """);
        environment()
                .forEach((name, value) -> out.append("            - name: ")
                        .append(name)
                        .append("\n              value: '")
                        .append(value.replace("'", "''"))
                        .append("'\n"));
        if (favoured()) {
            out.append("          securityContext:\n            capabilities:\n              add: [SYS_NICE]\n");
        }
        return out.toString();
    }

    private String dockerfile() {
        Target.AotCache cache = target().aot().orElseThrow();
        String load = cache instanceof Target.AotCache.Traffic traffic
                ? "# send the service its usual load for " + traffic.duration().toSeconds()
                        + " s, then stop it with SIGTERM\n"
                : "# wait until it is ready, then stop it with SIGTERM\n";
        return head("Stages that train an AOT cache; IMAGE has the JDK and the service in /app, as production has.")
                + "FROM IMAGE AS training\n"
                + "WORKDIR /app\n"
                + load
                + "RUN java -XX:AOTCacheOutput=" + CACHE + " "
                + String.join(" ", baseline.target().jvmFlags())
                + " -jar app.jar\n\n"
                + "FROM IMAGE\n"
                + "COPY --from=training " + CACHE + " " + CACHE + "\n"
                + "ENV JAVA_TOOL_OPTIONS=\"" + String.join(" ", flags()) + "\"\n";
    }
}
