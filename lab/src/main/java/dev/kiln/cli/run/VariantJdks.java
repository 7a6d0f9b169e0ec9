package dev.kiln.cli.run;

import dev.kiln.cli.console.Installation;
import dev.kiln.jvm.Jdk;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings;
import dev.kiln.model.experiment.Target.JdkChoice;
import dev.kiln.model.experiment.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Puts the home of a JDK in place of the version that a variant or the load names. */
record VariantJdks(JdkFinder finder, Consumer<String> note) {
    VariantJdks(Consumer<String> note) {
        this(new JdkFinder().withCache(Installation.cache()), note);
    }

    /** Without the variants whose JDK is optional and not here. */
    Experiment resolve(Experiment experiment) {
        List<Variant> variants = new ArrayList<>();
        for (Variant variant : experiment.variants()) {
            resolve(variant)
                    .ifPresentOrElse(
                            variants::add,
                            () -> note.accept("variant " + variant.name() + " is left out: no JDK " + wanted(variant)
                                    + " was found; kiln jdks lists those on this machine"));
        }
        if (variants.isEmpty()) {
            throw new KilnException(
                    Exit.MACHINE,
                    "no variant is left: none of their JDKs is on this machine",
                    "kiln jdks lists what was found");
        }
        return experiment.with(variants).with(resolve(experiment.load()));
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

    private static String wanted(Variant variant) {
        return variant.target().jdk().map(JdkChoice::text).orElse("");
    }

    private Optional<Variant> resolve(Variant variant) {
        Optional<JdkChoice> choice = variant.target().jdk();
        if (choice.isEmpty()) {
            return Optional.of(variant);
        }
        return switch (choice.get()) {
            case JdkChoice.Home home -> Optional.of(variant);
            case JdkChoice.Version version -> {
                Optional<Jdk> found = finder.find(version);
                if (found.isEmpty() && !version.optional()) {
                    throw none(
                            "variant " + variant.name(),
                            version,
                            "leave the variant out where it is missing: jdk: {version: " + version.version()
                                    + ", optional: true}");
                }
                yield found.map(jdk -> at(variant, jdk));
            }
        };
    }

    private static Variant at(Variant variant, Jdk jdk) {
        return variant.with(variant.target().with(new JdkChoice.Home(jdk.home())));
    }

    /** The JDK that runs Gatling. */
    private LoadTemplate resolve(LoadTemplate load) {
        return load.settings(EngineSettings.Gatling.class)
                .map(settings -> load.with(settings.with(
                        settings.jdk().map(this::home).orElseGet(() -> new JdkChoice.Home(JdkFinder.required())))))
                .orElse(load);
    }

    private JdkChoice.Home home(JdkChoice choice) {
        return switch (choice) {
            case JdkChoice.Home home -> home;
            case JdkChoice.Version version ->
                new JdkChoice.Home(finder.find(version)
                        .orElseThrow(() ->
                                none("gatling", version, "leave jdk out: the one that runs Kiln then runs Gatling"))
                        .home());
        };
    }

    private KilnException none(String whose, JdkChoice.Version version, String orElse) {
        String there = finder.find().stream().map(Jdk::version).distinct().collect(Collectors.joining(", "));
        return new KilnException(
                Exit.MACHINE,
                whose + ": no JDK " + version.version() + " was found; found: " + there,
                "install one, name its home (jdk: HOME), or " + orElse);
    }
}
