package dev.kiln.tune;

import dev.kiln.compare.Measured;
import dev.kiln.model.Metric;
import dev.kiln.model.experiment.JvmOptions;
import dev.kiln.model.experiment.JvmOptions.ToolOptions;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Variant;
import dev.kiln.report.Grid;
import dev.kiln.report.TerminalStyle;
import dev.kiln.text.Show;
import dev.kiln.tune.Tuning.Boost;
import dev.kiln.tune.Tuning.CauseShare;
import dev.kiln.tune.Tuning.Tried;
import dev.kiln.tune.Tuning.TuneProof;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** TuneText writes {@code kiln tune} on a terminal: one sentence, what was tried, and what explains the loss. */
public final class TuneText {
    /** A single look has this confidence. */
    private static final double ONE_LOOK = 0.951;

    private TuneText() {}

    public static String terminal(Tuning tuning, Variant baseline, TerminalStyle style) {
        String sentence = style.chars(sentence(tuning, baseline));
        StringBuilder out = new StringBuilder();
        if (tuning.tried().stream().anyMatch(one -> one.outcome().isPresent())) {
            out.append(tried(tuning).terminal(style)).append('\n');
        }
        out.append(tuning.verdict() == Tuning.TuneVerdict.CANNOT_TELL ? style.warn(sentence) : style.bold(sentence))
                .append("\n\n");
        return out.append(style.notes(notes(tuning, baseline))).toString();
    }

    /** Returns one sentence with the result and its uncertainty. */
    public static String sentence(Tuning tuning, Variant baseline) {
        Optional<TuneProof> winner =
                tuning.winner().filter(proof -> proof.effect().isPresent());
        if (tuning.verdict() != Tuning.TuneVerdict.IMPROVED || winner.isEmpty()) {
            return Show.sentence(tuning.verdict().text()) + ": " + tuning.why() + ".";
        }
        TuneProof proof = winner.get();
        var effect = proof.effect().orElseThrow();
        List<String> changes = Candidates.changes(baseline, proof.candidate().variant());
        boolean nothing = tuning.goal() == Goal.DEFICIT && proof.after().orElse(1) <= Tuning.NOTHING_SECONDS;
        return String.format(
                Locale.ROOT,
                "Improved: with %s the %s is %s instead of %s, %s times as much, in %d pairs of fresh runs.",
                changes.equals(List.of(proof.candidate().name()))
                        ? proof.candidate().name()
                        : proof.candidate().name() + " (" + String.join(", ", changes) + ")",
                tuning.goal().metric().label(),
                (nothing ? "at most " : "") + value(proof.after(), tuning.goal().metric()),
                (proof.atLeast() ? "at least " : "")
                        + value(proof.before(), tuning.goal().metric()),
                nothing
                        ? String.format(Locale.ROOT, "at most %.2f", effect.hi())
                        : String.format(Locale.ROOT, "%.2f (%.2f to %.2f)", effect.ratio(), effect.lo(), effect.hi()),
                effect.logs().size());
    }

    private static String value(OptionalDouble value, Metric metric) {
        return Show.or(value, Show::three) + (metric.unit().isEmpty() ? "" : " " + metric.unit());
    }

    private static Grid tried(Tuning tuning) {
        List<Tried> tried =
                tuning.tried().stream().filter(one -> one.outcome().isPresent()).toList();
        boolean screened = tried.stream().anyMatch(one -> one.screened().isPresent());
        boolean gained = tried.stream().anyMatch(one -> one.gain().isPresent());
        List<String> heads = new ArrayList<>(List.of("Candidate", "Runs"));
        if (screened) {
            heads.add("Screen");
        }
        if (gained) {
            heads.add("Gain");
        }
        heads.add("Outcome");
        List<List<String>> rows = new ArrayList<>();
        for (Tried one : tried) {
            List<String> row = new ArrayList<>(List.of(one.candidate().name(), Integer.toString(one.runs())));
            if (screened) {
                row.add(one.screened()
                        .map(screen -> String.format(Locale.ROOT, "%+.0f %%", 100 * screen.gain()))
                        .orElse(Show.ABSENT));
            }
            if (gained) {
                row.add(one.gain()
                        .map(gain -> String.format(
                                Locale.ROOT,
                                "%+.1f %s",
                                gain,
                                tuning.goal().metric().unit()))
                        .orElse(Show.ABSENT));
            }
            row.add(one.outcome().orElseThrow());
            rows.add(row);
        }
        return Grid.of(heads, rows, heads.size() - 1);
    }

    private static List<String> notes(Tuning tuning, Variant baseline) {
        List<String> notes = new ArrayList<>();
        Stream.of(
                        ranges(tuning),
                        shares(tuning),
                        peak(tuning),
                        bound(tuning),
                        tuning.boost().map(TuneText::boost),
                        untried(tuning),
                        handedOn(tuning, baseline))
                .flatMap(Optional::stream)
                .forEach(notes::add);
        // What nobody is advised to do costs nobody anything.
        improved(tuning).map(TuneProof::candidate).stream()
                .flatMap(one -> one.parts().isEmpty() ? Stream.of(one) : one.parts().stream())
                .flatMap(one -> one.cost().map(cost -> "What " + one.name() + " costs: " + cost + ".").stream())
                .forEach(notes::add);
        if (tuning.tried().stream().anyMatch(one -> one.screened().isPresent())) {
            notes.add(
                    "A screen is one short run. Its figure says how many more requests than the baseline it would have served by"
                            + " the end of the load, had it gone on as in its last ten seconds. It chooses what is measured"
                            + " next, and proves nothing.");
        }
        if (tuning.tried().stream().anyMatch(one -> one.gain().isPresent())) {
            notes.add(
                    "A gain is what a candidate gained against the run of the baseline beside it, the median of such pairs. Gains"
                            + " choose what is proven. The sentence above is about fresh runs, which chose nothing.");
        }
        return notes;
    }

