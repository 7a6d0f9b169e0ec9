package dev.kiln.runner;

import dev.kiln.engines.ToolRules;
import dev.kiln.host.Launcher;
import dev.kiln.model.Experiment;
import dev.kiln.model.LoadTemplate;
import dev.kiln.model.Placeholders;
import dev.kiln.model.Target;
import dev.kiln.model.Variant;
import dev.kiln.model.Where;
import java.net.URI;
import java.util.HashSet;
import java.util.Set;

/** What can be found wrong before anything is started: a mistake must not cost a driver's warm-up first. */
final class Preflight {
    private Preflight() {}

    static void check(Lab lab, Experiment experiment) {
        ToolRules.check(experiment.load(), experiment.protocol());
        experiment.load().calls().stream()
                .map(LoadTemplate.Call::url)
                .filter(Preflight::isWhole)
                .map(URI::create)
                .forEach(Ports::requireFree);
        experiment.variants().stream()
                .map(Variant::target)
                .filter(target -> target.where() instanceof Where.Here)
                .forEach(Preflight::requireProgram);
        experiment.variants().forEach(variant -> new ModifierCheck(lab, variant).check());
        Set<Target> made = new HashSet<>();
        experiment.variants().stream()
                .filter(variant -> made.add(variant.target()))
                .forEach(variant -> new ContainerCheck(lab, variant).check());
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
