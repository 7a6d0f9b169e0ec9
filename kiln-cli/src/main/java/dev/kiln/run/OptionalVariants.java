package dev.kiln.run;

import dev.kiln.host.container.Containers;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Where;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** OptionalVariants leaves out the variants that may be missing and for which this machine lacks something. */
record OptionalVariants(VariantJdks jdks, Workloads workloads) {
    /** @param leftOut a line for each thing that is lacking, with the variants that need it */
    record Sorted(List<Variant> present, List<String> leftOut) {}

    /** @param note told what is left out, and why */
    Experiment present(Experiment experiment, Consumer<String> note) {
        Sorted sorted = sort(experiment);
        sorted.leftOut().forEach(note);
        if (sorted.present().isEmpty()) {
            throw KilnException.machine(
                    "no variant is left: this machine lacks what each of them needs",
                    "the lines before say what; kiln jdks lists the JDKs of this machine");
        }
        return experiment.with(sorted.present());
    }

    Sorted sort(Experiment experiment) {
        List<Variant> present = new ArrayList<>();
        Map<String, List<String>> without = new LinkedHashMap<>();
        // The levels of a sweep are alike, and a container engine is slow to answer.
        Map<List<Object>, Optional<String>> known = new HashMap<>();
        for (Variant variant : experiment.variants()) {
            known.computeIfAbsent(List.of(variant.target(), variant.optional()), alike -> lacking(variant))
                    .ifPresentOrElse(
                            what -> without.computeIfAbsent(what, first -> new ArrayList<>())
                                    .add(variant.name()),
                            () -> present.add(variant));
        }
        return new Sorted(
                present,
                without.entrySet().stream()
                        .map(e -> told(e.getValue()) + " left out: " + e.getKey())
                        .toList());
    }

    private static String told(List<String> names) {
        return names.size() == 1
                ? "variant " + names.getFirst() + " is"
                : "variants " + String.join(", ", names) + " are";
    }

    private Optional<String> lacking(Variant variant) {
        Optional<String> jdk = jdks.lacking(variant);
        return variant.optional() ? jdk.or(() -> container(variant)).or(() -> workloads.lacking(variant)) : jdk;
    }

    private static Optional<String> container(Variant variant) {
        return variant.target().where() instanceof Where.ContainerPlace container
                ? Containers.lacking(container).map(lack -> lack.getMessage() + "; " + lack.remedy())
                : Optional.empty();
    }
}
