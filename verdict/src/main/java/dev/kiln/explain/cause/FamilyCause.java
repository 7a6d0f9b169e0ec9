package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.budget.Budget;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.budget.Budgets;
import dev.kiln.explain.cause.Difference.Taken;
import dev.kiln.explain.window.FamilyUse;
import dev.kiln.explain.window.FamilyUse.Source;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.run.CodeFamily;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.Effect;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.Finding.Proof;
import dev.kiln.stats.AnalysisConfig;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A FamilyCause is that requests spend their CPU on code of one family. It is confirmed where the interval of what samples say
 * lies above a share, and ruled out where it lies below.
 *
 * @param doing what the samples were found doing, in a sentence
 * @param seen how much of it a recording sees
 * @param more what else is known of it, such as how often it happens
 * @param remedies what would cure it
 */
record FamilyCause(CauseId id, CodeFamily family, String doing, Seen seen, More more, List<FindingRemedy> remedies) {
    /**
     * A family is named from this share of what runs on: without it requests would take a fifth less CPU. A choice.
     */
    static final double NAMED = 0.2;

    /**
     * Dumps rule a family out only below this part of that share. They find threads that wait for a CPU where they lost it, which
     * is often a call into the kernel: of a service that did little but reflect, 6 of 20 running threads stood in it, and 9 of 20
     * in the exceptions of one that did little else.
     */
    private static final double UNDERSTATED = 1 / 3.0;

    /** A Seen is the least share of a family that the samples of a recording show, 0 to 1. */
    interface Seen {
        /** A recording sees next to none: the work is done inside the JVM, where it takes no samples. */
        Seen NOTHING = s -> 0;

        /**
         * A recording sees the Java part. Call sites are linked, and stacks walked for a line of the log, inside the JVM; a file is
         * written in native code. A choice.
         */
        Seen A_PART = s -> 1 / 3.0;

        double by(WindowEvidence s);
    }

    /** A More is what else is known. */
    interface More {
        Optional<Proof> of(WindowEvidence s);
    }

    static CauseId id(String id, String title) {
        return new CauseId(id, title, Curve.METHOD_LEVELS, CauseId.ANY).taking(BudgetPart.RUNNING, BudgetPart.CPU_WAIT);
    }

    Finding judge(WindowEvidence s, Findings earlier) {
        Finding measured = measured(s, earlier);
        return measured.state() == FindingState.NOT_OBSERVABLE
                ? present(s, earlier).orElse(measured)
                : measured;
    }

    /**
     * Returns that the family was there in the recording that was made when all else was measured. What it took before was not
     * recorded, so it explains no difference, and is not ruled out where there was none of it.
     */
    private Optional<Finding> present(WindowEvidence s, Findings earlier) {
        return FamilyUse.closing(s, family)
                .filter(use -> use.share().least() >= NAMED)
                .filter(use -> harmless(s, earlier, use.share().share()).isEmpty())
                .map(use -> id.confirmed(
                        id.title(),
                        CauseId.NONE,
                        behindC2(earlier, use.share().share() * busy(s).orElse(1)),
                        Stream.concat(
                                        Stream.of(text(use)
                                                + ", in the load that went on under a recording (closing/recording.jfr);"
                                                + " what it took before was not recorded"),
                                        Stream.of(use.frame())
                                                .filter(frame -> !frame.isEmpty())
                                                .map(frame -> "most of them were called from " + frame))
                                .map(CauseId::proof)
                                .toList(),
                        remedies));
    }

    private Finding measured(WindowEvidence s, Findings earlier) {
        List<FamilyUse> known = known(s).toList();
        if (known.isEmpty()) {
            return id.notObservable(
                    "what code runs was not recorded: a flight recording (--flight-recorder) shows it, or thread"
                            + " dumps that find 20 running threads");
        }
        FamilyUse most = most(known.stream()).orElseThrow();
        if (most.share().least() < NAMED) {
            return less(s, known);
        }
        Optional<String> harmless = harmless(s, earlier, most.share().share());
        if (harmless.isPresent()) {
            return id.ruledOut(proof(text(most) + ", but " + harmless.get(), s.moment(s.end())));
        }
        return confirmed(s, earlier, most);
    }

    private Finding confirmed(WindowEvidence s, Findings earlier, FamilyUse most) {
        List<Proof> proofs = new ArrayList<>(List.of(proof(text(most), s.moment(s.end()))));
        if (!most.frame().isEmpty()) {
            proofs.add(proof("most of them were called from " + most.frame()));
        }
        more.of(s).ifPresent(proofs::add);
        OptionalDouble busy = busy(s);
        boolean unknown = s.others().reference().isPresent()
                && (takes(s, most.source()).isEmpty()
                        || s.others()
                                .reference()
                                .flatMap(there -> takes(there, most.source()))
                                .isEmpty());
        if (unknown) {
            Optional<Proof> less = tookLess(earlier.budgets(), most);
            proofs.add(less.orElse(proof("too few samples after the pause to tell whether it took less there")));
            unknown = less.isEmpty();
        }
        if (busy.isEmpty()) {
            proofs.add(proof("how much CPU the target used is not known"));
        }
        Finding finding = id.confirmed(
                id.title(),
                unknown || busy.isEmpty() ? CauseId.NONE : effects(s, most.source()),
                behindC2(earlier, most.share().share() * busy.orElse(1)),
                proofs,
                remedies);
        return Difference.of(there -> takes(there, most.source())).judge(id, finding, s);
    }

