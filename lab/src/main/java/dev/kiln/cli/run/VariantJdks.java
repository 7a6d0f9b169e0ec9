package dev.kiln.cli.run;

import dev.kiln.jvm.Jdk;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings;
import dev.kiln.model.experiment.Target.JdkChoice;
import dev.kiln.model.experiment.Variant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Puts the home of a JDK in place of the version that a variant or the load names. */
record VariantJdks(JdkFinder finder) {
    VariantJdks() {
        this(new JdkFinder());
    }

    Experiment resolve(Experiment experiment) {
        return experiment
                .with(experiment.variants().stream().map(this::resolve).toList())
                .with(resolve(experiment.load()));
    }

    /** That the JDK of a variant is not here, where it may be missing. */
    Optional<String> lacking(Variant variant) {
        return variant.target()
                .jdk()
                .filter(choice -> choice instanceof JdkChoice.Version version
                        && (version.optional() || variant.optional())
                        && finder.find(version).isEmpty())
                .map(choice -> "no JDK " + choice.text() + " was found; kiln jdks lists those on this machine");
    }

    /** What each version that the experiment names would find, a line each. */
    List<String> preview(Experiment experiment) {
        return Stream.concat(
                        experiment.variants().stream().flatMap(variant -> variant.target().jdk().stream()),
                        experiment
                                .load()
                                .settings(EngineSettings.Gatling.class)
                                .flatMap(EngineSettings.Gatling::jdk)
                                .stream())
                .filter(JdkChoice.Version.class::isInstance)
                .map(JdkChoice.Version.class::cast)
                .distinct()
                .map(version -> "JDK " + version.version() + " here: "
                        + finder.find(version)
                                .map(jdk -> jdk.home() + " (" + jdk.version() + ")")
                                .orElse("none found"))
                .toList();
    }

    private Variant resolve(Variant variant) {
        return variant.target()
                .jdk()
                .map(choice -> variant.with(variant.target()
                        .with(home(
                                choice,
                                "variant " + variant.name(),
                                "leave the variant out where it is missing: jdk: {version: " + choice.text()
                                        + ", optional: true}"))))
                .orElse(variant);
    }

    /** The JDK that runs Gatling. */
    private LoadTemplate resolve(LoadTemplate load) {
        return load.settings(EngineSettings.Gatling.class)
                .map(settings -> load.with(settings.with(settings.jdk()
                        .map(jdk -> home(jdk, "gatling", "leave jdk out: the one that runs Kiln then runs Gatling"))
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
