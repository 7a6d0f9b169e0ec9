package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Effect;
import dev.kiln.model.run.Finding.Proof;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A Difference holds what a cause takes at the end of the first load against what it takes in the reference, the load
 * after the pause. A cause that takes as much where the service is at its peak is there, and explains nothing of what was
 * missing before. Likewise it ended no level if it took as much in the time before.
 *
 * @param takes what the cause takes in a window
 * @param ofCompilers whether the cause takes CPU: then it explains all that a C2 missed that was starved of it, because
 *     in the reference the same share harms no compiler
 */
record Difference(Measure takes, boolean ofCompilers) {
    /**
     * A share is as large if it is less than this below the other. Of runs that were recorded, shares of collections in
     * windows of 15 s of a settled service differed by up to 9 % of themselves: 4.5 to 4.9 % over five rounds after
     * pauses, 3.9 to 4.1 % in one load. Of the quarter from which a heap is too small, that is 2.3 percentage points.
     */
    static final double SHARE_NOISE = 0.03;

    private static final String NOTHING = "it explains none of what was missing";

    /** Where it takes as much after the pause, the service is at no peak there. */
    private static final String ENDED =
            "it explains no difference to that, and may have ended what was served before it took so much";

    /** A Measure finds what a cause takes in a window; it is empty where that was not recorded. */
    interface Measure {
        Optional<Taken> in(WindowEvidence window);
    }

    /**
     * A Taken is what a cause takes.
     *
     * @param noise amounts within it are no difference
     * @param words in a sentence about the cause, such as "it took 24 % of the time"
     */
    record Taken(double amount, double noise, String words) {
        /** @param of what it is a share of, such as "of the time" */
        static Taken share(double share, String of) {
            return new Taken(share, SHARE_NOISE, String.format(Locale.ROOT, "it took %.0f %% %s", 100 * share, of));
        }

        boolean moreThan(Taken other) {
            return amount - other.amount > Math.max(noise, other.noise);
        }
    }

    /** Returns the difference of a cause that takes something else than the compilers' CPU. */
    static Difference of(Measure takes) {
        return new Difference(takes, false);
    }

    static Difference ofCpu(Measure takes) {
        return new Difference(takes, true);
    }

    /** Returns the finding with those of its effects that the difference leaves, and says so where it takes any. */
    Finding judge(CauseId cause, Finding finding, WindowEvidence s) {
        return judge(cause, finding, s, same(s));
    }

    /** @param same the proof that it takes as much in the reference; empty if it does not */
    Finding judge(CauseId cause, Finding finding, WindowEvidence s, Optional<Proof> same) {
        if (same.isEmpty() || finding.explains().isEmpty()) {
            return finding;
        }
        Set<Effect> left = EnumSet.noneOf(Effect.class);
        if (finding.explains().contains(Effect.FALL) && rose(s)) {
            left.add(Effect.FALL);
        }
        return left.isEmpty()
                ? cause.confirmed(
                        finding.title() + ", as much at the peak",
                        left,
                        finding.weight(),
                        Stream.concat(finding.evidence().stream(), same.stream())
                                .toList(),
                        finding.remedies())
                : cause.confirmed(
                        finding.title(),
                        left,
                        finding.weight(),
                        Stream.concat(finding.evidence().stream(), same(s, ENDED).stream())
                                .toList(),
                        finding.remedies());
    }

    /** Returns the proof that the cause takes as much in the reference; empty if it does not, and without one. */
    Optional<Proof> same(WindowEvidence s) {
        return same(s, NOTHING);
    }

    /** @param so what follows from it */
    private Optional<Proof> same(WindowEvidence s, String so) {
        Optional<Taken> end = takes.in(s);
        Optional<Taken> there = s.others().reference().flatMap(takes::in);
        if (end.isEmpty() || there.isEmpty() || end.get().moreThan(there.get())) {
            return Optional.empty();
        }
        if (ofCompilers && s.starvedC2().isPresent()) {
            return Optional.empty();
        }
        WindowEvidence reference = s.others().reference().orElseThrow();
        return Optional.of(proof(
                String.format(
                        Locale.ROOT,
                        "%s after the pause as well, where the service served %,.0f req/s: %s",
                        there.get().words(),
                        reference.servedPerSecond(),
                        so),
                reference.moment()));
    }

    /**
     * Tells whether the cause may take more than in the time before the window. Where the window is all there is, no level
     * was there before it.
     */
    private boolean rose(WindowEvidence s) {
        if (s.whole()) {
            return false;
        }
        List<Taken> both = Stream.concat(takes.in(s).stream(), s.others().before().flatMap(takes::in).stream())
                .toList();
        return both.size() < 2 || both.getFirst().moreThan(both.getLast());
    }
}
