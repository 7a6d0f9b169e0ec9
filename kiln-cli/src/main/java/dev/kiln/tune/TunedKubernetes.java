package dev.kiln.tune;

import dev.kiln.compare.Measured;
import dev.kiln.compare.Measured.Observation;
import dev.kiln.console.NextStep;
import dev.kiln.model.Metric;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.experiment.Where.AttachPoint.KubePod;
import dev.kiln.stats.Descriptive;
import dev.kiln.text.Show;
import java.net.URI;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * TunedKubernetes writes a proven cure as objects of Kubernetes and of its extensions. Capitals mark what the user has
 * to fill in.
 */
record TunedKubernetes(Cure cure) {
    static final String PATCH = "kubernetes.yaml";
    private static final String STARTUP_BOOST = "startup-cpu-boost.yaml";
    private static final String AUTOSCALER = "vertical-pod-autoscaler.yaml";
    private static final String ISTIO = "istio.yaml";
    private static final String ENVOY = "envoy.yaml";

    static final List<String> NAMES = List.of(PATCH, STARTUP_BOOST, AUTOSCALER, ISTIO, ENVOY);

    /**
     * The factor on measured times allows for a node that is slower than the machine of these runs when it starts many
     * pods at once.
     */
    private static final int PATIENCE = 3;

    /** The default of kubelets in seconds, which a short start must not go below. */
    private static final int LEAST_PATIENCE_SECONDS = 30;

    Map<String, String> texts() {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put(PATCH, patch());
        cure.boost().ifPresent(boost -> {
            texts.put(STARTUP_BOOST, startupBoost(boost));
            texts.put(AUTOSCALER, autoscaler(boost));
        });
        slowStart().ifPresent(seconds -> {
            texts.put(ISTIO, istio(seconds));
            texts.put(ENVOY, envoy(seconds));
        });
        return texts;
    }

    /** Returns a strategic merge patch: whatever it does not name stays as it is. */
    private String patch() {
        Optional<KubePod> deployed = cure.deployed();
        StringBuilder out = new StringBuilder(cure.head(
                "kubectl patch deployment "
                        + deployed.map(its -> its.name() + " -n " + its.namespace())
                                .orElse("NAME")
                        + " --patch-file kubernetes.yaml, with the names of yours in it." + setEnv(),
                cure.unsettable()));
        out.append("""
                apiVersion: apps/v1
                kind: Deployment
                metadata:
                  name: %s
                spec:
                  template:
                    spec:
                      containers:
                        - name: %s
                """.formatted(
                        deployed.map(KubePod::name).orElse("NAME"),
                        deployed.flatMap(KubePod::container).orElse("CONTAINER")));
        // An empty list would take away the variables that there are.
        if (!cure.environment().isEmpty()) {
            out.append("          env:\n");
        }
        cure.environment()
                .forEach((name, value) -> out.append("            - name: ")
                        .append(name)
                        .append("\n              value: '")
                        .append(value.replace("'", "''"))
                        .append("'\n"));
        if (cure.favouredByFlags()) {
            out.append("          # The capability helps only a process that runs as root in the container.\n")
                    .append("          securityContext:\n            capabilities:\n              add: [SYS_NICE]\n");
        }
        out.append(resources());
        longest(Metric.START).ifPresent(seconds -> out.append(startupProbe(seconds)));
        return out.toString();
    }

    /** Returns the command that sets the environment alone, where a command of the user's starts the service by kubectl. */
    private String setEnv() {
        RestartedBy by = cure.restartedBy();
        return !by.starter().isKubectl() || cure.environment().isEmpty()
                ? ""
                : " The environment alone: kubectl set env " + by.service().orElse("deployment/NAME")
                        + cure.environment().entrySet().stream()
                                .map(one -> " " + NextStep.word(one.getKey() + "=" + one.getValue()))
                                .collect(Collectors.joining());
    }

    /** Returns the limits; a boost has objects of its own, which raise this limit while it lasts. */
    private String resources() {
        StringBuilder limits = new StringBuilder();
        for (Modifier modifier : cure.limits()) {
            if (modifier instanceof Modifier.CpuQuota quota) {
                limits.append(cpus(quota.cpus()));
            } else if (modifier instanceof Modifier.BoostedStart boost) {
                limits.append(cpus(boost.to()));
            } else if (modifier instanceof Modifier.MemoryLimit memory) {
                limits.append("              memory: ").append(memory.bytes()).append('\n');
            }
        }
        return limits.isEmpty() ? "" : "          resources:\n            limits:\n" + limits;
    }

    private static String cpus(double cpus) {
        return "              cpu: " + Math.round(1000 * cpus) + "m\n";
    }

    private String startupProbe(double seconds) {
        return """
                          # In these runs the first response came after at most %s s. The kubelet waits %d times as long,
                          # and at least %d s, before it restarts the container. If it has another kind of startup probe,
                          # keep that kind and take the two numbers.
                          startupProbe:
                            %s
                            periodSeconds: 1
                            failureThreshold: %d
                """.formatted(
                        Show.three(seconds),
                        PATIENCE,
                        LEAST_PATIENCE_SECONDS,
                        probe(cure.target().readiness()),
                        (long) Math.max(LEAST_PATIENCE_SECONDS, Math.ceil(PATIENCE * seconds)));
    }

