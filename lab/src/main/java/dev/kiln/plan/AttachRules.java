package dev.kiln.plan;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.DatabaseSpec;
import dev.kiln.model.experiment.Hook;
import dev.kiln.model.experiment.Hook.HookMoment;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Variant.Observe;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.experiment.Where.AttachPoint;
import dev.kiln.plan.text.Problems.BadValue;
import dev.kiln.plan.text.ShellWords;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * AttachRules find what an experiment asks for that a process cannot be given which Kiln does not start. Kiln changes
 * nothing of such a process, so it refuses what would, in place of leaving it out without a word.
 */
public final class AttachRules {
    static final String EXPECTED = "a PID, port:8080, the name of a container or kube:NAMESPACE/POD";

    /** Each is a connection of its own, with a recorder at its far end. */
    static final int MOST_REPLICAS = 100;

    /** All digits that fit are a pid: a container's short id has twelve. */
    private static final Pattern PID = Pattern.compile("\\d{1,10}");

    private static final Pattern PORT = Pattern.compile(AttachPoint.PORT + "(\\d{1,5})");
    private static final int MOST_PORT = 65_535;

    /** The pattern matches the names that podman and docker give. */
    private static final Pattern CONTAINER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]*");

    static final String KUBE = "kube:";

    /** The pattern matches namespace, pod or deployment, and container, each a name of the cluster's. */
    private static final Pattern POD = Pattern.compile("kube:(NAME)/(?:(deployment)/(?=NAME))?(NAME)(?:/(NAME))?"
            .replace("NAME", "[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?"));

    private AttachRules() {}

    static AttachPoint parse(String text) {
        var port = PORT.matcher(text);
        if (PID.matcher(text).matches() && Long.parseLong(text) > 0) {
            return new AttachPoint.ProcessId(Long.parseLong(text));
        }
        if (port.matches() && Integer.parseInt(port.group(1)) > 0 && Integer.parseInt(port.group(1)) <= MOST_PORT) {
            return new AttachPoint.ListeningPort(Integer.parseInt(port.group(1)));
        }
        var pod = POD.matcher(text);
        if (pod.matches()) {
            return new AttachPoint.KubePod(
                    pod.group(1), pod.group(2) != null, pod.group(3), Optional.ofNullable(pod.group(4)), 1);
        }
        if (text.contains(":") || !CONTAINER.matcher(text).matches() || text.matches("0+")) {
            throw BadValue.of("'" + text + "'", EXPECTED);
        }
        return new AttachPoint.ContainerName(text);
    }

    /**
     * Returns so many processes in place of one.
     *
     * @throws BadValue unless they are the pods of a deployment
     */
    static AttachPoint several(AttachPoint point, int replicas) {
        if (replicas == 1) {
            return point;
        }
        if (point instanceof AttachPoint.KubePod pod && pod.deployment()) {
            return pod.of(replicas);
        }
        throw new BadValue("found replicas: " + replicas + " with attach: " + point.text()
                + ", expected attach: kube:NAMESPACE/deployment/NAME, whose pods these are");
    }

    /**
     * Returns where a process is that a command line names outside this machine; empty for one of this machine.
     *
     * @param via the command that leads there, as it was typed
     * @param name of the process
     * @throws KilnException where that leads nowhere
     */
    public static Optional<Where> elsewhere(Optional<String> via, Optional<String> name) {
        try {
            Optional<Where.HostPlace> there = via.map(text -> HostRules.through(ShellWords.split(text)));
            return name.filter(text -> text.startsWith(KUBE))
                    .map(text -> HostRules.running(parse(text), there))
                    .or(() -> there);
        } catch (BadValue e) {
            throw KilnException.usage(e.text(), "kiln help remote says which commands lead to a service");
        }
    }

    /**
     * Makes a target that attaches.
     *
     * @param found the keys that say how to launch it
     * @param readiness that it was given, or the usual one
     * @param around what starts it anew, and the like
     * @param usesPort whether the load goes to the port that Kiln gives a target
     * @throws BadValue that names what would change the process
     */
    static Target target(
            List<String> found, Where.Running running, ReadySign readiness, boolean usesPort, Around around) {
        List<String> changing = new ArrayList<>(found);
        boolean restarts = Hook.of(around.hooks, HookMoment.RESTART).isPresent();
        if (!around.environment.isEmpty() && !restarts) {
            changing.add("environment");
        }
        if (!changing.isEmpty()) {
            throw new BadValue(
                    "found " + String.join(", ", changing) + " with attach, expected none: Kiln does not start this"
                            + " process and changes nothing of it; a command in place of attach lets Kiln start it"
                            + (restarts ? ", and environment is given to restart" : ""));
        }
        around.requireUndoable(running, restarts);
        SetEnvRules.require(running, around.hooks, around.environment.keySet());
        if (readiness instanceof ReadySign.LogPattern) {
            throw new BadValue(
                    "found readiness by its log with attach, expected a URL or a port: Kiln does not have the"
                            + " output of a process that it did not start");
        }
        if ((usesPort || usesPort(readiness) || around.usesPort())
                && !(running.point() instanceof AttachPoint.ListeningPort)) {
            throw new BadValue("found ${port}, but Kiln does not choose the port of a process that it does not"
                    + " start: put its port into the URL, or attach to port:8080");
        }
        return new Target(
                new Target.Program(List.of(), List.of(), around.environment, Optional.empty()),
                Target.Jvm.USUAL,
                readiness,
                around.modifiers,
                running,
                around.hooks);
    }

    /** An Around is what is run for a target that Kiln does not start, with its environment, and what changes it as it runs. */
    record Around(Map<String, String> environment, List<Hook> hooks, List<Modifier> modifiers) {
        private void requireUndoable(Where.Running running, boolean restarts) {
            // The first process of a container has the same number in the next one.
            if (restarts
                    && running.point() instanceof AttachPoint.ProcessId id
                    && (running.there().isEmpty() || id.pid() != 1)) {
                throw new BadValue("found attach: " + id.pid() + " with restart, expected port:8080 or the name of a"
                        + " container: the new process has another PID");
            }
            if (!restarts && Hook.of(hooks, HookMoment.STOP).isPresent()) {
                throw new BadValue("found stop without restart, expected both: a service that Kiln cannot have started"
                        + " again stays as it is");
            }
        }

        private boolean usesPort() {
            return Stream.concat(environment.values().stream(), hooks.stream().flatMap(hook -> hook.command().stream()))
                    .anyMatch(text -> Placeholders.namesIn(text).contains(Placeholders.PORT));
        }
    }

    /** Checks that a target which Kiln starts is not started by others too. */
    static void requireAttached(List<Hook> hooks) {
        Stream.of(HookMoment.RESTART, HookMoment.STOP)
                .filter(moment -> Hook.of(hooks, moment).isPresent())
                .findFirst()
                .ifPresent(moment -> {
                    throw new BadValue(
                            "found " + moment.key() + " without attach, expected attach: port:8080 or the name of"
                                    + " a container, by which Kiln finds the new process");
                });
    }

    private static boolean usesPort(ReadySign readiness) {
        return switch (readiness) {
            case ReadySign.HttpStatus http -> Placeholders.namesIn(http.url()).contains(Placeholders.PORT);
            case ReadySign.TcpPort tcp -> tcp.port().isEmpty();
            case ReadySign.FirstResponse first -> false;
            case ReadySign.LogPattern log -> false;
        };
    }

    /** Tells whether variants attach to processes that run already, and are not started anew. */
    public static boolean attaches(List<Variant> variants) {
        return variants.stream()
                .anyMatch(variant -> variant.target().where() instanceof Where.Running
                        && !variant.target().restarts());
    }

    /** Tells whether others than Kiln start the services. */
    public static boolean startedByOthers(List<Variant> variants) {
        return variants.stream().anyMatch(variant -> variant.target().where() instanceof Where.Running);
    }

    /** Checks an experiment that options may have changed; throws with all that would change the process. */
    public static void require(Experiment experiment) {
        List<String> found = problems(experiment);
        if (!found.isEmpty()) {
            throw KilnException.usage(
                    String.join("\n", found), "kiln help measure-a-running-service says what is measured of it");
        }
    }

    /** Returns what an experiment asks for that is not possible with processes that run already, in words. */
    static List<String> problems(Experiment experiment) {
        if (!startedByOthers(experiment.variants())) {
            return List.of();
        }
        boolean before = attaches(experiment.variants());
        List<String> found = new ArrayList<>(ofWhole(experiment));
        found.addAll(SetEnvRules.problems(experiment.variants()));
        Set<Where.Running> points = new HashSet<>();
        for (Variant variant : experiment.variants()) {
            String of = "variant " + variant.name() + ": ";
            boolean restarts = variant.target().restarts();
            if (!(variant.target().where() instanceof Where.Running running) || (before && restarts)) {
                found.add(
                        of + "it is started " + (restarts ? "anew" : "by Kiln") + ", and others "
                                + (before
                                        ? "attach: a service that has run and one that has not are no fair comparison"
                                        : "are not: Kiln gives its own CPUs only to what it starts, so the two do not compare"));
                continue;
            }
            if (!restarts && !points.add(running)) {
                found.add(of + "a second run of " + running.words() + ": it is warm then, so the two do not compare;"
                        + " measure it once");
            }
            changing(variant)
                    .ifPresent(
                            what -> found.add(
                                    of + what
                                            + " cannot be used on a process that Kiln did not start: it would change it. Leave it out"));
        }
        return found;
    }

    private static List<String> ofWhole(Experiment experiment) {
        List<String> found = new ArrayList<>();
        boolean before = attaches(experiment.variants());
        if (before && experiment.runs().atMost() > 1) {
            found.add(
                    "runs: found more than one, expected 1: a process that has run once is warm, so further runs of it are"
                            + " no runs of their own");
        }
        if (before && experiment.runs().repeat()) {
            found.add(
                    "repeat: found true, expected false: a second run of a process that has served is another measurement");
        }
        if (experiment.setting().cold()) {
            found.add(
                    before
                            ? "cold: the process has started already, and its files were read then; leave it out"
                            : "cold: a service that runs until its restart keeps its files in memory; leave it out, or drop"
                                    + " the page cache in beforeRun");
        }
        if (!experiment.setting().cpus().target().isEmpty()) {
            found.add(
                    "cpus: found CPUs for the target, expected none: Kiln does not move a process that it did not start");
        }
        if (!(experiment.database() instanceof DatabaseSpec.None)) {
            found.add("database: found one, expected none: the process has its own already");
        }
        return found;
    }

    /** Returns an instrument that changes what it watches; empty without one. */
    private static Optional<String> changing(Variant variant) {
        Observe observe = variant.observe();
        List<String> found = new ArrayList<>();
        if (observe.flightRecorder()) {
            found.add(Observe.FLIGHT_RECORDER);
        }
        if (observe.asyncProfiler()) {
            found.add(Observe.ASYNC_PROFILER);
        }
        if (observe.fullCollections().isPresent()) {
            found.add(Observe.FULL_COLLECTIONS);
        }
        if (variant.target().jdk().isPresent()) {
            found.add("jdk");
        }
        return found.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", found));
    }
}
