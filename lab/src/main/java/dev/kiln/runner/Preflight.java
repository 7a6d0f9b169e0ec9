package dev.kiln.runner;

import dev.kiln.engines.ToolRules;
import dev.kiln.host.Launcher;
import dev.kiln.model.Experiment;
import dev.kiln.model.LoadTemplate;
import dev.kiln.model.Placeholders;
import dev.kiln.model.Target;
import dev.kiln.model.Variant;
import dev.kiln.model.Where;
import dev.kiln.remote.RemoteKiln;
import java.net.URI;
import java.util.List;
import java.util.stream.Stream;

/** What can be found wrong before anything is started: a mistake must not cost a driver's warm-up first. */
final class Preflight {
    private Preflight() {}

    static void check(Lab lab, Experiment experiment, RunListener listener) {
        ToolRules.check(experiment.load(), experiment.protocol());
        experiment.load().calls().stream()
                .map(LoadTemplate.Call::url)
                .filter(Preflight::isWhole)
                .map(URI::create)
                .forEach(Ports::requireFree);
        for (Variant variant : experiment.variants()) {
            if (variant.target().where() instanceof Where.Here) {
                requireProgram(variant.target());
            }
            // What is on another machine is found wrong there.
            if (!(variant.target().where() instanceof Where.Host)) {
                new ModifierCheck(lab, variant).check();
                new ContainerCheck(lab, variant).check();
            }
        }
        for (String host : hosts(experiment)) {
            listener.stage("sending Kiln's recorder to " + host);
            RemoteKiln.ship(host);
        }
    }

    private static List<String> hosts(Experiment experiment) {
        return experiment.variants().stream()
                .flatMap(variant ->
                        variant.target().where() instanceof Where.Host host ? Stream.of(host.name()) : Stream.empty())
                .distinct()
                .toList();
    }

    private static void requireProgram(Target target) {
        String program = target.command().getFirst();
        // Java itself is found in the JDK of the variant.
        if (isWhole(program) && !program.equals("java")) {
            Launcher.requireProgram("target", program, target.workingDirectory());
        }
    }

    private static boolean isWhole(String text) {
        return Placeholders.namesIn(text).isEmpty();
    }
}
