package dev.kiln.run;

import dev.kiln.host.process.Programs;
import dev.kiln.jvm.Jdk;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.JvmOptions;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.JdkChoice;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Where;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** VariantJdks puts the home of a JDK in place of the version that a variant or the load names. */
record VariantJdks(JdkFinder finder) {
    Experiment resolve(Experiment experiment) {
        return experiment
                .with(experiment.variants().stream().map(this::resolve).toList())
                .with(resolve(experiment.load()));
    }

    /** Returns a message that the JDK of a variant is not installed, if the variant may be left out for that. */
    Optional<String> lacking(Variant variant) {
        return variant.target()
                .jdk()
                .filter(choice -> choice instanceof JdkChoice.Version version
                        && (version.optional() || variant.optional())
                        && finder.find(version).isEmpty())
                .map(choice -> "no JDK " + choice.text() + " was found; kiln jdks lists those on this machine");
    }

    /** Returns lines that name each variant's JDK, as far as it is known; those with the same share a line. */
    List<String> told(Experiment experiment) {
        Map<String, List<String>> variants = new LinkedHashMap<>();
        experiment
                .variants()
                .forEach(variant -> variants.computeIfAbsent(jdk(variant), first -> new ArrayList<>())
                        .add(variant.name()));
        List<String> lines = new ArrayList<>();
        variants.forEach((jdk, names) ->
                lines.add((variants.size() == 1 ? "JDK: " : "JDK of " + String.join(", ", names) + ": ") + jdk));
        experiment
                .load()
                .settings(EngineSettings.OnJvm.class)
                .ifPresent(settings -> settings.jdk()
                        .ifPresent(choice ->
                                lines.add("JDK of " + settings.engine().id() + ": " + text(choice))));
        return lines;
    }

    /** Describes the JDK of a variant in words. */
    private String jdk(Variant variant) {
        Target target = variant.target();
        return switch (target.where()) {
            case Where.Here here ->
                target.jdk()
                        .map(this::text)
                        .or(() -> JdkFinder.launching(target).map(Jdk::text))
                        .orElseGet(() -> unknown(target));
            case Where.Running running -> "that of " + running.words();
            case Where.ContainerPlace container -> target.jdk().map(this::text).orElse("that of " + container.image());
            case Where.HostPlace host ->
                target.jdk().map(JdkChoice::text).orElse("that of the command") + " on " + host.name();
        };
    }

    private String text(JdkChoice choice) {
        return switch (choice) {
            case JdkChoice.Home home -> JdkFinder.at(home.home()).text();
            case JdkChoice.Version version ->
                finder.find(version).map(Jdk::text).orElse("none found for '" + version.text() + "'");
        };
    }

    private static String unknown(Target target) {
        if (target.command().isEmpty() || !JvmOptions.isJava(target.command().getFirst())) {
            return "what the command finds by itself";
        }
        return Programs.inPath("java", target.workingDirectory(), target.environment())
                .map(java -> "what " + java + " chooses")
                .orElse("none, there is no 'java' in the PATH");
    }

    private Variant resolve(Variant variant) {
        return variant.target()
                .jdk()
                // Found on that machine.
                .filter(choice -> !(variant.target().where() instanceof Where.HostPlace))
                .map(choice -> variant.with(variant.target()
                        .with(home(
                                choice,
                                "variant " + variant.name(),
                                "leave the variant out where it is missing: jdk: {version: " + choice.text()
                                        + ", optional: true}"))))
                .orElse(variant);
    }

    /** Returns the load with the JDK that runs its engine. */
    private LoadTemplate resolve(LoadTemplate load) {
        return load.settings(EngineSettings.OnJvm.class)
                .map(settings -> load.with(settings.with(settings.jdk()
                        .map(jdk ->
                                home(jdk, settings.engine().id(), "leave jdk out: the one that runs Kiln then runs it"))
                        .orElseGet(() -> new JdkChoice.Home(JdkFinder.required())))))
                .orElse(load);
    }

    private JdkChoice.Home home(JdkChoice choice, String whose, String orElse) {
        return switch (choice) {
            case JdkChoice.Home home -> home;
            case JdkChoice.Version version ->
                new JdkChoice.Home(finder.find(version)
                        .orElseThrow(() -> none(whose, version, orElse))
                        .home());
        };
    }

    private KilnException none(String whose, JdkChoice.Version version, String orElse) {
        String there = finder.find().stream().map(Jdk::version).distinct().collect(Collectors.joining(", "));
        return KilnException.machine(
                whose + ": no JDK " + version.version() + " was found; found: " + there,
                "install one, name its home (jdk: HOME), or " + orElse);
    }
}
