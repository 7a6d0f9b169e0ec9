package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.run.Finding;
import java.util.List;

/** Waits are all that thread dumps can name of what requests wait for, each before those that it is a form of. */
final class Waits {
    static final List<WaitCause> ALL = List.of(
            RateLimit.CAUSE,
            SlowLog.CAUSE,
            LockHeld.CAUSE,
            FullQueue.CAUSE,
            PoolExhausted.CAUSE,
            WaitsForTask.CAUSE,
            Sleeping.CAUSE,
            SlowConnect.CAUSE,
            SlowService.CAUSE,
            SlowDisk.CAUSE,
            NameLookup.CAUSE,
            ClassInit.CAUSE,
            PinnedCarrier.CAUSE);

    private Waits() {}

    static Finding judge(WaitCause wait, WindowEvidence s, Findings earlier) {
        Finding finding = wait.judge(s, earlier);
        return wait.id().equals(SlowDisk.ID) ? DeepSleep.beside(finding, earlier) : finding;
    }

    /**
     * Lets the general cause give way where thread dumps name what requests wait for. A wait for the network is for the
     * database, if the target has one.
     */
    static void named(WindowEvidence s, Findings judged) {
        if (judged.confirmed(SlowService.ID) && s.behind().isPresent()) {
            Finding wait = judged.of(SlowService.ID);
            judged.replace(
                    SlowService.ID,
                    SlowService.ID.ruledOut(proof("requests wait for the network, and a "
                            + s.behind().get().part() + " was recorded: see database-limit")));
            judged.replace(DatabaseLimit.ID, judged.of(DatabaseLimit.ID).with(wait.evidence()));
            return;
        }
        if (judged.confirmed(DatabaseLimit.ID)
                && !judged.of(OwnWarmUp.ID).explains().isEmpty()) {
            judged.replace(
                    DatabaseLimit.ID,
                    DatabaseLimit.ID.ruledOut(proof("what requests wait for grows by itself: see own-warm-up")));
            return;
        }
        ALL.stream()
                .map(WaitCause::id)
                .filter(judged::confirmed)
                .findFirst()
                .ifPresent(known -> judged.replace(
                        DatabaseLimit.ID, DatabaseLimit.ID.ruledOut(proof("thread dumps name it: " + known.title()))));
    }
}
