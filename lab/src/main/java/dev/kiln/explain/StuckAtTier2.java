package dev.kiln.explain;

import static dev.kiln.explain.Named.STUCK_AT_TIER_2;
import static dev.kiln.explain.Named.proof;

import dev.kiln.model.Finding;
import dev.kiln.model.JitSample;
import dev.kiln.model.RunInfo;
import dev.kiln.model.Treatment;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * JDK-8386852: while training data of an AOT cache is replayed, the way out of tier 2 for methods that the training did not
 * see is off, so behind a long C2 queue they stay there.
 */
final class StuckAtTier2 implements Cause {
    @Override
    public Finding judge(Situation s, Judged earlier) {
        Optional<Boolean> replays = replays(s.evidence().info());
        if (replays.isPresent() && !replays.get()) {
            return STUCK_AT_TIER_2.ruledOut(proof("no training data is replayed (AOTReplayTraining is off)"));
        }
        List<JitSample> asked = s.within(s.evidence().jit(), JitSample::timeNanos).stream()
                .filter(sample -> sample.levels().isPresent())
                .toList();
        if (asked.isEmpty()) {
            return STUCK_AT_TIER_2.notObservable(
                    "methods by level were not asked for: they take the JVM's attach socket (the"
                            + " same user or root, no -XX:+DisableAttachMechanism)");
        }
        double first = level3Share(asked.getFirst());
        double last = level3Share(asked.getLast());
        OptionalDouble queue = s.c2Queue();
        int real = Thresholds.REAL_QUEUE_PER_THREAD * s.c2Threads();
        String text = String.format(
                Locale.ROOT,
                "level 3 is %.1f %% of the methods at levels 2 and 3 (%.1f %% at the start of the window)%s",
                100 * last,
                100 * first,
                queue.isPresent()
                        ? String.format(Locale.ROOT, ", with %,.0f methods waiting for C2", queue.getAsDouble())
                        : "");
        if (last >= Thresholds.STUCK_LEVEL3 || last > first + Thresholds.STUCK_RISE) {
            return STUCK_AT_TIER_2.ruledOut(proof(text, s.moment()));
        }
        if (queue.isEmpty()) {
            return STUCK_AT_TIER_2.notObservable(text + "; C2's queue was not asked for");
        }
        if (queue.getAsDouble() <= real) {
            return STUCK_AT_TIER_2.ruledOut(proof(text, s.moment()));
        }
        return replays.isPresent()
                ? STUCK_AT_TIER_2.held(0.96, List.of(proof(text, s.moment())), Remedies.STUCK)
                : STUCK_AT_TIER_2.notObservable(
                        text + "; whether training data is replayed is not known: see VM.flags");
    }

    /** Whether the JVM replays training data; empty where that is not known. Off without an AOT cache. */
    private static Optional<Boolean> replays(RunInfo info) {
        Optional<Boolean> told = info.treatment().aot().flatMap(Treatment.AotUse::replaysTraining);
        List<String> flags = info.jvm().map(RunInfo.JvmInfo::flags).orElse(List.of());
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
        JitSample.Levels levels = sample.levels().orElseThrow();
        int both = levels.level2() + levels.level3();
        return both == 0 ? 1 : (double) levels.level3() / both;
    }
}
