package dev.kiln.remote;

import dev.kiln.host.process.Programs;
import dev.kiln.host.process.UserCommand;
import dev.kiln.model.KilnException;
import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Hook;
import dev.kiln.model.experiment.Hook.HookMoment;
import dev.kiln.model.experiment.SetEnv;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.experiment.Where.AttachPoint.KubePod;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * A Deployed is what the container of a deployment has for the variables that a restart will set, before it sets them. To find
 * that out only reads.
 *
 * @param set the restart, with the namespace and the container that it leaves unsaid
 * @param deployment with that container
 * @param before value of each variable that is set, and of the mark of a start
 * @param sources ConfigMaps and Secrets all of whose entries the container has as variables, in words
 */
public record Deployed(SetEnv set, KubePod deployment, Map<String, String> before, List<String> sources) {
    /** A mark that is younger may be that of a Kiln that still works. */
    private static final Duration FRESH = Duration.ofHours(1);

    public Deployed {
        before = Map.copyOf(before);
        sources = List.copyOf(sources);
    }

    /**
     * Asks the cluster.
     *
     * @return what it says; empty where no variant sets variables
     * @throws KilnException if the cluster does not tell, a value could not be put back, or another Kiln may work there
     */
    public static Optional<Deployed> of(List<Variant> variants) {
        Set<String> names = new LinkedHashSet<>();
        variants.forEach(variant -> SetEnv.of(variant.target()).ifPresent(set -> names.addAll(set.names())));
        Optional<Target> first = variants.stream()
                .map(Variant::target)
                .filter(target -> SetEnv.of(target).isPresent())
                .findFirst();
        return first.map(target -> of(target, List.copyOf(names)));
    }

    private static Deployed of(Target target, List<String> names) {
        if (!(target.where() instanceof Where.Running running) || !(running.point() instanceof KubePod asked)) {
            throw new IllegalArgumentException(
                    "no deployment: " + target.where().text());
        }
        Programs.requireProgram(HookMoment.RESTART.key(), "kubectl", Optional.empty(), Map.of());
        SetEnv typed = SetEnv.of(target).orElseThrow();
        Optional<String> context = context(typed);
        Optional<String> wanted = typed.container().or(asked::container);
        JsonNode container = container(new KubePod(asked.namespace(), true, asked.name(), wanted, 1));
        String name = container.path("name").asString("");
        KubePod deployment = new KubePod(asked.namespace(), true, asked.name(), Optional.of(name), 1);
        SetEnv set = new SetEnv(
                asked.name(), Optional.of(asked.namespace()), deployment.container(), context, names, List.of());
        Deployed found = read(container, set, deployment);
        found.requireFree();
        return found;
    }

    /** Reads the container, as the cluster describes it. */
    static Deployed read(JsonNode container, SetEnv set, KubePod deployment) {
        List<String> sources = container
                .path("envFrom")
                .valueStream()
                .map(from -> from.has("secretRef")
                        ? "Secret " + from.path("secretRef").path("name").asString("")
                        : "ConfigMap " + from.path("configMapRef").path("name").asString(""))
                .toList();
        return new Deployed(set, deployment, values(container, set, deployment), sources);
    }

    /** Fails where another Kiln may work: what that one set would be taken for the deployment's own, and stay. */
    private void requireFree() {
        Optional<Duration> age = SetEnv.number(before)
                .map(number -> Duration.ofMillis(Math.abs(System.currentTimeMillis() - number)))
                .filter(since -> since.compareTo(FRESH) < 0);
        if (age.isPresent()) {
            SetEnv mark =
                    new SetEnv(set.deployment(), set.namespace(), set.container(), set.context(), List.of(), List.of());
            throw KilnException.usage(
                    "restart: " + deployment.words() + ", has " + SetEnv.MARK + ", which a Kiln set "
                            + age.get().toMinutes()
                            + " min ago: it changes the deployment now, or was killed, or applied a cure, or left it because"
                            + " somebody else had changed the variables",
                    "wait for its end; where none works and the values are right: "
                            + String.join(" ", mark.back(Map.of())));
        }
    }

    /** Returns the context of the cluster that was asked, or fails where the restart names another one. */
    private static Optional<String> context(SetEnv typed) {
        Optional<String> asked = Kubectl.context();
        if (typed.context().isPresent() && !typed.context().equals(asked)) {
            throw KilnException.usage(
                    "restart: names the context " + typed.context().get()
                            + ", and kubectl's current one, in which Kiln looks for" + " the deployment, is "
                            + asked.orElse("none"),
                    "kubectl config use-context " + typed.context().get());
        }
        return asked;
    }

    /** Returns the container as the deployment describes it. */
    private static JsonNode container(KubePod of) {
        JsonNode template =
                Kubectl.get(of, "deployment", of.name()).path("spec").path("template");
        return PodShell.container(of, template, "deployment " + of.namespace() + "/" + of.name());
    }

    private static Map<String, String> values(JsonNode container, SetEnv set, KubePod deployment) {
        List<String> wanted = new ArrayList<>(set.names());
        wanted.add(SetEnv.MARK);
        Map<String, String> values = new HashMap<>();
        container.path("env").valueStream().forEach(variable -> {
            String name = variable.path("name").asString("");
            if (!wanted.contains(name)) {
                return;
            }
            if (!variable.path("valueFrom").isMissingNode()) {
                throw KilnException.usage(
                        "restart: " + deployment.words() + ", takes " + name
                                + " from somewhere else (valueFrom), which kubectl set env cannot put back",
                        "give it a value there, or name a restart of your own that hands " + name + " on");
            }
            values.put(name, variable.path("value").asString(""));
        });
        return values;
    }

