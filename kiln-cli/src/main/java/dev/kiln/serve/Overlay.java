package dev.kiln.serve;

import dev.kiln.compare.Comparer;
import dev.kiln.compare.Comparison;
import dev.kiln.compare.Configuration;
import dev.kiln.compare.VariantRuns;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.Assessment.Yardstick;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.KilnException;
import dev.kiln.model.run.RunInfo;
import dev.kiln.report.ComparisonWords;
import dev.kiln.report.html.HtmlReport;
import dev.kiln.report.html.HtmlReport.View;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.study.Experiments;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** An Overlay lays variants of any experiments over each other, and compares them with the first. */
final class Overlay {
    /** The separator stands between the folder of an experiment and a variant; no folder's name has it. */
    private static final String OF = "//";

    /** The limit of results in memory, which are large; a viewer usually returns to the same few. */
    private static final int KEPT = 8;

    private static final int MOST = 24;

    private final Library library;
    private final Consumer<String> leftOut;
    private final Map<String, ExperimentResult> kept = new LinkedHashMap<>();

    Overlay(Library library, Consumer<String> leftOut) {
        this.library = library;
        this.leftOut = leftOut;
    }

    /** A Chosen is a variant with the experiment that it belongs to. */
    private record Chosen(Item item, ExperimentResult result, VariantResult variant) {
        /** Returns its name; where others have the same, with the experiment that it is of. */
        String name(List<Chosen> all) {
            return all.stream()
                                    .filter(other -> other.variant.name().equals(variant.name()))
                                    .count()
                            > 1
                    ? variant.name() + " (" + item.listed().id() + ")"
                    : variant.name();
        }

        /** Returns the variant measured against the peak of all chosen variants, not of its experiment. */
        Chosen held(Optional<Yardstick> against) {
            VariantResult own = variant.alone();
            return new Chosen(
                    item,
                    result,
                    against.filter(peak -> result.sweep().isEmpty())
                            .map(peak -> peak.hold(own, result.config()))
                            .orElse(own));
        }

        Configuration configuration(String name) {
            return VariantRuns.of(result, variant, item.folder().toString()).named(name);
        }
    }

    /** Returns the experiment, judged from its evidence. */
    ExperimentResult assessed(Item item) {
        String key = item.listed().id() + " " + item.runs().size() + " "
                + item.summary().hashCode();
        Optional<ExperimentResult> before = known(key);
        // Outside the lock: one that takes long keeps nobody waiting who asks for another.
        ExperimentResult result =
                before.orElseGet(() -> Experiments.assess(item.folder(), AnalysisConfig.defaults(), leftOut));
        keep(key, result);
        return result;
    }

    private synchronized Optional<ExperimentResult> known(String key) {
        return Optional.ofNullable(kept.get(key));
    }

    private synchronized void keep(String key, ExperimentResult result) {
        kept.remove(key);
        kept.put(key, result);
        if (kept.size() > KEPT) {
            kept.remove(kept.keySet().iterator().next());
        }
    }

    /** @param fromLaunch times begin at the launch, and not at the first request */
    String page(List<String> wanted, boolean fromLaunch) {
        if (wanted.isEmpty() || wanted.size() > MOST) {
            throw KilnException.usage(
                    wanted.isEmpty() ? "no variant was chosen" : wanted.size() + " variants are too many to see",
                    "choose up to " + MOST + " in the list at /");
        }
        List<Chosen> asked = wanted.stream().map(this::chosen).toList();
        Optional<Yardstick> highest = alike(asked)
                ? Yardstick.of(asked.stream()
                        .map(each -> each.variant().alone().named(each.name(asked)))
                        .toList())
                : Optional.empty();
        List<Chosen> chosen = asked.stream().map(each -> each.held(highest)).toList();
        List<VariantResult> variants = new ArrayList<>();
        List<Configuration> configurations = new ArrayList<>();
        SequencedMap<String, RunInfo> launches = new LinkedHashMap<>();
        for (Chosen each : chosen) {
            String name = each.name(asked);
            variants.add(each.variant().named(name));
            Optional.ofNullable(each.result().launches().get(each.variant().name()))
                    .ifPresent(info -> launches.put(name, info));
            Configuration configuration = each.configuration(name);
            if (!configuration.metrics().isEmpty()) {
                configurations.add(configuration);
            }
        }
        Optional<Comparison> comparison = Comparer.of(configurations, AnalysisConfig.defaults());
        ExperimentResult first = chosen.getFirst().result();
        return HtmlReport.render(
                new ExperimentResult(
                        chosen.stream()
                                .map(c -> c.item().listed().name())
                                .distinct()
                                .collect(Collectors.joining(", ")),
                        first.protocol(),
                        variants,
                        new ExperimentResult.Answers(conclusion(comparison), footnotes(chosen), List.of()),
                        new ExperimentResult.LaunchFacts(first.how(), launches),
                        Optional.empty(),
                        first.config()),
                new View(
                        comparison,
                        fromLaunch,
                        // What is held against another peak is no variant of its experiment.
                        colours(asked.stream()
                                .map(c -> c.result().variants().indexOf(c.variant()))
                                .toList())));
    }

