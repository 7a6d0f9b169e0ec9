package dev.kiln.explain.study;

import dev.kiln.explain.VariantResult;
import dev.kiln.explain.study.ExperimentResult.ClaimResult;
import dev.kiln.explain.study.ExperimentResult.ClaimResult.State;
import dev.kiln.model.run.Finding;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.TimeToPeak;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Headline is the conclusion in three steps, for a page that has room for them.
 *
 * @param answer one sentence
 * @param sure how far it can be relied on, a sentence for each variant that the answer names
 * @param why what held them back; empty where nothing did, or it is not known
 */
public record Headline(String answer, List<String> sure, List<String> why) {
    public Headline {
        sure = List.copyOf(sure);
        why = List.copyOf(why);
    }

    /** Returns the headline: which variant peaked first and which last, behind the answer to claims if any. */
    public static Headline of(ExperimentResult result) {
        List<VariantResult> told = ExperimentConclusion.ordered(result.variants());
        if (told.isEmpty() || result.sweep().isPresent() || told.stream().anyMatch(VariantResult::allServed)) {
            return new Headline(result.conclusion(), List.of(), List.of());
        }
        List<VariantResult> named = told.size() == 1 ? told : List.of(told.getFirst(), told.getLast());
        String of = told.size() > 2 ? " (best and worst of " + told.size() + ")" : "";
        String bestAndWorst = named.stream().map(Headline::answer).collect(Collectors.joining("; ")) + of + ".";
        boolean asked = told.size() > 2 && !result.claims().isEmpty();
        return new Headline(
                asked ? answer(result.claims()) : bestAndWorst,
                Stream.concat(
                                asked ? Stream.of(bestAndWorst) : Stream.empty(),
                                named.stream().flatMap(Headline::sure))
                        .toList(),
                named.stream()
                        .flatMap(variant -> why(variant).map(why -> variant.name() + ": " + why + ".").stream())
                        .toList());
    }

    private static Optional<String> why(VariantResult variant) {
        return ExperimentConclusion.allPeaked(variant)
                ? ExperimentConclusion.delayed(variant)
                : ExperimentConclusion.why(variant);
    }

    /** Returns where a variant came to: the time to its peak, else its share at the end; empty if unknown. */
    public static Optional<String> brief(VariantResult variant) {
        if (variant.valid().isEmpty() || variant.referencePeak().isEmpty() || variant.allServed()) {
            return Optional.empty();
        }
        boolean bound = variant.referencePeak().get().lowerBound();
        if (ExperimentConclusion.allPeaked(variant)) {
            return variant.time(TimeToPeak.HEADLINE)
                    .filter(time -> time.seconds().isPresent())
                    .map(time -> TimeToPeak.HEADLINE + " % of " + variant.ownPeak() + " after "
                            + (bound ? "at least " : "") + TimeToPeak.text(time.seconds(), variant.horizon()) + " s");
        }
        // Of a peak that may be higher, a share is smaller.
        return variant.endOverPeak()
                .filter(share -> share.below(1 - AnalysisConfig.DELTA))
                .map(share -> String.format(
                        Locale.ROOT,
                        "ended at %.0f %% of %s%s",
                        bound ? Math.ceil(100 * share.hi()) : 100 * share.value(),
                        variant.ownPeak(),
                        bound ? " at most" : ""));
    }

    /** Returns what held a variant back, in a few words; empty where nothing did, or it is not known. */
    public static Optional<String> cause(VariantResult variant) {
        if (variant.valid().isEmpty() || ExperimentConclusion.allPeaked(variant)) {
            return Optional.empty();
        }
        return ExperimentConclusion.byMachine(variant)
                ? Optional.of("the machine gave less CPU")
                : ExperimentConclusion.cause(variant).map(Finding::title);
    }

    private static String answer(List<ClaimResult> claims) {
        return "Of " + claims.size() + (claims.size() == 1 ? " claim " : " claims ")
                + Stream.of(State.values())
                        .map(state -> counted(
                                state,
                                claims.stream()
                                        .filter(claim -> claim.state() == state)
                                        .count()))
                        .filter(part -> !part.isEmpty())
                        .collect(Collectors.joining(", "))
                + ".";
    }

    private static String counted(State state, long count) {
        return count == 0
                ? ""
                : count
                        + switch (state) {
                            case AGREES -> count == 1 ? " agrees" : " agree";
                            case DISAGREES -> count == 1 ? " does not agree" : " do not agree";
                            case OPEN -> count == 1 ? " is open" : " are open";
                        };
    }

    private static String answer(VariantResult variant) {
        Optional<TimeToPeak> time = variant.held().time(TimeToPeak.HEADLINE);
        if (variant.referencePeak().isEmpty() || time.isEmpty()) {
            return variant.name() + ": " + ExperimentConclusion.end(variant);
        }
        String peak = variant.higher()
                .map(higher -> "the highest peak, that of " + higher.variant() + ",")
                .orElse("its peak");
        boolean atLeast =
                variant.held().referencePeak().filter(Peak::lowerBound).isPresent();
        String seconds = TimeToPeak.text(time.get().seconds(), variant.horizon());
        return time.get().seconds().isEmpty()
                ? String.format(
                        Locale.ROOT,
                        "%s %s %d %% of %s in %.0f s of load",
                        variant.name(),
                        time.get().reached(),
                        TimeToPeak.HEADLINE,
                        peak,
                        variant.horizon())
                : variant.name() + " reached " + TimeToPeak.HEADLINE + " % of " + peak + " "
                        + (atLeast ? "no earlier than " : "after ") + seconds + " s"
                        + ExperimentConclusion.fellLater(variant);
    }

    private static Stream<String> sure(VariantResult variant) {
        Optional<TimeToPeak> time = variant.held().time(TimeToPeak.HEADLINE);
        if (variant.referencePeak().isEmpty() || time.isEmpty()) {
            return Stream.empty();
        }
        int runs = variant.valid().size();
        String range = runs == 1 ? "one run" : "median and range of " + runs + " runs";
        Peak peak = variant.referencePeak().get();
        boolean atLeast =
                variant.held().referencePeak().filter(Peak::lowerBound).isPresent()
                        && time.get().seconds().isPresent();
        return Stream.of(variant.name() + ": T90 " + (atLeast ? "at least " : "")
                + time.get().words(variant.horizon()) + ", " + range
                + variant.higher()
                        .map(higher -> ", to 90 % of the highest peak (" + higher.words() + ")")
                        .orElse("")
                + "; " + (variant.higher().isPresent() ? "its own peak " : "peak ") + peak.words()
                + (ExperimentConclusion.allPeaked(variant)
                        ? ", peaked"
                        : ExperimentConclusion.stood(variant).after("; "))
                + ".");
    }
}
