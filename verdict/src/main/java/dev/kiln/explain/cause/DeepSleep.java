package dev.kiln.explain.cause;

import dev.kiln.explain.budget.Budget;
import dev.kiln.model.run.Finding;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * DeepSleep is the time of a request in which its thread is in an uninterruptible sleep (state D). The kernel puts a thread there
 * that waits for a disk, for a page from one, or for a lock on memory; which of them, it does not say.
 */
final class DeepSleep {
    /** Less of a request is not told: of 200 looks it is two. */
    private static final double TOLD = 0.01;

    /** From this share of a request on something of that kind is waited for, as for other waits. */
    private static final double LARGE = 0.25;

    private DeepSleep() {}

    /** Returns in words how much of a request it was; empty where that was not recorded, or is next to nothing. */
    static Optional<String> words(Budget budget) {
        return budget.uninterruptibleMillis().stream()
                .filter(millis -> millis >= TOLD * budget.responseMillis())
                .mapToObj(millis -> String.format(
                        Locale.ROOT,
                        "its threads were in an uninterruptible sleep (state D: a disk, a page, or a lock of the kernel's)"
                                + " for %s of the %s ms of a request",
                        Explained.ms(millis),
                        Explained.ms(budget.responseMillis())))
                .findFirst();
    }

    /**
     * Returns the finding on waits for files with it: as evidence, and where it is large, as the reason why what thread dumps did
     * not find is not ruled out. It is no proof by itself.
     */
    static Finding beside(CauseId waits, Finding disk, Findings earlier) {
        Optional<Budget> end = earlier.budgets().end();
        Optional<String> words = end.flatMap(DeepSleep::words);
        if (words.isEmpty() || !earlier.confirmed(DatabaseLimit.ID)) {
            return disk;
        }
        return switch (disk.state()) {
            case CONFIRMED -> disk.with(List.of(CauseId.proof(words.get())));
            case NOT_OBSERVABLE -> waits.notObservable(text(disk) + "; " + words.get());
            case RULED_OUT -> isLarge(end.get()) ? waits.notObservable(text(disk) + "; but " + words.get()) : disk;
        };
    }

    private static boolean isLarge(Budget budget) {
        return budget.uninterruptibleMillis().orElse(0) >= LARGE * budget.responseMillis();
    }

    private static String text(Finding finding) {
        return finding.evidence().getFirst().text();
    }
}
