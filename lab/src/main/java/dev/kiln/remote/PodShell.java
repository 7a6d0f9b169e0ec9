package dev.kiln.remote;

import dev.kiln.host.process.Programs;
import dev.kiln.launch.AttachSearch.NothingThere;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Where.AttachPoint;
import dev.kiln.model.experiment.Where.AttachPoint.KubePod;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * A PodShell is a shell in a container of a pod, by the user's own {@code kubectl}. It only reads what the cluster says
 * of the pod.
 *
 * @param ports that the pod says its container listens on
 * @param restarts how often the cluster had restarted the container when it was found
 * @param identity uid of the pod and id of its container, where the cluster tells them
 */
record PodShell(
        String namespace, String pod, String container, Set<Integer> ports, int restarts, Optional<String> identity)
        implements FarShell {
    /** The kubelet tells the end of a container a second or two later. */
    private static final int LOOKS = 5;

    private static final long BETWEEN_MILLIS = 1_000;

    private static final String DEFAULT_CONTAINER = "kubectl.kubernetes.io/default-container";
    private static final String RUNNING = "Running";

    /**
     * Finds the one pod that is meant.
     *
     * @throws KilnException where there is none or more than one
     */
    static PodShell find(KubePod asked) {
        return of(asked, all(asked).getFirst());
    }

    /**
     * Returns each of the pods that are meant by itself, in the order of their starts.
     *
     * @throws KilnException unless there are as many
     */
    static List<KubePod> each(KubePod asked) {
        return asked.replicas() == 1
                ? List.of(asked)
                : all(asked).stream()
                        .sorted(Comparator.comparing(Kubectl::startedAt).thenComparing(PodShell::nameOf))
                        .map(PodShell::nameOf)
                        .map(asked::one)
                        .toList();
    }

    private static List<JsonNode> all(KubePod asked) {
        Programs.requireProgram("agent in a pod", "kubectl", Optional.empty(), Map.of());
        return asked.deployment() ? ofDeployment(asked) : List.of(Kubectl.get(asked, "pod", asked.name()));
    }

    private static String nameOf(JsonNode pod) {
        return pod.path("metadata").path("name").asString("");
    }

    private static PodShell of(KubePod asked, JsonNode pod) {
        String name = nameOf(pod);
        String words = "pod " + asked.namespace() + "/" + name;
        if (!isUp(pod)) {
            throw new NothingThere(
                    Exit.USAGE,
                    asked.text() + ": " + words + " does not run: " + state(pod),
                    "kubectl describe pod -n " + asked.namespace() + " " + name + " says why");
        }
        if (pod.path("spec").path("shareProcessNamespace").asBoolean(false)) {
            throw KilnException.usage(
                    asked.text() + ": the containers of " + words
                            + " share their processes (shareProcessNamespace), so Kiln"
                            + " cannot tell which process is the service",
                    "say which: via: kubectl exec -i -n " + asked.namespace() + " " + name
                            + " --, with attach: port:8080");
        }
        JsonNode container = container(asked, pod, words);
        Set<Integer> ports = container
                .path("ports")
                .valueStream()
                .map(port -> port.path("containerPort").asInt(0))
                .filter(port -> port > 0)
                .collect(Collectors.toUnmodifiableSet());
        String its = container.path("name").asString("");
        JsonNode status = status(pod, its);
        String identity = pod.path("metadata").path("uid").asString("") + " "
                + status.path("containerID").asString("");
        return new PodShell(
                asked.namespace(),
                name,
                its,
                ports,
                status.path("restartCount").asInt(0),
                Optional.of(identity).filter(text -> !text.isBlank()));
    }

    /** Returns as many pods as were asked for, or fails: what else runs gets a part of the load. */
    private static List<JsonNode> ofDeployment(KubePod asked) {
        JsonNode spec = Kubectl.get(asked, "deployment", asked.name()).path("spec");
        JsonNode selector = spec.path("selector");
        if (!selector.path("matchExpressions").isEmpty()
                || selector.path("matchLabels").isEmpty()) {
            throw KilnException.usage(
                    asked.text() + ": " + asked.words()
                            + " selects its pods by more than labels, which Kiln does not read",
                    "name the pod: kube:" + asked.namespace() + "/POD");
        }
        String labels = selector.path("matchLabels").properties().stream()
                .map(label -> label.getKey() + "=" + label.getValue().asString(""))
                .collect(Collectors.joining(","));
        List<JsonNode> pods = Kubectl.get(asked, "pods", "-l", labels)
                .path("items")
                .valueStream()
                .toList();
        List<JsonNode> up = pods.stream().filter(PodShell::isUp).toList();
        if (up.size() < asked.replicas()) {
            throw new NothingThere(
                    Exit.USAGE,
                    asked.text() + ": " + asked.of(1).words()
                            + (asked.replicas() == 1 ? " has no pod that runs" : counted(asked, up))
                            + pods.stream()
                                    .filter(pod -> !up.contains(pod))
                                    .map(pod -> nameOf(pod) + " is " + state(pod))
                                    .collect(Collectors.joining("; ", pods.size() == up.size() ? "" : ": ", "")),
                    "kubectl get pods -n " + asked.namespace() + " -l " + labels);
        }
        if (up.size() > asked.replicas()) {
            throw several(asked, up, spec.path("replicas").asInt(1));
        }
        return up;
    }

    private static String counted(KubePod asked, List<JsonNode> up) {
        return " has " + up.size() + (up.size() == 1 ? " pod that runs, and " : " pods that run, and ")
                + (asked.replicas() == 1 ? "one was meant" : asked.replicas() + " were meant");
    }

    /** Says that there are more. More than the deployment wants are those of a rollout, which time ends. */
    private static KilnException several(KubePod asked, List<JsonNode> up, int wanted) {
        String names = up.stream().map(PodShell::nameOf).collect(Collectors.joining(", "));
        String found = asked.text() + ": " + asked.of(1).words() + counted(asked, up) + ": " + names;
        String remedy =
                "kiln run measures all of them as one service with --replicas " + up.size() + " (replicas: " + up.size()
                        + " in a file). Or name one: kube:" + asked.namespace() + "/" + nameOf(up.getFirst())
                        + ". A Service sends its requests to all of them: give the load the address of that one, such as by"
                        + " kubectl port-forward";
        return wanted > asked.replicas()
                ? KilnException.usage(found, remedy)
                : new NothingThere(Exit.USAGE, found, remedy);
    }

    /**
     * Returns the container that is meant.
     *
     * @param pod or a deployment's template of it
     * @param words for it
     */
    static JsonNode container(KubePod asked, JsonNode pod, String words) {
        List<JsonNode> all = pod.path("spec").path("containers").valueStream().toList();
        String names = all.stream().map(each -> each.path("name").asString("")).collect(Collectors.joining(", "));
        Optional<String> wanted = asked.container()
                .or(() -> Optional.of(pod.path("metadata")
                                .path("annotations")
                                .path(DEFAULT_CONTAINER)
                                .asString(""))
                        .filter(name -> !name.isEmpty()));
        if (wanted.isEmpty() && all.size() > 1) {
            throw KilnException.usage(
                    asked.text() + ": " + words + " has " + all.size() + " containers, and one was meant: " + names,
                    "name one: "
                            + new KubePod(
                                            asked.namespace(),
                                            asked.deployment(),
                                            asked.name(),
                                            Optional.of("CONTAINER"),
                                            1)
                                    .text());
        }
        return all.stream()
                .filter(each -> wanted.isEmpty()
                        || wanted.get().equals(each.path("name").asString("")))
                .findFirst()
                .orElseThrow(() -> KilnException.usage(
                        asked.text() + ": " + words + " has no container '" + wanted.orElse("") + "'",
                        "it has: " + names));
    }

    static boolean isUp(JsonNode pod) {
        return pod.path("status").path("phase").asString("").equals(RUNNING)
                && pod.path("metadata").path("deletionTimestamp").isMissingNode();
    }

    /** Returns what the cluster says of a pod, in its own words. */
    private static String state(JsonNode pod) {
        JsonNode status = pod.path("status");
        String phase = pod.path("metadata").path("deletionTimestamp").isMissingNode()
                ? status.path("phase").asString("unknown")
                : "Terminating";
        return Stream.of(
                        phase,
                        status.path("reason").asString(""),
                        status.path("message").asString(""))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(", "));
    }

    private static JsonNode status(JsonNode pod, String container) {
        return pod.path("status")
                .path("containerStatuses")
                .valueStream()
                .filter(each -> each.path("name").asString("").equals(container))
                .findFirst()
                .orElseGet(MissingNode::getInstance);
    }

    private List<String> typed() {
        return Kubectl.command(List.of("exec", "-i", "-n", namespace, pod, "-c", container, "--"));
    }

    @Override
    public String name() {
        return "pod " + namespace + "/" + pod;
    }

    @Override
    public List<String> command(String script) {
        return Stream.concat(typed().stream(), Stream.of("sh", "-c", script)).toList();
    }

    @Override
    public String giving(String variable, String value) {
        return "give it to the agent, with attach: 1 and via: " + String.join(" ", typed()) + " env " + variable + "="
                + value;
    }

    @Override
    public KilnException noConnection(String said) {
        return KilnException.machine(
                "no shell in " + name() + ": " + FarShell.lastLine(said),
                "this must work: " + String.join(" ", typed()) + " sh -c true");
    }

    /** Asks for the first process of the container, or what serves its ports below that. */
    @Override
    public Ask.AttachTarget attach(AttachPoint point, boolean jitQueries, boolean threadDumps) {
        return new Ask.AttachTarget(new AttachPoint.ProcessId(1), ports, jitQueries, threadDumps, OptionalLong.empty());
    }

    @Override
    public String lost() {
        String why = "kubectl says that it still runs";
        for (int i = 0; i < LOOKS; i++) {
            Optional<String> ended = ended();
            if (ended.isPresent()) {
                why = ended.get();
                break;
            }
            pause();
        }
        return "the connection to " + name() + " was lost: " + why;
    }

    private Optional<String> ended() {
        Kubectl.Answer answer = Kubectl.get(namespace, "pod", pod);
        if (answer.json().isEmpty()) {
            return Optional.of((answer.isAbsent() ? "it is not there any more" : "kubectl cannot tell why") + " ("
                    + FarShell.lastLine(answer.said()) + ")");
        }
        JsonNode now = answer.json().get();
        JsonNode its = status(now, container);
        JsonNode end = its.path("state").path("terminated").isMissingNode()
                ? its.path("lastState").path("terminated")
                : its.path("state").path("terminated");
        boolean again = its.path("restartCount").asInt(0) > restarts;
        if (!isUp(now)) {
            return Optional.of("it is " + state(now));
        }
        return again || !its.path("state").path("terminated").isMissingNode()
                ? Optional.of("its container " + container + " ended: "
                        + end.path("reason").asString("no reason was given") + ", exit code "
                        + end.path("exitCode").asInt(-1))
                : Optional.empty();
    }

    private static void pause() {
        try {
            Thread.sleep(BETWEEN_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
