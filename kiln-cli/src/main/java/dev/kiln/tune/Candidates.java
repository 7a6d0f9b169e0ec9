package dev.kiln.tune;

import dev.kiln.explain.cause.Causes;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Hook.HookMoment;
import dev.kiln.model.experiment.JvmOptions;
import dev.kiln.model.experiment.Modifier.BoostedStart;
import dev.kiln.model.experiment.Modifier.NoAotReplay;
import dev.kiln.model.experiment.Modifier.VirtualThreads;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.AotCache;
import dev.kiln.model.experiment.Target.JdkChoice;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.plan.Changes;
import dev.kiln.tune.Candidates.Difference.DifferenceKind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Candidates derives variants to try from the confirmed causes of a baseline, and combines them. */
public final class Candidates {
    private Candidates() {}

    /**
     * Returns each change that Kiln can try among the remedies of confirmed causes, beginning with the weightiest
     * cause. A cause that takes as much at the peak made no warm-up longer: it is one only where the peak itself is to
     * rise.
     *
     * @param findings of the baseline's runs
     * @param leftOut told the name and the reason of what the target cannot have
     */
    public static List<Candidate> of(
            Variant baseline, List<Finding> findings, Goal goal, BiConsumer<String, String> leftOut) {
        List<Candidate> candidates = new ArrayList<>();
        Set<Change> known = new HashSet<>();
        findings.stream()
                .filter(finding -> finding.state() == FindingState.CONFIRMED)
                .filter(finding -> goal == Goal.PEAK || Causes.costs(finding))
                .sorted(Comparator.comparingDouble(Finding::weight).reversed())
                .forEach(finding -> {
                    for (FindingRemedy remedy : finding.remedies()) {
                        for (Change change :
                                remedy.change().map(Candidates::forms).orElse(List.of())) {
                            if (known.add(change)) {
                                one(baseline, finding, remedy, change, leftOut).ifPresent(candidates::add);
                            }
                        }
                    }
                });
        return candidates;
    }

    /** Returns the titles of the confirmed causes that cost something here, and have no remedy that Kiln can try. */
    static List<String> uncured(List<Finding> findings, Goal goal) {
        List<Finding> held = findings.stream()
                .filter(finding -> finding.state() == FindingState.CONFIRMED)
                .filter(finding -> goal == Goal.PEAK || Causes.costs(finding))
                .toList();
        Set<String> cured = held.stream()
                .filter(finding -> finding.remedies().stream()
                        .anyMatch(remedy -> remedy.change().isPresent()))
                .map(Finding::id)
                .collect(Collectors.toSet());
        return held.stream()
                .filter(finding -> !cured.contains(finding.id()))
                .map(Finding::title)
                .distinct()
                .toList();
    }

    /**
     * Returns the change in all forms to try: a cache that is trained by load is also trained by a start alone, and
     * used without its profiles.
     */
    private static List<Change> forms(Change change) {
        boolean traffic =
                change.aot().filter(AotCache.Traffic.class::isInstance).isPresent();
        return traffic
                ? List.of(
                        change,
                        Change.with(new AotCache.Startup(List.of())),
                        new Change(List.of(new NoAotReplay()), change.jvmFlags(), change.aot()))
                : List.of(change);
    }

    private static Optional<Candidate> one(
            Variant baseline,
            Finding finding,
            FindingRemedy remedy,
            Change change,
            BiConsumer<String, String> leftOut) {
        String name = name(change);
        try {
            Variant variant = Changes.of(baseline, name, change);
            return variant.target().equals(baseline.target())
                    ? Optional.empty()
                    : Optional.of(new Candidate(
                            variant,
                            Optional.of(change),
                            List.of(finding.title()),
                            Optional.of(remedy.cost()),
                            List.of()));
        } catch (KilnException e) {
            leftOut.accept(name, e.getMessage());
            return Optional.empty();
        }
    }

    /** Returns the name of a variant: its cache and its modifiers, or its first flag. */
    private static String name(Change change) {
        List<String> parts = new ArrayList<>();
        change.aot().ifPresent(aot -> parts.add("aot-" + aot.text()));
        change.modifiers().forEach(modifier -> parts.add(modifier.text()));
        String text = parts.isEmpty()
                ? change.jvmFlags().getFirst().replaceFirst("^-(XX:[+-]?|D)?", "")
                : String.join("-", parts);
        return text.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
    }

    /** Returns why a variant cannot be launched, and what would change that; its name stands before it. */
    static String whyNot(String variant, KilnException e) {
        String why = String.valueOf(e.getMessage())
                .replaceFirst("^variant " + Pattern.quote(variant) + ": (" + Pattern.quote(variant) + ": )?", "");
        return e.remedy().isBlank() ? why : why + " (" + e.remedy() + ")";
    }

    /** Returns the names of candidates, with what they are to cure. */
    static String words(List<Candidate> candidates) {
        Map<String, List<String>> names = new LinkedHashMap<>();
        for (Candidate one : candidates) {
            String causes = String.join(" and ", one.causes());
            names.computeIfAbsent(causes.isEmpty() ? "your own" : "against: " + causes, why -> new ArrayList<>())
                    .add(one.name());
        }
        return names.entrySet().stream()
                .map(some -> String.join(", ", some.getValue()) + " (" + some.getKey() + ")")
                .collect(Collectors.joining("; "));
    }

