package dev.kiln.explain.study;

import dev.kiln.explain.Forecaster.Forecast;
import dev.kiln.explain.RunFigures;
import dev.kiln.explain.RunNotes;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.explain.cause.CauseId.Role;
import dev.kiln.explain.cause.Causes;
import dev.kiln.model.Metric;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.run.FlightDigest.Work;
import dev.kiln.model.run.RunInfo;
import dev.kiln.stats.Descriptive;
import dev.kiln.stats.Power;
import dev.kiln.stats.series.Peak;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Footnotes are what a reader must know to read the figures. Each note stands once and names its runs. */
final class Footnotes {

    /** A smaller difference between a peak and the level that its share is measured against is lost in rounding. */
    private static final double SEEN = 0.02;

    /** Peaks of runs differ by as much where neighbours come and go; where they differ by more, runs may be of two kinds. */
    private static final double RUNS_DIFFER = 0.2;

    private static final int LIBRARIES = 3;

    private Footnotes() {}

    /** A Joined is the notes of runs that say the same; notes of a few kinds may differ in their figures. */
    private static final class Joined {
        private static final Pattern FIGURE = Pattern.compile("(?<=[ (])\\d+(?:\\.\\d+)?(?= )");

        /** Notes that contain one of these are joined even if their figures differ. */
        private static final List<String> KINDS = List.of(
                RunNotes.HUNG,
                "AOT cache used",
                "samples in compiled code",
                "the load driver's own compilers",
                "a dump stopped the JVM for",
                "had begun: times count from the start");

        private final SequencedSet<String> texts = new LinkedHashSet<>();
        private final Set<String> where = new LinkedHashSet<>();

        static String key(String note) {
            return KINDS.stream().anyMatch(note::contains)
                    ? FIGURE.matcher(note).replaceAll("#")
                    : note;
        }

        void add(String text, String run) {
            texts.add(text);
            where.add(run);
        }

        /** Returns the note with the least and the greatest of each figure. */
        String text() {
            List<List<String>> figures = texts.stream()
                    .map(text -> FIGURE.matcher(text)
                            .results()
                            .map(MatchResult::group)
                            .toList())
                    .toList();
            StringBuilder out = new StringBuilder();
            Matcher first = FIGURE.matcher(texts.getFirst());
            for (int i = 0; first.find(); i++) {
                int column = i;
                List<String> sorted = figures.stream()
                        .map(row -> row.get(column))
                        .sorted(Comparator.comparingDouble(Double::parseDouble))
                        .toList();
                boolean one = sorted.getFirst().equals(sorted.getLast());
                first.appendReplacement(out, sorted.getFirst() + (one ? "" : " to " + sorted.getLast()));
            }
            return first.appendTail(out).toString();
        }
    }

    static List<String> of(List<VariantResult> variants, Optional<RunInfo> info) {
        Map<String, Joined> found = new LinkedHashMap<>();
        int all = 0;
        for (VariantResult variant : variants) {
            for (RunResult run : variant.runs()) {
                all++;
                for (String note : run.notes()) {
                    found.computeIfAbsent(Joined.key(note), key -> new Joined())
                            .add(note, variant.name() + " " + run.run());
                }
            }
        }
        List<String> notes = new ArrayList<>();
        for (Joined one : found.values()) {
            notes.add(
                    one.where.size() == all ? one.text() : one.text() + " (run " + String.join(", ", one.where) + ")");
        }
        variants.forEach(variant -> level(variant).ifPresent(notes::add));
        variants.forEach(variant -> peaks(variant).ifPresent(notes::add));
        coverage(variants).ifPresent(notes::add);
        variants.forEach(variant -> c2Work(variant).ifPresent(notes::add));
        variants.forEach(variant -> forecast(variant).ifPresent(notes::add));
        variants.forEach(variant ->
                SiblingGap.of(variant, variants).map(SiblingGap::note).ifPresent(notes::add));
        general(variants, info, notes);
        return notes;
    }

