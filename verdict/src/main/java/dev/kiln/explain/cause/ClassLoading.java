package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.budget.Budget;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.cause.Difference.Taken;
import dev.kiln.explain.window.Counter;
import dev.kiln.explain.window.CpuUse;
import dev.kiln.explain.window.FamilyUse;
import dev.kiln.explain.window.Window;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.explain.window.WindowStatistics.Purpose;
import dev.kiln.model.run.CodeFamily;
import dev.kiln.model.run.CollectionCause;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.Proof;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.Sample.ClassSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * ClassLoading is the cause that requests load, link and verify classes. The JVM's timers say for how long, waits for a CPU
 * included; so that time is held against the time in which threads of the target ran, or wanted to.
 */
final class ClassLoading {
    static final CauseId ID = new CauseId(
                    "class-loading", "loading classes takes CPU", Curve.METHOD_LEVELS, CauseId.ANY)
            .taking(BudgetPart.RUNNING, BudgetPart.CPU_WAIT);

    private static final FindingRemedy KEEP = new FindingRemedy(
            "keep generated classes and class loaders, and load the others at the start",
            "-Xlog:class+load shows which classes are loaded, and from where",
            "a change of code, and a longer start",
            RemedyPlace.CODE);

    private static final List<FindingRemedy> REMEDIES = List.of(Remedies.AOT_TRAFFIC, KEEP);

    /** Without the JVM's timers the samples decide. A recording sees little of it, because the JVM itself does the most. */
    private static final FamilyCause BY_SAMPLES = new FamilyCause(
            ID,
            CodeFamily.CLASS_LOADING,
            "loaded or initialised a class",
            FamilyCause.Seen.NOTHING,
            s -> Optional.empty(),
            REMEDIES);

    /**
     * Where each request loads a class or more, a smaller share is named, with the collections that fill the metaspace: the timers do
     * not have what finding and making the classes takes. With five classes a request they showed 7 % of the time, and without
     * classes a request took a third of the CPU. A choice.
     */
    private static final double NAMED_ENDLESS = 0.1;

    private static final double MOST_STANDING = 0.99;

    private ClassLoading() {}

    /**
     * A Loading is what class loading took in a window.
     *
     * @param busy seconds in a second, of all threads
     * @param perSecond classes
     * @param share of the time in which threads of the target ran or wanted to
     */
    private record Loading(double busy, double perSecond, double share) {}

    static Finding judge(WindowEvidence s, Findings earlier) {
        Optional<Loading> found = loading(s);
        // Under a CPU limit the timers go on while the process stands.
        if (found.isEmpty() || earlier.confirmed(Throttling.ID)) {
            return BY_SAMPLES.judge(s, earlier);
        }
        Loading loading = found.get();
        double share = share(loading, earlier.budgets().end());
        String text = text(loading, share, earlier.budgets().end());
        double collected = forMetaspace(s);
        double named = isEndless(loading, earlier.budgets().end()) ? NAMED_ENDLESS : FamilyCause.NAMED;
        boolean takesEnough = share >= FamilyCause.NAMED || share + collected >= named;
        Optional<String> harmless = FamilyCause.harmless(s, earlier, share + collected);
        if (!takesEnough || harmless.isPresent()) {
            List<Proof> proofs = new ArrayList<>();
            proofs.add(proof(
                    text
                            + harmless.filter(why -> takesEnough)
                                    .map(why -> ", but " + why)
                                    .orElse(""),
                    s.moment(s.end())));
            atFirst(s, earlier).ifPresent(proofs::add);
            return ID.ruledOut(proofs.toArray(Proof[]::new));
        }
        List<Proof> proofs = new ArrayList<>(List.of(proof(text, s.moment(s.end()))));
        if (collected > 0) {
            proofs.add(proof(
                    String.format(
                            Locale.ROOT,
                            "%.1f %% of the time went into collections for the metaspace's threshold, which loaded classes fill",
                            100 * collected),
                    s.moment()));
        }
        FamilyUse.dumped(s, s.end(), CodeFamily.CLASS_LOADING)
                .or(() -> FamilyUse.recorded(s, s.end(), CodeFamily.CLASS_LOADING))
                .filter(use -> !use.frame().isEmpty())
                .ifPresent(use -> proofs.add(proof("most of them were loaded from " + use.frame())));
        boolean unknown = s.others().reference().isPresent()
                && s.others().reference().flatMap(ClassLoading::takes).isEmpty();
        if (unknown) {
            proofs.add(proof("whether it took less after the pause was not recorded"));
        }
        Difference differs = Difference.of(ClassLoading::takes);
        Optional<Proof> same = differs.same(s);
        Finding finding = ID.confirmed(
                ID.title(),
                unknown ? CauseId.NONE : ID.can(),
                FamilyCause.behindC2(earlier, share + collected),
                proofs,
                // What is loaded for ever is no class that a cache could have.
                same.isPresent() ? List.of(KEEP) : REMEDIES);
        return differs.judge(ID, finding, s, same);
    }

