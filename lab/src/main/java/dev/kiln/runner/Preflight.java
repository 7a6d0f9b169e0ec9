package dev.kiln.runner;

import dev.kiln.engines.Engines;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.Ports;
import dev.kiln.host.process.Programs;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.launch.AttachSearch;
import dev.kiln.launch.Lab;
import dev.kiln.launch.LaunchCheck;
import dev.kiln.launch.LaunchCheck.ContainerCheck;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Hook;
import dev.kiln.model.experiment.JvmOptions;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Where;
import dev.kiln.remote.FarLoad;
import dev.kiln.remote.PodResize;
import dev.kiln.remote.RemoteKiln;
import dev.kiln.runner.RunControl.RunListener;
import java.net.URI;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A Preflight checks an experiment before anything is started: a mistake must not cost the driver's warm-up first. */
final class Preflight {
    private Preflight() {}

    static void check(Lab lab, Experiment experiment, RunListener listener) {
        if (experiment.setting().cold()) {
            experiment.variants().forEach(Preflight::requireCacheHere);
            PageCache.drop();
        }
        experiment.hooks().forEach(hook -> requireProgram(hook, Map.of()));
        experiment.variants().forEach(variant -> requireHooks(variant.target()));
        // Each level of a sweep has a load of its own.
        experiment.variants().stream()
                .map(experiment::loadOf)
                .distinct()
                .forEach(load -> Engines.of(load).check(load, experiment.protocol()));
        experiment.load().from().ifPresent(from -> shipDriver(experiment.load(), from, listener));
        if (!requireProcesses(experiment) && experiment.load().from().isEmpty()) {
            experiment.load().calls().stream()
                    .map(LoadTemplate.TemplateCall::url)
                    .filter(Preflight::isWhole)
                    .map(URI::create)
                    .forEach(Ports::requireFree);
        }
        // A place that several variants share is looked at once.
        Set<Target> made = new HashSet<>();
        Set<Where.HostPlace> reached = new HashSet<>();
        for (Variant variant : experiment.variants()) {
            switch (variant.target().where()) {
                case Where.Here here -> {
                    requireProgram(variant.target());
                    new LaunchCheck(lab, variant).check();
                }
                case Where.ContainerPlace container -> {
                    new LaunchCheck(lab, variant).check();
                    if (made.add(variant.target())) {
                        new ContainerCheck(lab, variant).check();
                    }
                }
                case Where.Running running -> {
                    // It was looked for above, or will be by the agent.
                    boolean restarts = variant.target().restarts();
                    if (variant.target().modifier(Modifier.BoostedStart.class).isPresent()) {
                        PodResize.requireCluster();
                    }
                    running.there().filter(reached::add).ifPresent(there -> ship(running, there, restarts, listener));
                }
                case Where.HostPlace host -> {
                    // What else may be wrong there, its agent finds.
                    if (reached.add(host)) {
                        ship(host, host, false, listener);
                    }
                    if (variant.target().workload().isPresent() && made.add(variant.target())) {
                        listener.stage("sending " + variant.target().workload().get() + " to " + host.name());
                        RemoteKiln.shipWorkload(variant.target());
                    }
                }
            }
        }
    }

    private static void shipDriver(LoadTemplate load, Where from, RunListener listener) {
        FarLoad place = FarLoad.at(from, List.of());
        if (!load.engine().equals(LoadTemplate.LoadEngine.KILN)) {
            throw KilnException.usage(
                    "load: " + load.engine().id() + " sends from where it is installed, and the load is to come from "
                            + place.name(),
                    "leave the engine out, as Kiln's own driver can be sent there, or leave 'from' out");
        }
        listener.stage("sending Kiln's load driver to " + place.name());
        place.ship();
    }

    private static void ship(Where where, Where.HostPlace there, boolean mayBeAbsent, RunListener listener) {
        listener.stage("sending Kiln's recorder to " + there.name());
        RemoteKiln.ship(where, mayBeAbsent);
    }

    /**
     * Finds the processes that run already on this machine. One that will be started anew may be missing.
     *
     * @return whether the ports of the services may be taken, because others start them, or publish the ports of a
     *     container
     */
    private static boolean requireProcesses(Experiment experiment) {
        AttachSearch search = new AttachSearch(ProcFs.ofThisMachine());
        Map<Integer, String> found = new HashMap<>();
        boolean others = false;
        for (Variant variant : experiment.variants()) {
            Optional<Where.HostPlace> elsewhere = variant.target().where().elsewhere();
            others |= variant.target().where() instanceof Where.Running
                    || elsewhere.filter(Where.HostPlace::isPiped).isPresent();
            if (elsewhere.isPresent()) {
                continue;
            }
            if (variant.target().where() instanceof Where.Running running
                    && variant.target().restarts()) {
                requireVisible(search, running);
            } else if (variant.target().where() instanceof Where.Running running) {
                int pid = search.find(running.point()).pid();
                String other = found.put(pid, variant.name());
                if (other != null) {
                    throw KilnException.usage(
                            "attach: variants " + other + " and " + variant.name() + " are the same process, " + pid,
                            "measure it once: it is warm in a second run, so the two do not compare");
                }
            }
        }
        return others;
    }

    private static void requireVisible(AttachSearch search, Where.Running running) {
        try {
            search.find(running.point());
        } catch (AttachSearch.NothingThere absent) {
            // The command will start it.
            return;
        }
    }

    private static void requireHooks(Target target) {
        Map<String, String> environment = target.where() instanceof Where.Running ? target.environment() : Map.of();
        target.hooks().forEach(hook -> requireProgram(hook, environment));
    }

    private static void requireProgram(Hook hook, Map<String, String> environment) {
        String program = hook.command().getFirst();
        if (isWhole(program)) {
            Programs.requireProgram(hook.moment().key(), program, Optional.of(hook.folder()), environment);
        }
    }

    private static void requireCacheHere(Variant variant) {
        if (variant.target().where() instanceof Where.HostPlace host) {
            throw KilnException.usage(
                    "variant " + variant.name() + " runs on " + host.name()
                            + ", and Kiln drops the page cache only of this machine",
                    "leave --cold and 'cold: true' out");
        }
    }

    private static void requireProgram(Target target) {
        String program = target.command().getFirst();
        // The variant's JDK takes the place of java.
        if (!isWhole(program) || (JvmOptions.isJava(program) && target.jdk().isPresent())) {
            return;
        }
        if (program.equals("java")
                && Programs.inPath(program, target.workingDirectory(), target.environment())
                        .isEmpty()) {
            throw JdkFinder.notInPath();
        }
        Programs.requireProgram("target", program, target.workingDirectory(), target.environment());
    }

    private static boolean isWhole(String text) {
        return Placeholders.namesIn(text).isEmpty();
    }
}
