package dev.kiln.report;

import dev.kiln.compare.Measured;
import dev.kiln.model.Metric;
import dev.kiln.model.Modifier;
import dev.kiln.model.Modifier.CompilerPriority;
import dev.kiln.model.Placeholders;
import dev.kiln.model.Secrets;
import dev.kiln.model.Target;
import dev.kiln.model.Target.AotCache;
import dev.kiln.model.Variant;
import dev.kiln.model.Where;
import dev.kiln.stats.Descriptive;
import dev.kiln.text.Show;
import dev.kiln.tune.Candidates;
import dev.kiln.tune.Tuning;
import dev.kiln.tune.Tuning.Proof;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A proven cure as configuration, one file for each place where a service is configured. Each says which runs prove it, and
 * what of the cure it cannot express.
 *
 * @param directory of the search
 * @param secrets what becomes of passwords and tokens
 */
public record TunedFiles(Variant baseline, Tuning tuning, Path directory, Secrets secrets) {
    private static final String ENVIRONMENT = "service.env";
    private static final String SYSTEMD = "systemd.conf";
    private static final String KUBERNETES = "kubernetes.yaml";
    private static final String DOCKERFILE = "Dockerfile";

    private static final String STARTUP_BOOST = "startup-cpu-boost.yaml";
    private static final String AUTOSCALER = "vertical-pod-autoscaler.yaml";

    public static final List<String> NAMES =
            List.of(ENVIRONMENT, SYSTEMD, KUBERNETES, DOCKERFILE, STARTUP_BOOST, AUTOSCALER);

    /** As Kiln launches a target whose compilers it favours. */
    private static final List<String> PRIORITY =
            List.of("-XX:ThreadPriorityPolicy=1", "-XX:CompilerThreadPriority=-20");

    private static final String OPTIONS = "JAVA_TOOL_OPTIONS";
    private static final String CACHE = "/app/app.aot";

