package dev.kiln.plan;

import dev.kiln.model.experiment.Target.AotCache;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Variant.Observe;
import dev.kiln.plan.ObserverEffect.ObserveBinder;
import dev.kiln.plan.load.Defaults;
import dev.kiln.plan.text.Fields;
import dev.kiln.plan.text.Names;
import dev.kiln.plan.text.Node;
import dev.kiln.plan.text.Node.KeyedNode;
import dev.kiln.plan.text.Node.Mapping;
import dev.kiln.plan.text.Node.Scalar;
import dev.kiln.plan.text.Node.ScalarKind;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Section;
import dev.kiln.plan.text.Spot;
import dev.kiln.text.Nearest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** A VariantsBinder makes variants of {@code target:} and {@code variants:}, with all that they inherit. */
final class VariantsBinder {
    private static final String EXPECTED = "a map of at least one variant's name to what is special about it";

    private static final String EXTENDS = "extends";

    /** More variants are refused: one run of each would take a day, and chains of variants stay short. */
    private static final int MOST = 200;

    private record Draft(
            String name,
            Spot at,
            TargetDraft own,
            Optional<String> parent,
            Optional<Observe> observe,
            Optional<Boolean> optional) {
        /** Returns a draft that says nothing but its name. */
        static Draft plain(String name, Spot at) {
            return new Draft(
                    name, at(name, at), TargetDraft.empty(), Optional.empty(), Optional.empty(), Optional.empty());
        }

        private static Spot at(String name, Spot written) {
            return written.part("variant " + name);
        }
    }

    private final Path base;
    private final boolean usesPort;
    private final Problems problems;
    private final TargetBinder targets;
    private final Observe usual;
    private final Map<String, Draft> drafts = new LinkedHashMap<>();
    private Command.Whose targetFiles = Command.Whose.HERE;
    private final Set<Set<String>> circles = new HashSet<>();

    /** @param usual what watches a variant that says nothing of it */
    VariantsBinder(Path base, boolean usesPort, Problems problems, Observe usual) {
        this.base = base;
        this.usesPort = usesPort;
        this.problems = problems;
        this.targets = new TargetBinder(base, problems);
        this.usual = usual;
    }

    List<Variant> bind(Fields experiment) {
        int before = problems.count();
        targetFiles = experiment
                .node("target")
                .filter(Mapping.class::isInstance)
                .flatMap(node -> TargetBinder.files((Mapping) node))
                .orElse(Command.Whose.HERE);
        TargetDraft target = experiment
                .node("target")
                .flatMap(node -> Fields.of(node, Section.TARGET, "a map that says how to launch the target", problems))
                .map(fields -> targets.bind(fields, targetFiles))
                .orElseGet(TargetDraft::empty);
        experiment.node("variants").ifPresentOrElse(this::read, () -> {
            Spot at = experiment.at("target");
            drafts.put(Defaults.VARIANT, Draft.plain(Defaults.VARIANT, at));
        });
        Map<Draft, TargetDraft> full = new LinkedHashMap<>();
        for (Draft draft : drafts.values()) {
            inherited(draft, target, new LinkedHashSet<>()).ifPresent(inherited -> full.put(draft, inherited));
        }
        // What is missing because it was wrong would be blamed twice.
        return problems.count() > before ? List.of() : finished(full);
    }

    private List<Variant> finished(Map<Draft, TargetDraft> full) {
        List<Variant> variants = new ArrayList<>();
        full.forEach((draft, all) -> all.checkFiles(base, draft.at(), problems));
        full.forEach((draft, all) -> problems.attempt(
                        draft.at(), "variant " + draft.name(), () -> all.finish(base, usesPort))
                .ifPresent(target -> variants.add(new Variant(
                        draft.name(),
                        target,
                        said(draft, Draft::observe).orElse(usual),
                        said(draft, Draft::optional).orElse(false),
                        OptionalInt.empty()))));
        full.forEach((draft, all) -> all.jvm().aot().ifPresent(aot -> checkLender(draft, aot, full)));
        return variants;
    }

