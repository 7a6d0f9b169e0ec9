package dev.kiln.remote;

import dev.kiln.host.process.UserCommand;
import dev.kiln.launch.AttachSearch.NothingThere;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Modifier.BoostedStart;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.experiment.Where.AttachPoint.KubePod;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A PodResize changes the CPU of a container of a pod in place: its processes go on. It does so by the subresource {@code resize}
 * of a pod, which API servers have from Kubernetes 1.33 on, and {@code kubectl} knows from 1.32 on.
 *
 * @param name of the pod
 * @param limit its CPU limit when it was found, as the cluster writes it
 * @param asRequest whether its request was the same. A pod whose requests are its limits may not become one whose are not
 */
public record PodResize(String namespace, String name, String container, String limit, boolean asRequest) {
    private static final int SERVER_MINOR = 33;
    private static final int CLIENT_MINOR = 32;

    /** The pattern matches amounts of CPU as the cluster writes them. */
    private static final Pattern CPUS = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?)(m?)");

    /** A shell takes such a word as it is. */
    private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

    private static final Pattern NUMBER = Pattern.compile("(\\d{1,4}).*");

    /**
     * Finds what a pod has.
     *
     * @param place of its process
     * @throws KilnException where its CPU cannot be changed and put back
     */
    public static PodResize of(Where place) {
        if (!(place instanceof Where.Running running) || !(running.point() instanceof KubePod asked)) {
            throw new IllegalArgumentException("no pod: " + place.text());
        }
        PodShell pod = PodShell.find(asked);
        JsonNode its =
                container(Kubectl.get(asked, "pod", pod.pod()).path("spec").path("containers"), pod.container());
        String words = "cpu-boost: container " + pod.container() + " of " + pod.name();
        boolean restarts = its.path("resizePolicy")
                .valueStream()
                .anyMatch(policy -> policy.path("resourceName").asString("").equals("cpu")
                        && policy.path("restartPolicy").asString("").equals("RestartContainer"));
        if (restarts) {
            throw KilnException.usage(
                    words + " is restarted when its CPU changes (resizePolicy)",
                    "set restartPolicy: NotRequired for its cpu, or leave cpu-boost out");
        }
        JsonNode resources = its.path("resources");
        String limit = resources.path("limits").path("cpu").asString("");
        if (millis(limit).isEmpty()) {
            throw KilnException.usage(
                    words + " has no CPU limit, so nothing holds it back at its start",
                    "leave cpu-boost out, or give the deployment a limit: one that is added to a running pod cannot be taken away"
                            + " again");
        }
        String request = resources.path("requests").path("cpu").asString("");
        return new PodResize(
                asked.namespace(),
                pod.pod(),
                pod.container(),
                limit,
                millis(request).equals(millis(limit)));
    }

    /**
     * Checks that the cluster can change the CPU of a running pod.
     *
     * @throws KilnException if it cannot, or does not tell its version
     */
    public static void requireCluster() {
        Kubectl.Answer answer = Kubectl.ask(List.of("version", "-o", "json"));
        JsonNode versions = answer.json()
                .orElseThrow(() -> KilnException.machine(
                        "cpu-boost: kubectl does not tell the version of the cluster: "
                                + FarShell.lastLine(answer.said()),
                        "this must work: kubectl version -o json"));
        require(versions.path("serverVersion"), "the cluster is Kubernetes", SERVER_MINOR);
        require(versions.path("clientVersion"), "kubectl is", CLIENT_MINOR);
    }

    private static void require(JsonNode version, String what, int least) {
        String major = version.path("major").asString("");
        String text = version.path("minor").asString("");
        // Providers write 33+.
        Matcher minor = NUMBER.matcher(text);
        if (!minor.matches() || (major.equals("1") && Integer.parseInt(minor.group(1)) < least)) {
            throw KilnException.machine(
                    "cpu-boost: " + what + " " + (text.isEmpty() ? "of no known version" : major + "." + text)
                            + ", and the CPU of a running pod can be changed from 1." + least + " on",
                    "leave cpu-boost out here; with a command of this machine it works by a cgroup");
        }
    }

    /** Returns the amount in thousandths of a CPU; empty where it is none. */
    static Optional<Long> millis(String cpus) {
        Matcher amount = CPUS.matcher(cpus);
        return amount.matches()
                ? Optional.of(new BigDecimal(amount.group(1))
                        .scaleByPowerOfTen(amount.group(2).isEmpty() ? 3 : 0)
                        .longValue())
                : Optional.empty();
    }

    private static long millis(double cpus) {
        return Math.round(1000 * cpus);
    }

    /** Tells whether the limit that it had is this one. */
    public boolean had(double cpus) {
        return had() == millis(cpus);
    }

    private long had() {
        return millis(limit).orElseThrow();
    }

    /** Returns the pod in words. */
    public String words() {
        return "pod " + namespace + "/" + name;
    }

    /** Returns the limit that it had in CPUs, such as 0.5. */
    public String cpus() {
        return BigDecimal.valueOf(had(), 3).stripTrailingZeros().toPlainString();
    }

    /**
     * Asks the cluster for another limit.
     *
     * @throws NothingThere if the pod is gone
     * @throws KilnException if the cluster refuses
     */
    public void set(double cpus) {
        List<String> words = new ArrayList<>(patch(millis(cpus)));
        words.addAll(List.of("-o", "json"));
        Kubectl.Answer answer = Kubectl.ask(words);
        if (answer.json().isEmpty()) {
            if (isGone()) {
                throw new NothingThere(
                        Exit.MACHINE, "cpu-boost: " + words() + " is gone", "kubectl get pods -n " + namespace);
            }
            throw KilnException.machine(
                    "cpu-boost: the cluster does not change the CPU of " + words() + ": "
                            + FarShell.lastLine(answer.said()),
                    "you need the right to patch pods/resize; this must work: kubectl "
                            + String.join(" ", quoted(patch(millis(cpus)))));
        }
    }

    /** Tells whether the cluster says that the pod is not there any more, or is about to go. */
    public boolean isGone() {
        Kubectl.Answer answer = Kubectl.get(namespace, "pod", name);
        return answer.isAbsent()
                || answer.json().filter(pod -> !PodShell.isUp(pod)).isPresent();
    }

    /**
     * Returns why the container does not have this limit yet; empty where it has. The node takes a moment, or may lack the CPU.
     */
    public Optional<String> pending(double cpus) {
        Kubectl.Answer answer = Kubectl.get(namespace, "pod", name);
        if (answer.json().isEmpty()) {
            return Optional.of(FarShell.lastLine(answer.said()));
        }
        JsonNode status = answer.json().get().path("status");
        String now = container(status.path("containerStatuses"), container)
                .path("resources")
                .path("limits")
                .path("cpu")
                .asString("");
        if (millis(now).filter(has -> has == millis(cpus)).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(status.path("conditions")
                .valueStream()
                .filter(condition -> condition.path("type").asString("").startsWith("PodResize"))
                .map(condition -> Stream.of("type", "reason", "message")
                        .map(part -> condition.path(part).asString(""))
                        .filter(text -> !text.isEmpty())
                        .reduce((a, b) -> a + ", " + b)
                        .orElse(""))
                .findFirst()
                .orElse("its limit is " + (now.isEmpty() ? "not known" : now)));
    }

    /**
     * Returns the command that puts the limit back which it had. Of a pod that is gone nothing is owed, nor of one that has it, which
     * a cluster may have refused to change.
     */
    public UserCommand undo() {
        return new UserCommand(
                BoostedStart.NAME,
                List.of("sh", "-c", script(Kubectl.command(List.of()))),
                Path.of("").toAbsolutePath(),
                Kubectl.configuration());
    }

    /** @param program with the words that lead to the cluster */
    String script(List<String> program) {
        String kubectl = String.join(" ", quoted(program));
        String get = kubectl + " get pod " + name + " -n " + namespace
                + " --ignore-not-found -o 'jsonpath={.spec.containers[?(@.name==\"" + container
                + "\")].resources.limits.cpu}'";
        return kubectl + " " + String.join(" ", quoted(patch(had()))) + " || { now=$(" + get
                + ") && { [ -z \"$now\" ] || [ \"$now\" = " + limit + " ]; }; }";
    }

    private List<String> patch(long to) {
        ObjectNode amounts = JsonMapper.shared().createObjectNode();
        String cpu = to + "m";
        amounts.putObject("limits").put("cpu", cpu);
        if (asRequest) {
            amounts.putObject("requests").put("cpu", cpu);
        }
        ObjectNode patch = JsonMapper.shared().createObjectNode();
        ObjectNode its =
                patch.putObject("spec").putArray("containers").addObject().put("name", container);
        its.set("resources", amounts);
        return List.of("patch", "pod", name, "-n", namespace, "--subresource", "resize", "--patch", patch.toString());
    }

    private static List<String> quoted(List<String> words) {
        return words.stream()
                .map(word -> PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'")
                .toList();
    }

    private static JsonNode container(JsonNode all, String name) {
        return all.valueStream()
                .filter(each -> each.path("name").asString("").equals(name))
                .findFirst()
                .orElseGet(MissingNode::getInstance);
    }
}