    /** Returns the share of the time that collections for the metaspace's threshold took. */
    private static double forMetaspace(WindowEvidence s) {
        return s.observed().collections().stream()
                .flatMap(all -> all.purposes().stream())
                .filter(purpose -> purpose.cause() == CollectionCause.METADATA)
                .mapToDouble(Purpose::share)
                .sum();
    }

    private static boolean isEndless(Loading loading, Optional<Budget> budget) {
        return budget.filter(end -> loading.perSecond() >= end.requestsPerSecond())
                .isPresent();
    }

    private static Optional<Taken> takes(WindowEvidence s) {
        return loading(s)
                .map(loading -> Taken.share(
                        loading.share() + forMetaspace(s), "of the time in which its threads ran or wanted to"));
    }

    /** Returns what the timers say; empty where waits for a CPU, which they include, were not recorded. */
    private static Optional<Loading> loading(WindowEvidence s) {
        double demand = s.target().map(CpuUse::demand).orElse(0.0);
        OptionalDouble busy = rate(s, s.end(), ClassSample::loadNanos);
        OptionalDouble classes = rate(s, s.end(), ClassSample::loaded);
        return busy.isEmpty() || classes.isEmpty() || demand <= 0 || !s.waitsRecorded()
                ? Optional.empty()
                : Optional.of(new Loading(
                        busy.getAsDouble(), 1e9 * classes.getAsDouble(), Math.min(1, busy.getAsDouble() / demand)));
    }

    private static OptionalDouble rate(WindowEvidence s, Window window, ToDoubleFunction<ClassSample> of) {
        return Counter.of(s.evidence().classes(), ClassSample::timeNanos, of).rateWhereKnown(window);
    }

    private static double millis(Loading loading, Budget budget) {
        return Math.min(budget.responseMillis(), 1e3 * loading.busy() / budget.requestsPerSecond());
    }

    /**
     * Returns its share of the time in which requests had a thread, where a budget tells these from compilers and collectors. The
     * timers go on while a thread stands or is blocked.
     */
    private static double share(Loading loading, Optional<Budget> budget) {
        return budget.flatMap(end ->
                        end.sum(BudgetPart.RUNNING, BudgetPart.KERNEL, BudgetPart.CPU_WAIT, BudgetPart.BLOCKED).stream()
                                .mapToObj(moving -> moving / (1 - standing(end)))
                                .filter(had -> had > 0)
                                .map(had -> Math.min(1, millis(loading, end) / had))
                                .findFirst())
                .orElse(loading.share());
    }

    /** Returns the share of the time in which all threads stood; below 1, because some request was answered. */
    private static double standing(Budget budget) {
        double stood = Stream.of(BudgetPart.COLLECTION, BudgetPart.SAFEPOINT, BudgetPart.CPU_LIMIT)
                .mapToDouble(part -> budget.share(part).orElse(0))
                .sum();
        return Math.min(stood, MOST_STANDING);
    }

    private static String text(Loading loading, double share, Optional<Budget> budget) {
        return String.format(
                Locale.ROOT,
                "%s classes were loaded a second, which took %.0f %% of the time in which threads had work%s",
                loading.perSecond() >= 10
                        ? String.format(Locale.ROOT, "%,.0f", loading.perSecond())
                        : String.format(Locale.ROOT, "%.1f", loading.perSecond()),
                100 * share,
                budget.map(end -> ": about " + Explained.ms(millis(loading, end)) + " of the "
                                + Explained.ms(end.responseMillis()) + " ms of a request")
                        .orElse(""));
    }

    /** Returns what class loading took of the first requests, where it would have been named there. */
    private static Optional<Proof> atFirst(WindowEvidence s, Findings earlier) {
        return earlier.budgets().beginning().flatMap(budget -> {
            double busy = rate(s, budget.window(), ClassSample::loadNanos).orElse(0);
            double runs = budget.sum(BudgetPart.RUNNING, BudgetPart.KERNEL, BudgetPart.CPU_WAIT)
                    .orElse(0);
            double took = Math.min(runs, 1e3 * busy / budget.requestsPerSecond());
            return took == 0 || took < FamilyCause.NAMED * runs
                    ? Optional.empty()
                    : Optional.of(proof(
                            String.format(
                                    Locale.ROOT,
                                    "in the first seconds it took about %s of the %s ms in which a request ran or waited for a CPU",
                                    Explained.ms(took),
                                    Explained.ms(runs)),
                            s.moment(budget.window())));
        });
    }
}
