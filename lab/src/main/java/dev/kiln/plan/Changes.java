package dev.kiln.plan;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.AotCache;
import dev.kiln.model.experiment.Target.JdkChoice;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Variant.SweepLevel;
import dev.kiln.plan.text.Problems.BadValue;
import java.nio.file.Path;
import java.util.List;

/** Changes makes variants that no file describes. */
public final class Changes {
    private Changes() {}

    /**
     * Returns a variant with a change, as a file would have it. Flags reach a JVM that a script starts by the environment.
     *
     * @throws KilnException if its target cannot have it, with the reason
     */
    public static Variant of(Variant variant, String name, Change change) {
        try {
            TargetDraft draft = TargetDraft.of(variant.target());
            Target changed = (ScriptChange.isScript(variant.target())
                            ? ScriptChange.of(variant.target(), change).of(draft)
                            : draft.with(change))
                    .finish(Path.of(""), false);
            return variant.named(name)
                    .with(changed.with(changed.program().with(variant.target().backend())));
        } catch (BadValue e) {
            throw KilnException.usage(e.text(), "");
        }
    }

    /** Returns each variant with each of these JDKs. A variant that is the only one is then called by its JDK. */
    public static List<Variant> byJdk(List<Variant> variants, List<JdkChoice> jdks) {
        boolean one = variants.stream().map(Changes::configuration).distinct().count() == 1;
        List<Variant> all = variants.stream()
                .flatMap(variant -> jdks.stream()
                        .map(jdk -> named(variant, (one ? "" : configuration(variant) + "-") + name(jdk))
                                .with(variant.target().with(jdk))))
                .toList();
        if (all.stream().map(Variant::name).distinct().count() < all.size()) {
            throw KilnException.usage(
                    "--jdks: two JDKs would give variants of the same name", "run them one after the other");
        }
        if (variants.stream()
                .anyMatch(variant -> variant.target()
                        .aot()
                        .filter(AotCache.OfVariant.class::isInstance)
                        .isPresent())) {
            throw KilnException.usage(
                    "--jdks: a variant takes the AOT cache of another one, and a cache is for one JDK",
                    "leave --jdks out, and write the variants into the file");
        }
        return all;
    }

    private static String configuration(Variant variant) {
        return variant.connections().isPresent()
                ? SweepLevel.of(variant.name(), variant.connections().getAsInt())
                        .map(SweepLevel::configuration)
                        .orElse(variant.name())
                : variant.name();
    }

    private static Variant named(Variant variant, String configuration) {
        return variant.connections().isPresent()
                ? variant.at(new SweepLevel(configuration, variant.connections().getAsInt()))
                : variant.named(configuration);
    }

    private static String name(JdkChoice jdk) {
        return switch (jdk) {
            case JdkChoice.Version version -> "jdk" + version.version().replace("+", "");
            case JdkChoice.Home home ->
                String.valueOf(home.home().getFileName()).replaceAll("[^A-Za-z0-9._-]|^[^A-Za-z0-9]+", "");
        };
    }
}
