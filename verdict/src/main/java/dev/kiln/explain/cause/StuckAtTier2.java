package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.cause.CauseId.Role;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.JitState;
import dev.kiln.model.run.Machine;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.model.run.Treatment;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * StuckAtTier2 is JDK-8386852: while training data of an AOT cache is replayed, the way out of tier 2 is off for
 * methods that the training did not meet, so behind a long C2 queue they stay there.
 */
final class StuckAtTier2 {
    /** This is HotSpot's Tier3DelayOn: a C2 queue longer than this for each C2 thread sends methods to tier 2. */
    private static final int REAL_QUEUE_PER_THREAD = 5;

    static final CauseId ID = new CauseId(
                    "stuck-at-tier-2",
                    "methods stuck at tier 2 (JDK-8386852)",
                    Curve.METHOD_LEVELS,
                    CauseId.LEVEL,
                    Role.STOPS_COMPILERS)
            .taking(BudgetPart.RUNNING, BudgetPart.CPU_WAIT);

    /**
     * Methods are stuck if level 3 is less than this share of levels 2 and 3; measured: 0.005 with training data
     * replayed, 0.08 rejected, 0.40 without.
     */
    private static final double STUCK_LEVEL3 = 0.10;

    /** A share that grew by more than this over the window is on its way out; a percentage point is reading noise. */
    private static final double STUCK_RISE = 0.01;

    static final FindingRemedy NO_REPLAY = new FindingRemedy(
                    "do not replay training data",
                    "-XX:+UnlockDiagnosticVMOptions -XX:-AOTReplayTraining",
                    "none seen: the cached classes stay; 4,238 instead of 1,862 req/s after the pause" + Remedies.BASIS,
                    RemedyPlace.LAUNCH_FLAG)
            .tried(Change.with(new Modifier.NoAotReplay()));

    private static final FindingRemedy NEWER_JDK = new FindingRemedy(
            "use a JDK in which JDK-8386852 is fixed",
            "JDK 25.0.5",
            "an update; 3,948 instead of 1,862 req/s after the pause" + Remedies.BASIS,
            RemedyPlace.LAUNCH_FLAG);

    private static final FindingRemedy NO_TIER_2 = new FindingRemedy(
                    "keep methods from tier 2",
                    "-XX:Tier3DelayOff=100000 -XX:Tier3DelayOn=100000",
                    "full profiling while C2's queue is long, which runs slower than tier 2",
                    RemedyPlace.LAUNCH_FLAG)
            .tried(Change.flags("-XX:Tier3DelayOff=100000", "-XX:Tier3DelayOn=100000"));

    /** The weight is a rank, no share: the cause outlasts a queue, and ranks above it. */
    private static final double WEIGHT = 0.96;

    private static final List<FindingRemedy> REMEDIES = List.of(NO_REPLAY, NEWER_JDK, NO_TIER_2);

    private StuckAtTier2() {}

    static Finding judge(WindowEvidence s, Findings earlier) {
        Optional<Boolean> replays = replays(s.evidence().info());
        if (replays.isPresent() && !replays.get()) {
            return ID.ruledOut(proof("no training data is replayed (AOTReplayTraining is off)"));
        }
        List<JitSample> asked = s.within(s.evidence().jit(), JitSample::timeNanos).stream()
                .filter(sample -> sample.levels().isPresent())
                .toList();
        if (asked.isEmpty()) {
            return ID.notObservable("methods by level were not recorded: they take the JVM's attach socket (the"
                    + " same user or root, no -XX:+DisableAttachMechanism)");
        }
        double first = level3Share(asked.getFirst());
        double last = level3Share(asked.getLast());
        OptionalDouble queue = s.c2Queue();
        int real = REAL_QUEUE_PER_THREAD * s.c2Threads();
        String text = String.format(
                Locale.ROOT,
                "level 3 is %.1f %% of the methods at levels 2 and 3 (%.1f %% at the start of the window)%s",
                100 * last,
                100 * first,
                queue.isPresent()
                        ? String.format(Locale.ROOT, ", with %,.0f methods waiting for C2", queue.getAsDouble())
                        : "");
        if (s.second(asked.getLast().timeNanos()) < s.second(s.window().toNanos()) - s.seconds() / 2) {
            return ID.notObservable(text + "; the JVM gave no answer in the last half of that time");
        }
        if (last >= STUCK_LEVEL3 || last > first + STUCK_RISE) {
            return ID.ruledOut(proof(text, s.moment()));
        }
        if (queue.isEmpty()) {
            return ID.notObservable(text + "; the length of C2's queue was not recorded");
        }
        if (queue.getAsDouble() <= real) {
            return ID.ruledOut(proof(text, s.moment()));
        }
        return replays.isPresent()
                ? ID.confirmed(WEIGHT, List.of(proof(text, s.moment())), REMEDIES)
                : ID.notObservable(text + "; whether training data is replayed is not known (AOTReplayTraining in"
                        + " jcmd PID VM.flags)");
    }

    /**
     * Tells whether the JVM replays training data, which it does not without an AOT cache; empty where that is not
     * known.
     */
    private static Optional<Boolean> replays(RunInfo info) {
        Optional<Boolean> told = info.treatment().aot().flatMap(Treatment.AotUse::replaysTraining);
        List<String> flags = info.jvm().map(Machine.JvmInfo::flags).orElse(List.of());
        if (flags.contains("-XX:-AOTReplayTraining")) {
            return Optional.of(false);
        }
        if (told.isPresent() || flags.contains("-XX:+AOTReplayTraining")) {
            return told.or(() -> Optional.of(true));
        }
        boolean cache = info.treatment().aot().isPresent()
                || flags.stream().anyMatch(flag -> flag.startsWith("-XX:AOTCache="))
                || info.command().stream().anyMatch(word -> word.startsWith("-XX:AOTCache="));
        return cache || info.imported() ? Optional.empty() : Optional.of(false);
    }

    private static double level3Share(JitSample sample) {
        JitState.CodeLevels levels = sample.levels().orElseThrow();
        int both = levels.level2() + levels.level3();
        return both == 0 ? 1 : (double) levels.level3() / both;
    }
}
