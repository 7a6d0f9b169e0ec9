package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.explain.window.WindowStatistics.Collections;
import dev.kiln.explain.window.WindowStatistics.Purpose;
import dev.kiln.model.run.CollectionCause;
import dev.kiln.model.run.Finding.Proof;
import dev.kiln.model.run.Machine.JvmInfo;
import dev.kiln.model.run.Sample.ThreadRole;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** Collected is what collections took in a window and what they were for, in figures and in words. */
final class Collected {
    /** Collections are costly from this share of the time: G1's own goal is 1 / (1 + GCTimeRatio 12) = 7.7 %. */
    private static final double COSTLY = 0.08;

    static final String MISSING =
            "collections were not recorded during the load: they come from the JVM's hsperfdata file (no"
                    + " -XX:-UsePerfData, the same user or root) or from a flight recording";

    private Collected() {}

    /** Returns the collections that nobody asked for; all of them where it is not known what they were for. */
    static Optional<Collections> needed(WindowEvidence s) {
        return s.observed()
                .collections()
                .map(seen -> seen.purposes().stream().anyMatch(of -> CollectionCause.ASKED_FOR.contains(of.cause()))
                        ? seen.without(CollectionCause.ASKED_FOR)
                        : seen);
    }

    /** Returns what the collections were for, if one cause took most of their time. */
    static CollectionCause mostly(Collections seen) {
        return seen.purposes().stream()
                .filter(purpose -> 2 * purpose.share() >= seen.share())
                .map(Purpose::cause)
                .findFirst()
                .orElse(CollectionCause.OTHER);
    }

    static boolean costly(Collections seen) {
        return seen.share() >= COSTLY;
    }

    /**
     * Returns why few pauses do not rule collections out; empty where they do. A collector that works beside the program takes CPU
     * from it, and lets threads wait for memory, without a pause. Where its own threads hardly want a CPU it does neither.
     */
    static Optional<String> unseen(WindowEvidence s) {
        if (s.evidence().info().jvm().filter(JvmInfo::collectsBeside).isEmpty()) {
            return Optional.empty();
        }
        OptionalDouble wanted = s.use(ThreadRole.GC, s.window()).stream()
                .filter(use -> s.threads().has(ThreadRole.GC))
                .mapToDouble(use -> use.demand() / Math.max(1, s.targetCpus().orElse(1)))
                .findFirst();
        if (wanted.isPresent() && wanted.getAsDouble() < COSTLY) {
            return Optional.empty();
        }
        return Optional.of(
                "; this collector works beside the program, where it takes CPU and threads wait for memory without a pause"
                        + (wanted.isPresent()
                                ? String.format(
                                        Locale.ROOT,
                                        ": its threads wanted %.0f %% of the CPUs",
                                        100 * wanted.getAsDouble())
                                : "")
                        + " (-Xlog:gc shows both)");
    }

    static List<Proof> proofs(WindowEvidence s, Collections seen, String limit) {
        List<Proof> proofs = new ArrayList<>(List.of(proof(text(seen) + limit, s.moment())));
        if (costly(seen)) {
            purposes(seen).ifPresent(text -> proofs.add(proof(text, s.moment())));
        }
        return proofs;
    }

    /** Returns in words how much was collected; full collections apart where they are counted so. */
    static String text(Collections seen) {
        return String.format(
                        Locale.ROOT,
                        "%.1f %% of the time went into collections, %.1f a second",
                        100 * seen.share(),
                        seen.perSecond())
                + seen.full()
                        .map(full -> full.perSecond() == 0
                                ? "; none was a full one"
                                : String.format(
                                        Locale.ROOT,
                                        "; %.1f %% into full ones, %.1f a second",
                                        100 * full.share(),
                                        full.perSecond()))
                        .orElse("");
    }

    /** Returns in words what collections were for; empty where that is not known. */
    static Optional<String> purposes(Collections seen) {
        return seen.purposes().stream()
                .map(purpose -> String.format(
                        Locale.ROOT,
                        "%.1f %% of the time for %s, %.1f a second",
                        100 * purpose.share(),
                        purpose.cause().text(),
                        purpose.perSecond()))
                .reduce((first, next) -> first + "; " + next);
    }

    /** Tells whether a flag is in force, given or chosen by the JVM. */
    static boolean uses(WindowEvidence s, String flag) {
        return s.evidence().info().jvm().stream().anyMatch(jvm -> jvm.uses(flag));
    }

    static List<String> flags(WindowEvidence s) {
        return s.evidence().info().jvm().stream()
                .flatMap(jvm -> jvm.flags().stream())
                .toList();
    }
}