    /** Notes what a share is of where that is not the peak, since the figures shown give another share. */
    private static Optional<String> level(VariantResult variant) {
        return variant.referencePeak()
                .filter(peak -> variant.endOverPeak().isPresent() && !ExperimentConclusion.allPeaked(variant))
                .filter(peak -> Math.abs(peak.level() / peak.value() - 1) > SEEN)
                .map(peak -> String.format(
                        Locale.ROOT,
                        "%s: the share of its peak is measured against %,.0f req/s, what the load after the pause %s",
                        variant.name(),
                        peak.level(),
                        peak.bounds().contains(Peak.PeakBound.CLIMBING)
                                ? "had climbed to"
                                : "served without its outliers"));
    }

    /** Notes that runs found peaks so different that their mean may be the peak of none. */
    private static Optional<String> peaks(VariantResult variant) {
        double[] own = variant.valid().stream()
                .flatMap(run -> run.series().reference().own().stream())
                .filter(peak -> !peak.lowerBound())
                .mapToDouble(Peak::value)
                .sorted()
                .toArray();
        return variant.referencePeak()
                .filter(peak -> own.length > 1 && own[own.length - 1] > (1 + RUNS_DIFFER) * own[0])
                .map(peak -> String.format(
                        Locale.ROOT,
                        "%s: its runs have different peaks, %,.0f to %,.0f req/s; the peak of %,.0f req/s is their mean, known to %,.0f to"
                                + " %,.0f (%.0f %% interval)",
                        variant.name(),
                        own[0],
                        own[own.length - 1],
                        peak.value(),
                        peak.throughput().lo(),
                        peak.throughput().hi(),
                        100 * peak.confidence()));
    }

    /** Notes how much of the hottest methods the AOT caches knew: the median of the runs, and their range. */
    private static Optional<String> coverage(List<VariantResult> variants) {
        List<String> told = new ArrayList<>();
        for (VariantResult variant : variants) {
            double[] percent = variant.runs().stream()
                    .filter(RunResult::valid)
                    .flatMapToDouble(run -> RunFigures.of(Metric.AOT_COVERAGE, run).stream())
                    .sorted()
                    .toArray();
            if (percent.length > 0) {
                String range = percent.length == 1
                        ? ""
                        : String.format(Locale.ROOT, " (%.0f\u2013%.0f)", percent[0], percent[percent.length - 1]);
                told.add(String.format(Locale.ROOT, "%s %.0f %%", variant.name(), Descriptive.median(percent)) + range);
            }
        }
        return told.isEmpty()
                ? Optional.empty()
                : Optional.of("of the samples of the hottest methods, in methods whose profile the AOT cache has: "
                        + String.join(", ", told));
    }

    /** Notes the libraries whose methods C2 spent most of its time on, for runs with a flight recording. */
    private static Optional<String> c2Work(VariantResult variant) {
        List<Work> all = variant.runs().stream()
                .filter(RunResult::valid)
                .flatMap(run -> run.curves().inside().jit().c2Work().stream())
                .toList();
        double nanos = all.stream().mapToLong(Work::nanos).sum();
        if (nanos == 0) {
            return Optional.empty();
        }
        String most = all.stream()
                .collect(Collectors.groupingBy(Work::library, TreeMap::new, Collectors.summingLong(Work::nanos)))
                .entrySet()
                .stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .limit(LIBRARIES)
                .map(library ->
                        String.format(Locale.ROOT, "%s %.0f %%", library.getKey(), 100 * library.getValue() / nanos))
                .collect(Collectors.joining(", "));
        return Optional.of(String.format(
                Locale.ROOT,
                "%s: time of C2's compilations by library, waits for a CPU included: %s; %,d of %,d compilations were of methods whose earlier C2 code had been thrown away",
                variant.name(),
                most,
                all.stream().mapToInt(Work::again).sum(),
                all.stream().mapToInt(Work::compilations).sum()));
    }

