package dev.kiln.explain.cause;

import dev.kiln.explain.budget.Budget.BlockedTime;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.Sample.WaitKind;
import java.util.List;

/** SlowService is the cause that requests wait for the answer of another service. */
final class SlowService {
    static final CauseId ID = WaitCause.id("slow-service", "requests wait for another service");

    static final WaitCause CAUSE = new WaitCause(
            ID,
            SlowService::is,
            List.of(new FindingRemedy(
                    "make that service faster, call it less often, or call it at the same time as others",
                    "the frame above is the caller",
                    "a change of that service, or of the code",
                    RemedyPlace.PLATFORM)));

    private SlowService() {}

    private static boolean is(BlockedTime place) {
        return (place.kind() == WaitKind.NETWORK && place.detail().equals(BlockedSample.TO_READ))
                || (place.kind() == WaitKind.SOCKET && !SlowConnect.CAUSE.is().test(place));
    }
}