    /** Checks that the variant whose cache another one uses has a cache of its own. */
    private void checkLender(Draft draft, AotCache aot, Map<Draft, TargetDraft> full) {
        if (!(aot instanceof AotCache.OfVariant other)) {
            return;
        }
        String lender = other.variant();
        Optional<TargetDraft> there = Optional.ofNullable(drafts.get(lender)).map(full::get);
        if (there.isEmpty()) {
            problems.add(draft.at(), "aot", Nearest.complaint("variant", lender, drafts.keySet()));
        } else if (there.flatMap(lent -> lent.jvm().aot())
                .filter(own -> !(own instanceof AotCache.OfVariant))
                .isEmpty()) {
            problems.add(
                    draft.at(),
                    "aot",
                    "found of: " + lender + ", which has no cache of its own, expected a variant with one");
        }
    }

    private void read(Node node) {
        if (!(node instanceof Mapping map) || map.entries().isEmpty()) {
            problems.expected(node, "variants", EXPECTED);
            return;
        }
        if (map.entries().size() > MOST) {
            problems.add(
                    node.at(), "variants", "found " + map.entries().size() + " variants, expected at most " + MOST);
            return;
        }
        for (KeyedNode entry : map.entries()) {
            problems.attempt(entry.keyAt(), "variants", () -> Names.check(entry.key()));
            drafts.put(entry.key(), draft(entry, files(map, entry, new HashSet<>())));
        }
    }

    /** Returns whose files a variant runs among, before its command is checked: it or what it extends says so. */
    private Command.Whose files(Mapping variants, KeyedNode entry, Set<String> path) {
        if (!(entry.value() instanceof Mapping own) || !path.add(entry.key())) {
            return targetFiles;
        }
        Optional<Command.Whose> said = TargetBinder.files(own);
        return said.orElseGet(() -> own.entries().stream()
                .filter(key -> key.key().equals(EXTENDS))
                .flatMap(key -> key.value() instanceof Scalar parent ? Stream.of(parent.text()) : Stream.<String>of())
                .flatMap(parent ->
                        variants.entries().stream().filter(other -> other.key().equals(parent)))
                .findFirst()
                .map(other -> files(variants, other, path))
                .orElse(targetFiles));
    }

    private Draft draft(KeyedNode entry, Command.Whose files) {
        // A bare "platform:" is a variant with nothing special about it.
        if (entry.value() instanceof Scalar scalar && scalar.kind() == ScalarKind.NOTHING) {
            return Draft.plain(entry.key(), entry.keyAt());
        }
        Optional<Fields> fields =
                Fields.of(entry.value(), Section.VARIANT, "a map of what is special about the variant", problems);
        return new Draft(
                entry.key(),
                Draft.at(entry.key(), entry.keyAt()),
                fields.map(map -> targets.bind(map, files)).orElseGet(TargetDraft::empty),
                fields.flatMap(map -> map.parsed(EXTENDS, "the name of a variant", name -> name)),
                fields.flatMap(map -> map.node("observe")).flatMap(new ObserveBinder(problems)::ofVariant),
                fields.flatMap(map -> map.bool("optional")));
    }

    /** Returns what a variant says itself, or what the variant that it extends says. */
    private <T> Optional<T> said(Draft draft, Function<Draft, Optional<T>> what) {
        return what.apply(draft)
                .or(() -> draft.parent()
                        .flatMap(parent -> Optional.ofNullable(drafts.get(parent)))
                        .flatMap(parent -> said(parent, what)));
    }

    /** Returns the draft with all that it inherits, if that is found; {@code path} led here, to notice a circle. */
    private Optional<TargetDraft> inherited(Draft draft, TargetDraft target, Set<String> path) {
        if (!path.add(draft.name())) {
            circle(draft, path);
            return Optional.empty();
        }
        if (draft.parent().isEmpty()) {
            return Optional.of(draft.own().over(target));
        }
        String parent = draft.parent().get();
        if (!drafts.containsKey(parent)) {
            problems.add(draft.at(), Nearest.complaint("variant", parent, drafts.keySet()));
            return Optional.empty();
        }
        return inherited(drafts.get(parent), target, path).map(draft.own()::over);
    }

    /** Notes a circle once, at the first of its members; variants that only lead into it are not to blame. */
    private void circle(Draft draft, Set<String> path) {
        boolean member = path.iterator().next().equals(draft.name());
        if (member && circles.add(Set.copyOf(path))) {
            String way = String.join(" -> ", path) + " -> " + draft.name();
            problems.add(draft.at(), "variants extend one another in a circle: " + way);
        }
    }
}