    /** By file name. */
    public Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put(ENVIRONMENT, service());
        texts.put(SYSTEMD, systemd());
        texts.put(KUBERNETES, kubernetes());
        if (trained()) {
            texts.put(DOCKERFILE, dockerfile());
        }
        tuning.boost().filter(boost -> isOfTheCure()).ifPresent(boost -> {
            texts.put(STARTUP_BOOST, startupBoost(boost.modifier()));
            texts.put(AUTOSCALER, autoscaler(boost.modifier()));
        });
        return texts;
    }

    private Proof proof() {
        return tuning.winner().orElseThrow();
    }

    private Target target() {
        return proof().candidate().variant().target();
    }

    private Target before() {
        return baseline.target();
    }

    /** Whether the proof had the compilers favoured by flags; from outside the process, there is no configuration for it. */
    private boolean favouredByFlags() {
        return favoured()
                && target().where() instanceof Where.Here
                && target().modifier(CompilerPriority.class)
                        .filter(priority -> priority.by() != CompilerPriority.By.RENICE)
                        .isPresent();
    }

    private boolean favoured() {
        return target().modifier(CompilerPriority.class).isPresent()
                && before().modifier(CompilerPriority.class).isEmpty();
    }

    private boolean isOfTheCure() {
        return !target().modifier(Modifier.CpuBoost.class).equals(before().modifier(Modifier.CpuBoost.class));
    }

    private boolean trained() {
        return !target().aot().equals(before().aot())
                && target().aot()
                        .filter(aot -> !(aot instanceof AotCache.Given))
                        .isPresent();
    }

    /** Comments that all of these forms understand. */
    private String head(String use) {
        return head(List.of(use), besides());
    }

    private String head(List<String> use, List<String> besides) {
        List<String> lines = new ArrayList<>(use);
        lines.add("Proven by the runs in " + directory.resolve(proof().stage()) + ":");
        lines.add(TuneText.sentence(tuning, baseline));
        tuning.baseline().circumstances().forEach((what, how) -> lines.add("Measured with " + what + ": " + how));
        proof().candidate().cost().ifPresent(cost -> lines.add("It costs: " + cost));
        lines.addAll(besides);
        return lines.stream()
                .map(line -> "# " + secrets.text(line).replaceAll("\\s+", " ") + "\n")
                .collect(Collectors.joining());
    }

    /** What a reader has to do besides. */
    private List<String> besides() {
        List<String> lines = new ArrayList<>();
        Candidates.changes(baseline, proof().candidate().variant()).stream()
                .filter(change ->
                        change.startsWith("command ") || change.startsWith("arguments ") || change.startsWith("JDK "))
                .forEach(change -> lines.add("Also needed, and not in this file: " + change));
        target().modifiers().stream()
                .filter(modifier -> !before().modifiers().contains(modifier))
                .filter(modifier -> modifier instanceof Modifier.Cpus
                        || modifier instanceof Modifier.CpuQuota
                        || modifier instanceof Modifier.CpuBoost
                        || modifier instanceof Modifier.MemoryLimit)
                .forEach(modifier -> lines.add("Also needed, and not in this file: " + modifier.text()));
        if (favoured() && !favouredByFlags()) {
            lines.add("Also needed, and not in this file: the compilers were favoured from outside, with renice");
        }
        if (!flags().isEmpty()) {
            lines.add("If the service has " + OPTIONS + " already, add these flags to them.");
        }
        for (String flag : before().jvmFlags()) {
            if (flags().stream()
                    .anyMatch(mine -> !mine.equals(flag) && key(mine).equals(key(flag)))) {
                lines.add("Remove " + flag + " from the command line: there it wins over " + OPTIONS + ".");
            }
        }
        values().forEach((name, value) -> {
            if (isHeldBack(value)) {
                lines.add("Also needed, and not in this file: a value for " + name);
            }
        });
        return lines;
    }

    /** What two settings of one option have in common. */
    private static String key(String flag) {
        return flag.replaceFirst("^-XX:[+-]", "-XX:")
                .replaceFirst("^(-Xm[xsn]).*", "$1")
                .replaceFirst("=.*", "");
    }

    /** What the JVM is told beyond the baseline. */
    private List<String> flags() {
        List<String> flags = new ArrayList<>(target().jvmFlags());
        before().jvmFlags().forEach(flags::remove);
        boolean workload =
                target().workload().filter(name -> name.contains("spring")).isPresent();
        if (workload && target().virtualThreads() && !before().virtualThreads()) {
            flags.add("-Dspring.threads.virtual.enabled=true");
        }
        if (favouredByFlags()) {
            flags.addAll(PRIORITY);
        }
        if (!target().aot().equals(before().aot())) {
            target().aot()
                    .ifPresent(aot -> flags.add("-XX:AOTCache="
                            + (aot instanceof AotCache.Given given
                                    ? given.file().toString()
                                    : CACHE)));
        }
        return flags;
    }

    private Map<String, String> values() {
        Map<String, String> values = new TreeMap<>();
        target().environment().forEach((name, value) -> {
            if (!value.equals(before().environment().get(name))) {
                values.put(name, value);
            }
        });
        if (!flags().isEmpty()) {
            String own = Optional.ofNullable(target().environment().get(OPTIONS))
                    .map(options -> options + " ")
                    .orElse("");
            values.put(OPTIONS, own + String.join(" ", flags()));
        }
        return values;
    }

    /** Values that mean nothing elsewhere, that nobody may see, and that these forms cannot hold. */
    private boolean isHeldBack(String value) {
        return !Placeholders.namesIn(value).isEmpty() || !secrets.text(value).equals(value) || value.indexOf('\n') >= 0;
    }

    private Map<String, String> environment() {
        Map<String, String> shown = new TreeMap<>();
        values().forEach((name, value) -> {
            if (!isHeldBack(value) && secrets.text(name + "=" + value).equals(name + "=" + value)) {
                shown.put(name, value);
            }
        });
        return shown;
    }

    private String service() {
        return head("The environment of the service, for docker run --env-file or EnvironmentFile= of systemd.")
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
                        .append(value.replace("\\", "\\\\")
                                .replace("\"", "\\\"")
                                .replace("%", "%%"))
                        .append("\"\n"));
        if (favouredByFlags()) {
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
                """);
        // An empty list would take away the variables that there are.
        if (!environment().isEmpty()) {
            out.append("          env:\n");
        }
        environment()
                .forEach((name, value) -> out.append("            - name: ")
                        .append(name)
                        .append("\n              value: '")
                        .append(value.replace("'", "''"))
                        .append("'\n"));
        if (favouredByFlags()) {
            out.append("          # The capability helps only a process that runs as root in the container.\n")
                    .append("          securityContext:\n            capabilities:\n              add: [SYS_NICE]\n");
        }
        return out.toString();
    }

    /** Without what the other files lack: these have the boost alone. */
    private String boostHead(String use) {
        return head(List.of(use, TuneText.boost(tuning.boost().orElseThrow())), List.of());
    }

    /** For kube-startup-cpu-boost, whose time begins with the pod. */
    private String startupBoost(Modifier.CpuBoost boost) {
        return boostHead(
                        "An object of kube-startup-cpu-boost, with the names of yours in it. Some versions also remove the CPU limit"
                                + " while it lasts, which is more than these runs had.")
                + """
                apiVersion: autoscaling.x-k8s.io/v1alpha1
                kind: StartupCPUBoost
                metadata:
                  name: NAME
                selector:
                  matchLabels:
                    app: NAME
                spec:
                  resourcePolicy:
                    containerPolicies:
                      - containerName: CONTAINER
                        percentageIncrease:
                          value: %d
                  durationPolicy:
                    fixedDuration:
                      unit: Seconds
                      value: %d
                """.formatted(Math.round(100 * (boost.from() / boost.to() - 1)), seconds(boost));
    }

    /** The time of its boost begins when the pod is ready, and its factor is a whole number. */
    private String autoscaler(Modifier.CpuBoost boost) {
        double ready = proof().figures()
                .metric(Metric.START.id())
                .map(Measured::values)
                .flatMap(values -> Descriptive.median(Arrays.stream(values)).stream()
                        .boxed()
                        .findFirst())
                .orElse(0.0);
        return boostHead("An object of the Vertical Pod Autoscaler (feature gate CPUStartupBoost), with the names of"
                        + " yours in it. It needs a readiness or startup probe; in these runs the service was ready after "
                        + Show.three(ready) + " s. It ends up to a minute later, when its updater looks.")
                + """
                apiVersion: autoscaling.k8s.io/v1
                kind: VerticalPodAutoscaler
                metadata:
                  name: NAME
                spec:
                  targetRef:
                    apiVersion: apps/v1
                    kind: Deployment
                    name: NAME
                  updatePolicy:
                    updateMode: 'Off'
                  startupBoost:
                    cpu:
                      type: Factor
                      factor: %d
                      durationSeconds: %d
                """.formatted((long) Math.ceil(boost.from() / boost.to()), (long)
                        Math.max(0, seconds(boost) - ready));
    }

    private static long seconds(Modifier.CpuBoost boost) {
        return boost.time().orElseThrow().toSeconds();
    }

    private String dockerfile() {
        String train = target().aot().orElseThrow() instanceof AotCache.Traffic traffic
                ? "sends the service its usual load for " + traffic.duration().toSeconds() + " s"
                : "waits until the service is ready";
        List<String> command = new ArrayList<>(List.of("java", "-XX:AOTCacheOutput=" + CACHE));
        target().jvmFlags().stream().filter(flag -> !isHeldBack(flag)).forEach(command::add);
        return head("Stages that train an AOT cache. IMAGE has the JDK and the service in /app, as production has;"
                        + " train.sh is yours: it " + train + ".")
                + "FROM IMAGE AS training\n"
                + "WORKDIR /app\n"
                + "COPY train.sh .\n"
                + "RUN " + String.join(" ", command)
                + " -jar app.jar & service=$!; sh train.sh; kill $service; wait $service; test -s " + CACHE + "\n\n"
                + "FROM IMAGE\n"
                + "COPY --from=training " + CACHE + " " + CACHE + "\n"
                + Optional.ofNullable(environment().get(OPTIONS))
                        .map(options -> "ENV " + OPTIONS + "=\"" + options.replace("\"", "\\\"") + "\"\n")
                        .orElse("");
    }
}
