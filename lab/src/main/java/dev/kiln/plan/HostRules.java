package dev.kiln.plan;

import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.DatabaseSpec;
import dev.kiln.model.experiment.Hook;
import dev.kiln.model.experiment.Hook.HookMoment;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Variant.Observe;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.experiment.Where.AttachPoint;
import dev.kiln.plan.text.Names.PlaceholderUse;
import dev.kiln.plan.text.Problems.BadValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * HostRules finds what an experiment asks for that a target cannot be given which Kiln reaches by its agent. Unchecked,
 * the target would get something else without a word.
 */
final class HostRules {
    private static final Pattern THIS_MACHINE = Pattern.compile("https?://(localhost|127\\..*|\\[::1])([:/].*)?");
    private static final Pattern NAME = Pattern.compile("[^\\s-][^\\s]*");

    static final String EXPECTED = "a machine as ssh takes it, such as user@box, or none";

    private HostRules() {}

    static Where host(String text) {
        if (text.equals("none")) {
            return new Where.Here();
        }
        if (!NAME.matcher(text).matches()) {
            throw BadValue.of("'" + text + "'", EXPECTED);
        }
        return new Where.HostPlace(text, List.of());
    }

    /** Makes the place to which a command leads, of its words. */
    static Where.HostPlace through(List<String> words) {
        if (words.isEmpty()) {
            throw BadValue.of("nothing", "a command such as [podman, exec, -i, NAME]");
        }
        if (words.stream().anyMatch(word -> !Placeholders.namesIn(word).isEmpty())) {
            throw BadValue.of("a placeholder", "none: the way to the target is the same in all runs");
        }
        if (words.getFirst().equals("ssh") || words.getFirst().endsWith("/ssh")) {
            throw BadValue.of(
                    "ssh in via",
                    "host: box, or DOCKER_HOST=ssh://box with docker exec -i (ssh does not pass words on as they are)");
        }
        return Where.HostPlace.through(words);
    }

    /** Makes a process that runs already; {@code via} leads there, if it is neither here nor in a pod. */
    static Where running(AttachPoint point, Optional<Where.HostPlace> via) {
        if (via.isPresent() && point instanceof AttachPoint.KubePod) {
            throw new BadValue(
                    "found via with attach: " + point.text() + ", expected one of them: kubectl leads there");
        }
        return via.isPresent() ? new Where.Running(point, via) : new Where.Running(point);
    }

    /**
     * Returns a place with what it takes from the one that it replaces: a process is behind the command that leads to
     * the target, and a command leads to the process that is the target. A pod is both.
     */
    static Where joined(Where own, Where base) {
        if (base instanceof Where.Running pod && pod.point() instanceof AttachPoint.KubePod) {
            return own;
        }
        if (own instanceof Where.Running running && running.there().isEmpty()) {
            return new Where.Running(running.point(), base.elsewhere().filter(Where.HostPlace::isPiped));
        }
        if (own instanceof Where.HostPlace host && host.isPiped() && base instanceof Where.Running running) {
            return new Where.Running(running.point(), Optional.of(host));
        }
        return own;
    }

    /** Checks that the target needs nothing that Kiln makes here; throws a {@link BadValue} that names it. */
    static void check(Target target) {
        if (!(target.where() instanceof Where.HostPlace host)) {
            return;
        }
        String on = " for a target on " + host.name() + "; ";
        if (target.jdk().isPresent()) {
            throw new BadValue("found a JDK of this machine" + on
                    + "give its own JDK in the command: /usr/lib/jvm/jdk-21/bin/java ...");
        }
        if (target.aot().isPresent()) {
            throw new BadValue(
                    "found an AOT cache" + on + "Kiln makes AOT caches on this machine: give the cache as a JVM flag");
        }
        if (PlaceholderUse.of(own(target)).anyMatch(Placeholders.RUN_DIR::equals)) {
            throw new BadValue("found ${" + Placeholders.RUN_DIR + "}" + on + "that folder is on this machine");
        }
    }

    /** Returns the target without the command of a workload: what that writes stays on the other machine. */
    private static Target own(Target target) {
        return target.workload().isEmpty()
                ? target
                : target.with(new Target.Program(
                        List.of(), target.arguments(), target.environment(), target.workingDirectory()));
    }

    /**
     * Tells whether modifiers ask for nothing but more CPU for a new pod, which the cluster gives it while it runs.
     *
     * @throws BadValue if they do so for one that need not be new
     */
    static boolean boostsAPod(Where.Running running, List<Hook> hooks, List<Modifier> modifiers) {
        boolean boost = !modifiers.isEmpty()
                && modifiers.stream().allMatch(Modifier.BoostedStart.class::isInstance)
                && running.point() instanceof AttachPoint.KubePod;
        if (boost && Hook.of(hooks, HookMoment.RESTART).isEmpty()) {
            throw new BadValue("found cpu-boost with attach: " + running.point().text()
                    + " and without restart, expected both: more CPU at its start is of use to a pod that starts");
        }
        return boost;
    }

    private static boolean isThisMachine(String url) {
        return THIS_MACHINE.matcher(url).matches();
    }

    static boolean allElsewhere(List<Variant> variants) {
        return !variants.isEmpty()
                && variants.stream()
                        .allMatch(
                                variant -> variant.target().where().elsewhere().isPresent());
    }

    /** Returns what an experiment asks that is not possible with a target on another machine, in words. */
    static List<String> problems(Experiment experiment) {
        List<String> found = new ArrayList<>();
        for (Variant variant : experiment.variants()) {
            if (variant.target().where() instanceof Where.HostPlace host) {
                String on = "variant " + variant.name() + " runs on " + host.name() + ": ";
                if (host.isPiped() && experiment.database() instanceof DatabaseSpec.Managed) {
                    found.add(on
                            + "Kiln's PostgreSQL listens only on this machine, and for what SSH connects to it; name a"
                            + " database that the target can reach: database: {url: ..., user: ..., password: ...}");
                }
                Observe observe = variant.observe();
                if (observe.flightRecorder() || observe.asyncProfiler()) {
                    found.add(on + "Kiln makes flight recordings and profiles only on this machine");
                }
                if (host.isPiped()) {
                    // A port of a container is published here.
                    continue;
                }
                String here = "); write ${host} for the machine of the target: http://${host}:${port}/";
                LoadTemplate load = experiment.loadOf(variant);
                load.calls().stream()
                        .filter(call -> load.from().isEmpty())
                        .map(LoadTemplate.TemplateCall::url)
                        .filter(HostRules::isThisMachine)
                        .forEach(url -> found.add(on + "the load would go to this machine (" + url + here));
                if (variant.target().readiness() instanceof ReadySign.HttpStatus http && isThisMachine(http.url())) {
                    found.add(on + "readiness would be checked on this machine (" + http.url() + here);
                }
            }
        }
        return found;
    }
}