    /** Returns the winner of a search that found a cure. */
    private static Optional<TuneProof> improved(Tuning tuning) {
        return tuning.winner().filter(proof -> tuning.verdict() == Tuning.TuneVerdict.IMPROVED);
    }

    private static Optional<String> ranges(Tuning tuning) {
        return tuning.winner()
                .flatMap(TuneProof::effect)
                .map(effect ->
                        "Ranges in brackets are intervals of " + Show.trimmed(100 * effect.confidence(), 1) + " %"
                                + (effect.confidence() > ONE_LOOK
                                        ? ": the plan has several looks, and all together are right in 95 %."
                                        : "."));
    }

    private static Optional<String> shares(Tuning tuning) {
        return tuning.winner()
                .map(TuneProof::shares)
                .filter(shares -> !shares.isEmpty())
                .map(shares -> "Of the warm-up cost, in seconds at the peak: "
                        + shares.stream().map(TuneText::share).collect(Collectors.joining(", ")) + ".");
    }

    private static Optional<String> peak(Tuning tuning) {
        return improved(tuning)
                .flatMap(TuneProof::peak)
                .map(peak -> String.format(
                        Locale.ROOT,
                        "Its peak is %.2f (%.2f to %.2f) of the baseline's.",
                        peak.ratio(),
                        peak.lo(),
                        peak.hi()));
    }

    private static Optional<String> untried(Tuning tuning) {
        List<String> untried = tuning.tried().stream()
                .filter(one -> one.outcome().isEmpty())
                .map(one -> one.candidate().name())
                .toList();
        return untried.isEmpty()
                ? Optional.empty()
                : Optional.of("Not tried, because the budget was not enough: " + String.join(", ", untried) + ".");
    }

    /** Says how the flags of the winner reach a JVM that something else starts. */
    private static Optional<String> handedOn(Tuning tuning, Variant baseline) {
        return tuning.winner()
                .map(proof -> proof.candidate().variant().target())
                .filter(target -> !target.environment()
                        .getOrDefault(ToolOptions.NAME, "")
                        .equals(baseline.target().environment().getOrDefault(ToolOptions.NAME, "")))
                .flatMap(target -> HandedOn.restart(target).or(() -> script(target)))
                .map(starter -> "The flags reach the JVM that " + starter + " starts by " + ToolOptions.NAME
                        + " in its environment; a flag on that JVM's command line wins over them.");
    }

    /** Returns what a peak that is only a lower bound leaves open of a cure; empty where both are known. */
    private static Optional<String> bound(Tuning tuning) {
        Optional<TuneProof> proof = tuning.winner()
                .filter(one -> tuning.verdict() == Tuning.TuneVerdict.IMPROVED
                        && one.peak().isPresent());
        Optional<String> base = tuning.baseline().metric(Metric.PEAK.id()).flatMap(Measured::lowerBound);
        Optional<String> own =
                proof.flatMap(one -> one.figures().metric(Metric.PEAK.id())).flatMap(Measured::lowerBound);
        return proof.isEmpty()
                ? Optional.empty()
                : base.map(why -> "The baseline's peak is at least what was measured (" + why
                                + "), so whether all of it is kept is not known")
                        .or(() -> own.map(why -> "Its peak is at least what was measured (" + why + ")"))
                        .map(
                                open -> open
                                        + (tuning.goal() == Goal.DEFICIT
                                                ? "; the warm-up costs are at least those told, and their ratio may be nearer to 1"
                                                : "")
                                        + ". If the protocol has no search for the peak at its end yet (reference: until-found), one leaves less open.");
    }

    private static Optional<String> script(Target target) {
        return target.command().stream().findFirst().filter(program -> !JvmOptions.isJava(program));
    }

    /** Returns how long a boost must last, and which runs show it. */
    static String boost(Boost boost) {
        long seconds = boost.modifier().time().orElseThrow().toSeconds();
        if (boost.stage().isEmpty()) {
            return "The boost lasted at most " + seconds
                    + " s after the launch; the budget was not enough to try shorter ones.";
        }
        return (boost.enough()
                        ? "A boost of " + seconds
                                + " s after the launch is the shortest tried with 95 % of the peak after its end: "
                        : "The boost lasted at most " + seconds
                                + " s after the launch; no length that was tried is known to keep 95 % of the peak after"
                                + " its end: ")
                + boost.steps().stream()
                        .map(step -> String.format(
                                Locale.ROOT,
                                "%.0f s %s",
                                step.seconds(),
                                step.after().isPresent()
                                        ? String.format(
                                                Locale.ROOT,
                                                "%.0f %%",
                                                step.after().getAsDouble())
                                        : "not seen"))
                        .collect(Collectors.joining(", "))
                + " (runs in " + boost.stage().get() + ").";
    }

    /** Returns a share, such as "xbatch saves 22.0 s (18.0 to 25.0; C2 starved of CPU)". */
    private static String share(CauseShare share) {
        String seconds = String.format(Locale.ROOT, "%.1f s (%.1f to %.1f", share.seconds(), share.lo(), share.hi());
        return share.cause()
                .map(cause -> share.by() + " saves " + seconds + (cause.equals(share.by()) ? ")" : "; " + cause + ")"))
                .orElse(seconds + ") are still lost");
    }
}
