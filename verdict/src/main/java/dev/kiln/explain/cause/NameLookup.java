package dev.kiln.explain.cause;

import dev.kiln.explain.budget.Budget.BlockedTime;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.Sample.WaitKind;
import java.util.List;

/** NameLookup is the cause that requests wait until a name is resolved to an address. */
final class NameLookup {
    static final CauseId ID = WaitCause.id("name-lookup", "requests wait for a name lookup");

    static final WaitCause CAUSE = new WaitCause(
            ID,
            NameLookup::is,
            List.of(new FindingRemedy(
                    "keep addresses longer, keep connections open, or use a resolver nearby",
                    "networkaddress.cache.ttl in java.security",
                    "an address that changes is noticed later",
                    RemedyPlace.PLATFORM)));

    private NameLookup() {}

    private static boolean is(BlockedTime place) {
        return place.kind() == WaitKind.NAME_LOOKUP;
    }
}