    /**
     * Returns one variant with both changes.
     *
     * @throws KilnException if the target cannot have both
     */
    public static Candidate together(Variant baseline, Candidate a, Candidate b) {
        Change one = a.change().orElseThrow();
        Change other = b.change().orElseThrow();
        Change both = new Change(
                joined(one.modifiers(), other.modifiers()),
                joined(one.jvmFlags(), other.jvmFlags()),
                one.aot().or(other::aot));
        return new Candidate(
                Changes.of(baseline, a.name() + "-and-" + b.name(), both),
                Optional.of(both),
                joined(a.causes(), b.causes()),
                Optional.of(a.cost().orElse("") + "; " + b.cost().orElse("")),
                List.of(a, b));
    }

    /** Returns the candidate with a boost of another length, which its name mentions. */
    public static Candidate boosted(Candidate candidate, BoostedStart boost) {
        String seconds =
                boost.time().map(time -> "for-" + time.toSeconds() + "s").orElse(BoostedStart.UNTIL_WARM);
        String name = candidate.name().replace(BoostedStart.UNTIL_WARM, seconds);
        return candidate.with(Changes.of(
                candidate.variant(), name.equals(candidate.name()) ? name + "-" + seconds : name, Change.with(boost)));
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        List<T> all = new ArrayList<>(first);
        all.addAll(second);
        return all;
    }

    /** Returns what a variant has and the baseline has not, in words. */
    public static List<String> changes(Variant baseline, Variant variant) {
        return differences(baseline, variant).stream().map(Difference::words).toList();
    }

    /**
     * A Difference is one thing that a variant has and the baseline has not.
     *
     * @param words for people
     */
    public record Difference(DifferenceKind kind, String words) {
        /** The DifferenceKind says which part of a variant differs. */
        public enum DifferenceKind {
            FLAGS,
            MODIFIER,
            AOT_CACHE,
            ENVIRONMENT,
            COMMAND,
            ARGUMENTS,
            JDK
        }
    }

    /** Returns what a variant has and the baseline has not, each with its kind. */
    public static List<Difference> differences(Variant baseline, Variant variant) {
        Target before = baseline.target();
        Target after = variant.target();
        List<Difference> changes = new ArrayList<>();
        List<String> more = new ArrayList<>(after.jvm().ownFlags());
        before.jvm().ownFlags().forEach(more::remove);
        if (!more.isEmpty()) {
            changes.add(new Difference(DifferenceKind.FLAGS, "JVM flags " + String.join(" ", more)));
        }
        List<String> less = new ArrayList<>(JvmOptions.of(before));
        JvmOptions.of(after).forEach(less::remove);
        if (!less.isEmpty()) {
            changes.add(new Difference(DifferenceKind.FLAGS, "without " + String.join(" ", less)));
        }
        after.modifiers().stream()
                .filter(modifier -> !before.modifiers().contains(modifier))
                .forEach(modifier -> changes.add(new Difference(DifferenceKind.MODIFIER, modifier.text())));
        if (after.virtualThreads()
                && !before.virtualThreads()
                && after.modifier(VirtualThreads.class).isEmpty()) {
            changes.add(new Difference(DifferenceKind.MODIFIER, "virtual threads"));
        }
        if (!after.aot().equals(before.aot())) {
            changes.add(new Difference(
                    DifferenceKind.AOT_CACHE,
                    after.aot().map(aot -> "AOT cache trained by " + aot.text()).orElse("no AOT cache")));
        }
        new TreeMap<>(after.environment()).forEach((name, value) -> {
            if (!value.equals(before.environment().get(name))) {
                changes.add(new Difference(DifferenceKind.ENVIRONMENT, "environment " + name + "=" + value));
            }
        });
        for (HookMoment moment : HookMoment.OF_TARGET) {
            after.hook(moment)
                    .filter(hook -> !before.hook(moment).equals(Optional.of(hook)))
                    .ifPresent(hook -> changes.add(new Difference(
                            DifferenceKind.COMMAND, moment.key() + " " + String.join(" ", hook.command()))));
        }
        List<String> rest = new ArrayList<>(before.command());
        rest.removeAll(less);
        if (!after.command().equals(before.command()) && !after.command().equals(rest) && !after.virtualThreads()) {
            changes.add(new Difference(DifferenceKind.COMMAND, "command " + String.join(" ", after.command())));
        }
        if (!after.arguments().equals(before.arguments())) {
            changes.add(new Difference(DifferenceKind.ARGUMENTS, "arguments " + String.join(" ", after.arguments())));
        }
        if (!after.jdk().equals(before.jdk())) {
            changes.add(new Difference(
                    DifferenceKind.JDK,
                    "JDK " + after.jdk().map(JdkChoice::text).orElse("of the command")));
        }
        return changes;
    }
}