    /** Notes the forecast of the first valid run that ended its warm-up with C2 starved. */
    private static Optional<String> forecast(VariantResult variant) {
        return variant.runs().stream()
                .filter(RunResult::valid)
                .filter(run -> Causes.confirmed(
                                Role.STARVES_C2, run.explanation().findings())
                        .isPresent())
                .flatMap(run -> Forecast.last(run.explanation().forecasts()).stream())
                .findFirst()
                .map(text -> "forecast for " + variant.name() + ": " + text);
    }

    private static void general(List<VariantResult> variants, Optional<RunInfo> info, List<String> notes) {
        info.map(run -> run.plan().runs())
                .filter(Runs::adaptive)
                .ifPresent(runs -> notes.add(String.format(
                        Locale.ROOT,
                        "adaptive: Kiln added blocks until the interval of %s was within %.1f %%,"
                                + " from %d to at most %d. The width decided the number of runs, so the"
                                + " interval is made at %.0f %%. It then covered the truth in at least"
                                + " %.1f %% of simulated experiments",
                        Runs.subject(variants.size()),
                        100 * runs.width().orElseThrow(),
                        runs.atLeast(),
                        runs.atMost(),
                        100 - 5 * Precision.SHARE_OF_ALPHA,
                        100 * Precision.COVERAGE)));
        info.filter(run -> run.duet().isPresent()).map(RunNotes::duet).ifPresent(notes::add);
        info.map(RunInfo::protocol).filter(Protocol::endsEarly).ifPresent(protocol -> notes.add(early(protocol)));
        info.map(RunInfo::protocol).stream()
                .flatMap(protocol -> protocol.shaped().stream())
                .map(phase -> String.format(
                        Locale.ROOT,
                        "the load changed in phase %s (%s): times to the peak and the warm-up cost count that time too",
                        phase.name(),
                        phase.shape().orElseThrow().text()))
                .forEach(notes::add);
        info.flatMap(run -> run.load().replay())
                .ifPresent(replay -> notes.add("replayed from " + replay.name()
                        + ": throughput follows the recording, so response times show the warm-up"
                        + replay.note().map(note -> "; " + note).orElse("")));
        runs(variants, info).ifPresent(notes::add);
    }

    private static String early(Protocol protocol) {
        return "adaptive: the load before the pause ended as soon as "
                + (protocol.untilKnown().isEmpty()
                        ? "throughput was steady"
                        : "what the rest of it would show was known, or at its full length")
                + ", so the warm-up cost covers lengths that differ between runs, and kiln compare leaves it out";
    }

    /** Notes that there are too few runs, and how many are needed: as kiln compare counts them. */
    private static Optional<String> runs(List<VariantResult> variants, Optional<RunInfo> info) {
        int fewest = variants.stream()
                .mapToInt(v -> v.valid().size())
                .filter(runs -> runs > 0)
                .min()
                .orElse(0);
        boolean imported = info.filter(RunInfo::imported).isPresent();
        int needed = needed(variants.size(), info);
        if (fewest == 0 || fewest >= needed) {
            return Optional.empty();
        }
        String run =
                variants.stream().allMatch(v -> v.valid().size() == v.runs().size()) ? " run" : " valid run";
        if (fewest > 1) {
            return Optional.of(fewest + run + "s a variant: exploratory; a difference between variants needs at least "
                    + needed + " runs of each");
        }
        String more = imported
                ? "import more runs of it, named VARIANT-NUMBER"
                : "--runs " + needed + " can show a difference";
        return Optional.of((imported ? "a variant with one" + run : "one" + run + " a variant")
                + ": how much runs differ is not known; " + more);
    }

    /** Returns how many runs a variant needs: blocks need more of them, and imported runs have no blocks. */
    private static int needed(int variants, Optional<RunInfo> info) {
        return Precision.fewest(
                info.filter(RunInfo::imported).isPresent() ? Power.Design.GROUPS : Power.Design.BLOCKS,
                variants,
                info.filter(run -> run.plan().runs().adaptive()).isPresent());
    }
}
