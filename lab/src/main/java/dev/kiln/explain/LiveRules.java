package dev.kiln.explain;

import dev.kiln.explain.LiveDiagnosis.LiveState;
import dev.kiln.explain.cause.CauseId.Role;
import dev.kiln.explain.cause.Causes;
import dev.kiln.explain.window.Thresholds;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.Finding;
import dev.kiln.model.ThreadRole;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** From figures and findings to a state; the first rule that fits decides, and warm is what none speaks against. */
record LiveRules(WindowEvidence s, LiveFigures f, List<Finding> findings) {
    /** CPU of a live JVM beside its compilers, collector and own threads below which it is idle: a service that waits for requests uses under 1 %. */
    private static final double IDLE_CPU = 0.05;

    /** Compilers' demand over what the program itself uses, from which a live JVM is warming; a guess, 1 to 3 % seen once settled. */
    private static final double WARMING_SHARE = 0.2;

    record Decision(LiveState state, String reason) {}

    Decision decide() {
        return unseen().or(this::starved)
                .or(this::busy)
                .or(this::stopped)
                .or(this::idle)
                .orElseGet(this::warm);
    }

    private Optional<Decision> unseen() {
        if (s.tooShort()) {
            return decided(LiveState.UNKNOWN, "Kiln watched it for less than a second");
        }
        if (!s.threads().has(ThreadRole.C1) && !s.threads().has(ThreadRole.C2)) {
            return decided(
                    LiveState.UNKNOWN,
                    "no JIT compiler thread was seen: it is still starting, only interprets (-Xint), or is not a"
                            + " HotSpot JVM");
        }
        return Optional.empty();
    }

    private Optional<Decision> starved() {
        Optional<Finding> starved = confirmed(Role.STARVES_C2);
        if (starved.isPresent()) {
            return decided(
                    LiveState.STARVED, starved.get().evidence().getFirst().text());
        }
        String limit = confirmed(Role.LIMITS_CPU).isPresent() ? ", under a CPU limit that holds it back" : "";
        if (s.starvedC2().isPresent()) {
            return decided(LiveState.STARVED, s.starvedC2().get().words("C2") + limit);
        }
        WindowEvidence.Use c1 = s.use(ThreadRole.C1, s.window());
        return c1.starved() ? decided(LiveState.STARVED, c1.words("C1") + limit) : Optional.empty();
    }

    private Optional<Decision> busy() {
        if (confirmed(Role.QUEUES_FOR_C2).isPresent() || f.c2Queue().orElse(0) >= Thresholds.BACKLOG) {
            return decided(LiveState.WARMING, f.c2Queue().orElse(0) + " methods wait for C2");
        }
        if (f.compilerDemand() >= Thresholds.QUIET_DEMAND) {
            return decided(LiveState.WARMING, "the compilers are busy: " + demand());
        }
        if (rate() >= Thresholds.CHURN_PER_SECOND) {
            return decided(LiveState.WARMING, String.format(Locale.ROOT, "%.0f compilations a second", rate()));
        }
        double program = f.programCpu().orElse(0);
        return program >= IDLE_CPU && f.compilerDemand() >= WARMING_SHARE * program
                ? decided(LiveState.WARMING, "the compilers need much CPU compared with the program: " + demand())
                : Optional.empty();
    }

    /** Quiet compilers that had to give up have not done their work. */
    private Optional<Decision> stopped() {
        return confirmed(Role.STOPS_COMPILERS)
                .flatMap(finding -> decided(
                        LiveState.WARMING,
                        "the compilers had to stop: " + finding.title() + "; "
                                + finding.evidence().getFirst().text()));
    }

    private Optional<Decision> idle() {
        if (f.programCpu().isEmpty()) {
            return decided(LiveState.UNKNOWN, "the CPU time of the process could not be read");
        }
        double program = f.programCpu().getAsDouble();
        return program < IDLE_CPU
                ? decided(
                        LiveState.IDLE,
                        String.format(
                                Locale.ROOT,
                                "the program used %.1f %% of a CPU, too little to tell whether it is warm; look again while it has"
                                        + " load",
                                100 * program))
                : Optional.empty();
    }

    private Decision warm() {
        String by = s.waitsRecorded() ? "" : "; by CPU time alone, because this kernel does not record waits";
        return new Decision(LiveState.WARM, "the compilers are quiet while it works: " + demand() + by);
    }

    private String demand() {
        String program = f.programCpu().isPresent()
                ? String.format(
                        Locale.ROOT,
                        "; the program used %.0f %% of a CPU",
                        100 * f.programCpu().getAsDouble())
                : "";
        return String.format(
                        Locale.ROOT,
                        "C1 and C2 ran %.1f %% and waited %.1f %% of the time",
                        100 * (f.c2Cpu().orElse(0) + f.c1Cpu().orElse(0)),
                        100 * (f.c2Wait().orElse(0) + f.c1Wait().orElse(0)))
                + program;
    }

    /** Methods that came to level 4 stand in where the JVM's counters cannot be read. */
    private double rate() {
        return f.compilationsPerSecond().orElse(f.level4Growth().orElse(0));
    }

    private Optional<Finding> confirmed(Role role) {
        return Causes.confirmed(role, findings);
    }

    private static Optional<Decision> decided(LiveState state, String reason) {
        return Optional.of(new Decision(state, reason));
    }
}
