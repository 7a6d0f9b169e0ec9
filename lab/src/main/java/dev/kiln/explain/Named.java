package dev.kiln.explain;

import dev.kiln.model.Finding;
import dev.kiln.model.Finding.Moment;
import dev.kiln.model.Finding.Proof;
import dev.kiln.model.Finding.Remedy;
import dev.kiln.model.Finding.State;
import java.util.List;
import java.util.Optional;

/** What findings are called. Ids are stable, for scripts. */
enum Named {
    C2_STARVED("c2-starved", "C2 starved of CPU"),
    STUCK_AT_TIER_2("stuck-at-tier-2", "methods stuck at tier 2 (JDK-8386852)"),
    CGROUP_THROTTLING("cgroup-throttling", "throttled by a CPU limit"),
    TOO_MANY_RUNNABLE("too-many-runnable", "too many runnable threads for the CPUs"),
    C2_BACKLOG("c2-backlog", "C2 queue not worked off"),
    AOT_REJECTED("aot-rejected", "AOT cache rejected"),
    AOT_TRAINED_WITHOUT_TRAFFIC("aot-trained-without-traffic", "AOT cache trained without traffic"),
    GENERATOR_LIMIT("generator-limit", "the load generator is the limit"),
    DATABASE_LIMIT("database-limit", "the database, or something else the target waits for, is the limit"),
    NOISY_NEIGHBOUR("noisy-neighbour", "a noisy neighbour takes CPU"),
    GC("gc", "garbage collection"),
    HEAP_TOO_SMALL("heap-too-small", "heap too small"),
    MEMORY_PRESSURE("memory-pressure", "memory pressure"),
    CODE_CACHE_FULL("code-cache-full", "code cache full"),
    DEOPTIMISATION_STORM("deoptimisation-storm", "deoptimisation storm"),
    SPINNING("spinning", "lock or yield spinning");

    private final String id;
    private final String title;

    Named(String id, String title) {
        this.id = id;
        this.title = title;
    }

    String id() {
        return id;
    }

    Finding held(double weight, List<Proof> evidence, List<Remedy> remedies) {
        return new Finding(id, title, State.HELD, Math.clamp(weight, 0, 1), evidence, remedies);
    }

    Finding ruledOut(Proof... evidence) {
        return new Finding(id, title, State.RULED_OUT, 0, List.of(evidence), List.of());
    }

    /** @param missing what is missing, and how to get it */
    Finding notObservable(String missing) {
        return new Finding(id, title, State.NOT_OBSERVABLE, 0, List.of(proof(missing)), List.of());
    }

    static Proof proof(String text) {
        return new Proof(text, Optional.empty());
    }

    static Proof proof(String text, Moment when) {
        return new Proof(text, Optional.of(when));
    }
}
