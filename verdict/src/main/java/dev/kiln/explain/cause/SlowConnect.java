package dev.kiln.explain.cause;

import dev.kiln.explain.budget.Budget.BlockedTime;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.Sample.WaitKind;
import java.util.List;

/** SlowConnect is the cause that requests wait until a connection to another service is made. */
final class SlowConnect {
    static final CauseId ID = WaitCause.id("slow-connect", "requests wait for connections to another service");

    static final WaitCause CAUSE = new WaitCause(
            ID,
            SlowConnect::is,
            List.of(new FindingRemedy(
                    "keep connections open and use them again, or let that service accept sooner",
                    "a pool of connections, keep-alive; the backlog of the other side's listener (ListenOverflows in nstat)",
                    "connections that are open and idle",
                    RemedyPlace.PLATFORM)));

    private SlowConnect() {}

    private static boolean is(BlockedTime place) {
        return place.kind() == WaitKind.CONNECT
                // So it was recorded before it had a kind of its own.
                || (place.kind() == WaitKind.SOCKET && place.detail().equals("connect"));
    }
}