    /** Returns the proof that it took less after the pause, where a whole request cost less CPU than it alone before. */
    private static Optional<Proof> tookLess(Budgets budgets, FamilyUse most) {
        OptionalDouble before = cpuMillis(budgets.end());
        OptionalDouble after = cpuMillis(budgets.reference());
        return before.isEmpty()
                        || after.isEmpty()
                        || after.getAsDouble() >= most.share().least() * before.getAsDouble()
                ? Optional.empty()
                : Optional.of(proof(String.format(
                        Locale.ROOT,
                        "a request cost %s ms of CPU after the pause, less than this alone took of the %s ms before",
                        Explained.ms(after.getAsDouble()),
                        Explained.ms(before.getAsDouble()))));
    }

    private static OptionalDouble cpuMillis(Optional<Budget> budget) {
        return budget.map(known -> known.sum(BudgetPart.RUNNING, BudgetPart.KERNEL))
                .orElse(OptionalDouble.empty());
    }

    /** Returns what it can have done. Throughput fell by it only if it is known to have taken less before. */
    private Set<Effect> effects(WindowEvidence s, Source source) {
        return s.others().before().flatMap(before -> takes(before, source)).isPresent() ? id.can() : CauseId.LEVEL;
    }

    /** Returns a weight below that of a C2 that misses CPU: its code makes all that runs dearer, this family included. */
    static double behindC2(Findings earlier, double weight) {
        return Stream.of(C2Starved.ID, C2Backlog.ID)
                .filter(earlier::confirmed)
                .mapToDouble(c2 -> earlier.of(c2).weight() / 2)
                .reduce(weight, Math::min);
    }

    /** Judges samples of which too few are of the family, or too few at all. */
    private Finding less(WindowEvidence s, List<FamilyUse> known) {
        Optional<FamilyUse> shows =
                known.stream().filter(use -> rulesOut(s, use)).findFirst();
        return shows.map(use -> id.ruledOut(proof(text(use), s.moment(s.end()))))
                .orElseGet(() -> id.notObservable(text(known.getFirst())
                        + (known.getFirst().source() == Source.RECORDING && seen.by(s) < 1
                                ? "; a recording does not see threads inside the JVM, where more of it is done: thread dumps do"
                                : "; these are too few to tell, and a flight recording (--flight-recorder) has more")));
    }

    private boolean rulesOut(WindowEvidence s, FamilyUse use) {
        return switch (use.source()) {
            case RECORDING -> use.share().most() < seen.by(s) * NAMED;
            case DUMPS -> use.share().most() < UNDERSTATED * NAMED;
        };
    }

    /** Returns what recordings and dumps say, in this order. */
    private Stream<FamilyUse> known(WindowEvidence s) {
        return Stream.concat(
                FamilyUse.recorded(s, s.end(), family).stream(), FamilyUse.dumped(s, s.end(), family).stream());
    }

    /** Returns the source that shows most of it: each misses some. */
    private static Optional<FamilyUse> most(Stream<FamilyUse> known) {
        return known.max(Comparator.comparingDouble(use -> use.share().least()));
    }

    /**
     * Returns what the family takes in a window, as one source says: each misses another part. Amounts within the interval of a
     * difference of two shares are none. The interval of a dump or two is so wide that nearly any amount is none: they say nothing.
     */
    private Optional<Taken> takes(WindowEvidence s, Source source) {
        return known(s).filter(use -> use.source() == source)
                .filter(FamilyUse::isComparable)
                .findFirst()
                .map(use -> new Taken(
                        use.share().share(),
                        Math.max(
                                Difference.SHARE_NOISE,
                                Math.sqrt(2) * use.share().reach()),
                        text(use)));
    }

    /** Returns why a share of what runs holds nothing back: requests wait for something else, or hardly use a CPU. */
    static Optional<String> harmless(WindowEvidence s, Findings earlier, double share) {
        if (earlier.confirmed(DatabaseLimit.ID)) {
            return Optional.of("requests wait while the CPUs are idle");
        }
        double ofCpus = share * busy(s).orElse(1);
        return ofCpus >= AnalysisConfig.DELTA
                ? Optional.empty()
                : Optional.of(String.format(Locale.ROOT, "that is %.1f %% of the target's CPUs", 100 * ofCpus));
    }

    /** Returns the share of its CPUs that the target uses; empty where that is not known. */
    private static OptionalDouble busy(WindowEvidence s) {
        return s.target().stream()
                .filter(target -> s.targetCpus().isPresent())
                .mapToDouble(target -> Math.min(1, target.cpu() / s.targetCpus().getAsDouble()))
                .findFirst();
    }

    private String text(FamilyUse use) {
        return String.format(
                Locale.ROOT,
                "%d of %d %s %s (%.0f %%, between %.0f and %.0f)",
                use.share().of(),
                use.share().samples(),
                use.source().words(),
                doing,
                100 * use.share().share(),
                100 * use.share().least(),
                100 * use.share().most());
    }
}