    /**
     * Returns the colour of each variant: the one it has in its own report, unless a variant before it has the same.
     * Empty if there are more variants than colours.
     *
     * @param own their numbers in their experiments
     */
    static List<Integer> colours(List<Integer> own) {
        Set<Integer> free = IntStream.range(0, View.COLOURS).boxed().collect(Collectors.toCollection(TreeSet::new));
        if (own.size() > free.size()) {
            return List.of();
        }
        Map<Integer, Integer> given = new HashMap<>();
        for (int i = 0; i < own.size(); i++) {
            if (free.remove(own.get(i) % View.COLOURS)) {
                given.put(i, own.get(i) % View.COLOURS);
            }
        }
        Iterator<Integer> rest = List.copyOf(free).iterator();
        return IntStream.range(0, own.size())
                .mapToObj(i -> Optional.ofNullable(given.get(i)).orElseGet(rest::next))
                .toList();
    }

    /** Tells whether a peak of one can be a measure for another: it is none under another load, or on another host. */
    private static boolean alike(List<Chosen> asked) {
        List<Configuration> all = asked.stream()
                .map(each -> each.configuration(each.variant().name()))
                .toList();
        return all.stream().allMatch(one -> all.getFirst().differences(one).isEmpty());
    }

    private Chosen chosen(String wanted) {
        int at = wanted.indexOf(OF);
        String id = at < 0 ? wanted : wanted.substring(0, at);
        String name = at < 0 ? "" : wanted.substring(at + OF.length());
        Item item = library.find(id)
                .orElseThrow(
                        () -> KilnException.usage("there is no experiment " + id + " here", "choose in the list at /"));
        ExperimentResult result = assessed(item);
        return result.variants().stream()
                .filter(variant -> variant.name().equals(name))
                .findFirst()
                .map(variant -> new Chosen(item, result, variant))
                .orElseThrow(() -> KilnException.usage(
                        id + " has no variant '" + name + "' with a run", "choose in the list at /"));
    }

    private static String conclusion(Optional<Comparison> comparison) {
        return comparison
                .map(found -> found.others().stream()
                        .map(against -> unfair(found, against) + new ComparisonWords(found).conclusion(against))
                        .collect(Collectors.joining(" ")))
                .orElse("Nothing to compare: it takes two variants with valid runs.");
    }

    private static String unfair(Comparison of, Comparison.Against against) {
        return against.differences().isEmpty()
                ? ""
                : against.other().name() + " and " + of.baseline().name()
                        + " were not measured alike: the notes under Compared say in what they differ. ";
    }

    private static List<String> footnotes(List<Chosen> chosen) {
        List<String> notes = new ArrayList<>();
        long protocols =
                chosen.stream().map(c -> c.result().protocol()).distinct().count();
        if (protocols > 1) {
            notes.add("The experiments have different protocols. The phases behind the curves are those of the run that"
                    + " has most of them.");
        }
        chosen.stream().flatMap(c -> c.result().footnotes().stream()).distinct().forEach(notes::add);
        return notes;
    }
}