    private static String probe(ReadySign readiness) {
        return switch (readiness) {
            case ReadySign.TcpPort port -> "tcpSocket: {port: PORT}";
            case ReadySign.HttpStatus http -> "httpGet: {path: '" + path(http.url()) + "', port: PORT}";
            case ReadySign.FirstResponse first -> "httpGet: {path: /PATH, port: PORT}";
            case ReadySign.LogPattern log -> "httpGet: {path: /PATH, port: PORT}";
        };
    }

    /** Returns the path of a URL whose port may still be a placeholder. */
    private static String path(String url) {
        String path = URI.create(url.replaceAll("[$][{][^}]*[}]", "0")).getRawPath();
        return path == null || path.isEmpty() ? "/" : path.replace("'", "''");
    }

    /**
     * Returns the comments of a file that has the boost alone: the other limits of the cure are not mentioned as
     * missing.
     */
    private String boostHead(String use) {
        return cure.head(List.of(use, TuneText.boost(cure.tuning().boost().orElseThrow())), List.of());
    }

    /** Returns the object of kube-startup-cpu-boost, whose time begins with the pod. */
    private String startupBoost(Modifier.BoostedStart boost) {
        return boostHead(
                        "An object of kube-startup-cpu-boost, with the names of yours in it. Its time begins when the pod is"
                                + " scheduled, and these runs' with the launch of the JVM: add what pulling the image and starting"
                                + " the container take. By default it also removes the CPU limit while it lasts, which is more than"
                                + " these runs had.")
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

    /**
     * Returns the object of an autoscaler: the time of its boost begins when the pod is ready, and its factor is a
     * whole number.
     */
    private String autoscaler(Modifier.BoostedStart boost) {
        double ratio = boost.from() / boost.to();
        long factor = (long) Math.ceil(ratio - 1e-9);
        String rounded =
                ratio < factor - 1e-9 ? " Its factor is a whole number; these runs had " + Show.three(ratio) + "." : "";
        double ready = values(Metric.START)
                .flatMap(values -> Descriptive.median(Arrays.stream(values)).stream()
                        .boxed()
                        .findFirst())
                .orElse(0.0);
        return boostHead("An object of the Vertical Pod Autoscaler (feature gate CPUStartupBoost), with the names of"
                        + " yours in it. It needs a readiness or startup probe; in these runs the service was ready after "
                        + Show.three(ready) + " s. It ends up to a minute later, when its updater looks." + rounded)
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
                """.formatted(factor, (long) Math.max(0, seconds(boost) - ready));
    }

    private static long seconds(Modifier.BoostedStart boost) {
        return boost.time().orElseThrow().toSeconds();
    }

    /**
     * Returns the seconds for which a new instance gets less than its share of requests: as long as the cured service
     * needed under full load. Empty if a run did not reach its peak.
     */
    private Optional<Long> slowStart() {
        OptionalDouble longest = longest(Metric.T90);
        return longest.isEmpty() || longest.getAsDouble() <= 1
                ? Optional.empty()
                : Optional.of((long) Math.ceil(longest.getAsDouble()));
    }

    private String slowStartHead(String use, long seconds) {
        return cure.head(
                List.of(
                        use,
                        "In these runs, which had the cure, the service came to 90 % of its peak after at most "
                                + seconds
                                + " s of full load. Behind a proxy that sends it less at first it was not measured."),
                List.of());
    }

    private String istio(long seconds) {
        return slowStartHead("A DestinationRule of Istio 1.24 or later, with the names of yours in it.", seconds)
                + """
                apiVersion: networking.istio.io/v1
                kind: DestinationRule
                metadata:
                  name: NAME
                spec:
                  host: NAME
                  trafficPolicy:
                    loadBalancer:
                      simple: LEAST_REQUEST
                      warmup:
                        duration: %ds
                """.formatted(seconds);
    }

    private String envoy(long seconds) {
        return slowStartHead("A part of a cluster of Envoy, with the name of yours in it.", seconds)
                + """
                clusters:
                  - name: NAME
                    lb_policy: LEAST_REQUEST
                    least_request_lb_config:
                      slow_start_config:
                        slow_start_window: %ds
                """.formatted(seconds);
    }

    private Optional<double[]> values(Metric metric) {
        return cure.proof().figures().metric(metric.id()).map(Measured::values);
    }

    /** Returns the longest time over the runs; empty if a run did not reach it. */
    private OptionalDouble longest(Metric metric) {
        return cure.proof().figures().metric(metric.id()).stream()
                .filter(measured -> measured.runs().stream().noneMatch(Observation::censored))
                .flatMapToDouble(measured -> Arrays.stream(measured.values()))
                .max();
    }
}
