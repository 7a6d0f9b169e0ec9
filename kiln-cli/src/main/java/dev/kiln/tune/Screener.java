package dev.kiln.tune;

import dev.kiln.tune.Screening.Screened;
import dev.kiln.tune.Trials.Results;
import dev.kiln.tune.Trials.Screens;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A Screener finds out on short runs which candidates may be worth whole ones.
 *
 * @param records of all candidates, which it fills
 */
record Screener(Trials trials, BudgetPlan plan, Function<Candidate, SearchRecord> records) {
    static final String STAGE = "2-screen";

    /** Favoured compilers that are on the way to less than this much more than the baseline put the other causes first. */
    private static final double BARELY = 0.05;

    /**
     * Returns the candidates that may be worth whole runs, the best first. One that favours the compilers from the start is screened
     * first: it wins what any cure of their starvation can. If that is next to nothing, what cures other causes comes before the
     * others of its kind. They are not out: one short run cannot show that the compilers are not the matter. That takes a proof, and
     * the bound stays for it.
     */
    List<Candidate> screened(List<Candidate> candidates) {
        List<Candidate> ofCompilers =
                candidates.stream().filter(Candidate::isOfCompilers).toList();
        Optional<Candidate> bound = ofCompilers.size() < 2 ? Optional.empty() : Candidate.bound(ofCompilers);
        boolean compilersMatter = bound.isEmpty() || gains(bound.get());
        List<Candidate> all = new ArrayList<>(bound.stream().toList());
        candidates.stream()
                .filter(one -> !all.contains(one))
                // A cache has to be trained first, which takes as long as three screens.
                .sorted(Comparator.comparing((Candidate one) -> !compilersMatter && ofCompilers.contains(one))
                        .thenComparing(one -> one.variant().target().aot().isPresent()))
                .forEach(all::add);
        List<Candidate> ran = screen(all);
        List<Candidate> ranked = ran.stream()
                .filter(one ->
                        !records.apply(one).out && records.apply(one).screened.isPresent())
                .sorted(Comparator.comparingDouble(
                                (Candidate one) -> records.apply(one).served())
                        .reversed())
                .toList();
        if (ranked.isEmpty()) {
            return candidates.stream().filter(one -> !records.apply(one).out).toList();
        }
        trials.tell("screened, on the way to more or fewer requests than the baseline: "
                + ranked.stream()
                        .map(one -> one.name()
                                + String.format(
                                        Locale.ROOT,
                                        " (%+.0f %%)",
                                        100 * records.apply(one).served()))
                        .collect(Collectors.joining(", ")));
        List<Candidate> ofOthers =
                all.stream().filter(one -> !ofCompilers.contains(one)).toList();
        if (!compilersMatter && ran.size() == 1 && !ofOthers.isEmpty()) {
            // There was time for the bound alone: what cures other causes is worth the proof more than one that gained
            // nothing.
            return Stream.concat(ofOthers.stream(), ranked.stream()).toList();
        }
        return gaining(ranked, compilersMatter ? Optional.empty() : bound);
    }

    /** @param useless bound of the cures of starved compilers, which gained next to nothing; empty if there is none such */
    private List<Candidate> gaining(List<Candidate> ranked, Optional<Candidate> useless) {
        int gained = (int)
                ranked.stream().filter(one -> records.apply(one).served() > 0).count();
        List<Candidate> gaining = ranked.subList(0, Math.min(ranked.size(), Math.max(1, gained)));
        // A proof that the bound gains nothing speaks for all of its kind, and one of another of them only for that.
        return useless.isEmpty()
                ? gaining
                : ranked.stream()
                        .filter(one -> one.equals(useless.get())
                                || (gaining.contains(one)
                                        && (!one.isOfCompilers()
                                                || records.apply(one).served() >= BARELY)))
                        .toList();
    }

    /** Screens as many of these as the budget allows beside a proof, and returns them. */
    private List<Candidate> screen(List<Candidate> candidates) {
        List<Candidate> some = candidates.subList(0, Math.min(plan.screens(), candidates.size()));
        while (!some.isEmpty() && !trials.affordsScreens(STAGE, some, 2 * plan.pairs())) {
            // The last one is the least promising.
            some = some.subList(0, some.size() - 1);
        }
        if (some.isEmpty()) {
            return List.of();
        }
        Screens screens = trials.screen(STAGE, some);
        for (Candidate candidate : some) {
            SearchRecord record = records.apply(candidate);
            Results results = screens.results();
            Optional<String> failed = Optional.ofNullable(results.failed().get(candidate.name()));
            Optional<Screened> served = Optional.ofNullable(screens.served().get(candidate.name()));
            record.runs = served.isPresent() ? 1 : 0;
            record.screened = served;
            // One short run shows too little to judge: one that served less may still peak higher.
            record.judged = failed.isPresent() && !results.untried().contains(candidate.name());
            record.out = failed.isPresent();
            record.became(failed.orElseGet(
                    () -> served.map(Screener::words).orElseGet(() -> unscreened(results, candidate.name()))));
        }
        return some;
    }

    private static String unscreened(Results results, String name) {
        return results.of(name).isPresent()
                ? "its short run, or the run of the baseline that it is held against, does not count"
                : results.notMeasured(name);
    }

    private boolean gains(Candidate bound) {
        screen(List.of(bound));
        // Where it could not be measured nothing is known of the others.
        return records.apply(bound).screened.map(Screened::gain).orElse(1.0) >= BARELY;
    }

    private static String words(Screened screened) {
        return String.format(
                Locale.ROOT,
                "after %d s of load it was on the way to %.0f %% %s requests than the baseline (%+.0f to %+.0f %%)",
                screened.seconds(),
                100 * Math.abs(screened.gain()),
                screened.gain() < 0 ? "fewer" : "more",
                100 * screened.lo(),
                100 * screened.hi());
    }
}
