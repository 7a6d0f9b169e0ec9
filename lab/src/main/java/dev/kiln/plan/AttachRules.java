package dev.kiln.plan;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.AttachPoint;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.DatabaseSpec;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Variant.Observe;
import dev.kiln.model.experiment.Where;
import dev.kiln.plan.text.Problems.BadValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * AttachRules find what an experiment asks for that a process cannot be given which already runs. Kiln changes nothing of
 * such a process, so it refuses what would, in place of leaving it out without a word.
 */
public final class AttachRules {
    static final String EXPECTED = "a PID, port:8080 or the name of a container";

    /** All digits that fit are a pid: a container's short id has twelve. */
    private static final Pattern PID = Pattern.compile("\\d{1,10}");

    private static final Pattern PORT = Pattern.compile(AttachPoint.PORT + "(\\d{1,5})");
    private static final int MOST_PORT = 65_535;

    /** The pattern matches the names that podman and docker give. */
    private static final Pattern CONTAINER = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]*");

    private AttachRules() {}

    static AttachPoint parse(String text) {
        var port = PORT.matcher(text);
        if (PID.matcher(text).matches() && Long.parseLong(text) > 0) {
            return new AttachPoint.ProcessId(Long.parseLong(text));
        }
        if (port.matches() && Integer.parseInt(port.group(1)) > 0 && Integer.parseInt(port.group(1)) <= MOST_PORT) {
            return new AttachPoint.ListeningPort(Integer.parseInt(port.group(1)));
        }
        if (text.contains(":") || !CONTAINER.matcher(text).matches() || text.matches("0+")) {
            throw BadValue.of("'" + text + "'", EXPECTED);
        }
        return new AttachPoint.ContainerName(text);
    }

    /**
     * Makes a target that attaches.
     *
     * @param found the keys that say how to launch it
     * @param readiness that it was given, or the usual one
     * @param usesPort whether the load goes to the port that Kiln gives a target
     * @throws BadValue that names what would change the process
     */
    static Target target(List<String> found, Where.Running running, ReadySign readiness, boolean usesPort) {
        if (!found.isEmpty()) {
            throw new BadValue(
                    "found " + String.join(", ", found) + " with attach, expected none: Kiln did not start this"
                            + " process and changes nothing of it; a command in place of attach lets Kiln start it");
        }
        if (readiness instanceof ReadySign.LogPattern) {
            throw new BadValue(
                    "found readiness by its log with attach, expected a URL or a port: Kiln does not have the"
                            + " output of a process that it did not start");
        }
        if ((usesPort || usesPort(readiness)) && !(running.point() instanceof AttachPoint.ListeningPort)) {
            throw new BadValue("found ${port}, but Kiln does not choose the port of a process that runs"
                    + " already: put its port into the URL, or attach to port:8080");
        }
        return new Target(
                new Target.Program(List.of(), List.of(), Map.of(), Optional.empty()),
                Target.Jvm.USUAL,
                readiness,
                List.of(),
                running);
    }

    private static boolean usesPort(ReadySign readiness) {
        return switch (readiness) {
            case ReadySign.HttpStatus http -> Placeholders.namesIn(http.url()).contains(Placeholders.PORT);
            case ReadySign.TcpPort tcp -> tcp.port().isEmpty();
            case ReadySign.FirstResponse first -> false;
            case ReadySign.LogPattern log -> false;
        };
    }

    /** Tells whether the variants attach to processes that run already. */
    public static boolean attaches(List<Variant> variants) {
        return variants.stream().anyMatch(variant -> variant.target().where() instanceof Where.Running);
    }

    /**
     * Checks an experiment that options may have changed since it was read.
     *
     * @throws KilnException that names all that would change the process
     */
    public static void require(Experiment experiment) {
        List<String> found = problems(experiment);
        if (!found.isEmpty()) {
            throw KilnException.usage(
                    String.join("\n", found), "kiln help measure-a-running-service says what is measured of it");
        }
    }

    /** Returns what an experiment asks for that is not possible with processes that run already, in words. */
    static List<String> problems(Experiment experiment) {
        if (!attaches(experiment.variants())) {
            return List.of();
        }
        List<String> found = new ArrayList<>(ofWhole(experiment));
        Set<AttachPoint> points = new HashSet<>();
        for (Variant variant : experiment.variants()) {
            String of = "variant " + variant.name() + ": ";
            if (!(variant.target().where() instanceof Where.Running running)) {
                found.add(of
                        + "it is started by Kiln, and others attach: a service that has run and one that has not are no"
                        + " fair comparison");
                continue;
            }
            if (!points.add(running.point())) {
                found.add(of + "a second run of " + running.point().words()
                        + ": it is warm then, so the two do not compare;" + " measure it once");
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
        if (experiment.runs().atMost() > 1) {
            found.add(
                    "runs: found more than one, expected 1: a process that has run once is warm, so further runs of it are"
                            + " no runs of their own");
        }
        if (experiment.runs().repeat()) {
            found.add(
                    "repeat: found true, expected false: a second run of a process that has served is another measurement");
        }
        if (experiment.cold()) {
            found.add("cold: the process has started already, and its files were read then; leave it out");
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