    /** Returns the experiment whose variants have the deployment's values, where they have none of their own. */
    public Experiment in(Experiment experiment) {
        return experiment.with(experiment.variants().stream()
                .map(variant -> variant.with(in(variant.target())))
                .toList());
    }

    private Target in(Target target) {
        Map<String, String> environment = new HashMap<>();
        // What looks like a placeholder of Kiln's is none.
        before.forEach((name, value) -> environment.put(name, value.replace("${", "$${")));
        environment.remove(SetEnv.MARK);
        environment.putAll(target.environment());
        List<Hook> hooks = target.hooks().stream()
                .map(hook -> hook.moment() == HookMoment.RESTART
                        ? new Hook(hook.moment(), set.words(), hook.folder())
                        : hook)
                .toList();
        return new Target(
                new Target.Program(target.command(), target.arguments(), environment, target.workingDirectory()),
                target.jvm(),
                target.readiness(),
                target.modifiers(),
                target.where(),
                hooks);
    }

    /** Returns the command that puts everything back. */
    public UserCommand back(Path folder) {
        return new UserCommand(HookMoment.RESTART.key(), set.back(before), folder, Kubectl.configuration());
    }

    /** Returns the same for whenever it is run: it changes nothing where the deployment does not have all that a start set. */
    public UserCommand owed(Path folder) {
        return back(folder)
                .behind(guard(Kubectl.command(List.of(
                        "get",
                        "deployment",
                        deployment.name(),
                        "-n",
                        deployment.namespace(),
                        "--ignore-not-found",
                        "--request-timeout=15s",
                        "-o",
                        "jsonpath=" + question()))));
    }

    /** Returns the JSONPath that prints what a mark is the sum of, and the mark behind it. */
    String question() {
        String env = ".spec.template.spec.containers[?(@.name==\""
                + deployment.container().orElse("") + "\")].env";
        return set.names().stream()
                        .sorted()
                        .map(name -> "{" + of(env, name) + ".name}={" + of(env, name) + ".value}{\"\\n\"}")
                        .collect(Collectors.joining())
                + "{" + of(env, SetEnv.MARK) + ".value}";
    }

    private static String of(String env, String name) {
        return env + "[?(@.name==\"" + name + "\")]";
    }

    /**
     * Returns a line of a shell that goes on only where the deployment has all that a start set.
     *
     * @param ask command that answers the {@link #question}
     */
    String guard(List<String> ask) {
        return "now=$(" + ask.stream().map(Deployed::quoted).collect(Collectors.joining(" "))
                + ") || exit; mark=${now##*'\n'}; sum=$(printf %s \"${now%\"$mark\"}\" | sha256sum) || exit; [ \"$mark\" != "
                + quoted(before.getOrDefault(SetEnv.MARK, ""))
                + " ] && [ \"${mark##*-}\" = \"$(printf %.8s \"$sum\")\" ]"
                + " || { echo 'nothing was set: the deployment does not have what a run of Kiln set'; exit 0; }";
    }

    private static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }

    /**
     * Tells whether everything is as it was.
     *
     * @throws KilnException if the cluster does not tell
     */
    public boolean isBack() {
        return now().equals(before);
    }

    private Map<String, String> now() {
        return values(container(deployment), set, deployment);
    }

    /**
     * Returns what is to be said where somebody else has changed the variables, who is not to be overruled; empty where nobody has.
     *
     * @throws KilnException if the cluster does not tell
     */
    public Optional<String> changedByOthers() {
        Map<String, String> now = now();
        return now.equals(before) || set.isOfStart(now)
                ? Optional.empty()
                : Optional.of("somebody else has changed the variables of " + deployment.words()
                        + ", so Kiln leaves them as they are: " + masked(set.back(now)) + ". Before Kiln they were: "
                        + masked(set.back(before)));
    }

    private static String masked(List<String> words) {
        return String.join(" ", Secrets.HIDDEN.command(words));
    }

    /** Returns what is to be said of what was there before. */
    public List<String> notes() {
        return Stream.concat(marked().stream(), overruled().stream()).toList();
    }

    /** Says what wins of variables that others may give too: the cluster shows the names of those sources alone. */
    private Optional<String> overruled() {
        String names =
                set.names().stream().filter(name -> !before.containsKey(name)).collect(Collectors.joining(", "));
        return sources.isEmpty() || names.isEmpty()
                ? Optional.empty()
                : Optional.of(deployment.words() + ", also has what is in " + String.join(", ", sources)
                        + " (envFrom), which Kiln does not read: if " + names
                        + " is in there, a run for which Kiln sets it has Kiln's value alone (env wins over envFrom), and"
                        + " any other run has that one. Kiln reads what env has: give it an entry there");
    }

    /** Returns what is to be said of a mark that was there before; empty without one. */
    private Optional<String> marked() {
        return before.containsKey(SetEnv.MARK)
                ? Optional.of(deployment.words() + ", has " + SetEnv.MARK
                        + " already: Kiln applied a cure there more than an hour ago, or was killed on another machine,"
                        + " or works there now in a run of more than an hour: then end this one. What it has is taken for its own: "
                        + masked(set.back(before)))
                : Optional.empty();
    }
}
