package dev.kiln.explain;

import static dev.kiln.explain.Named.C2_BACKLOG;
import static dev.kiln.explain.Named.C2_STARVED;
import static dev.kiln.explain.Named.CGROUP_THROTTLING;
import static dev.kiln.explain.Named.CODE_CACHE_FULL;
import static dev.kiln.explain.Named.STUCK_AT_TIER_2;

import dev.kiln.model.Finding;
import dev.kiln.model.LiveState;
import dev.kiln.model.ThreadRole;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** From figures and findings to a state; the first rule that fits decides, and warm is what none speaks against. */
record LiveRules(Situation s, LiveFigures f, List<Finding> findings) {
    record Decision(LiveState state, String reason) {}

    Decision decide() {
        return unseen().or(this::starved)
                .or(this::busy)
                .or(this::heldDown)
                .or(this::idle)
                .orElseGet(this::warm);
    }

    private Optional<Decision> unseen() {
        if (s.tooShort()) {
            return decided(LiveState.UNKNOWN, "less than a second could be watched");
        }
        if (!s.threads().has(ThreadRole.C1) && !s.threads().has(ThreadRole.C2)) {
            return decided(
                    LiveState.UNKNOWN,
                    "no JIT compiler thread was seen: it is still starting, only interprets (-Xint), or is no HotSpot JVM");
        }
        return Optional.empty();
    }

    private Optional<Decision> starved() {
        Optional<Finding> held = held(C2_STARVED);
        if (held.isPresent()) {
            return decided(LiveState.STARVED, held.get().evidence().getFirst().text());
        }
        String limit = held(CGROUP_THROTTLING).isPresent() ? ", under a CPU limit that holds it back" : "";
        if (s.c2().filter(Situation.Use::starved).isPresent()) {
            return decided(
                    LiveState.STARVED, use("C2", f.c2Cpu().orElse(0), f.c2Wait().orElse(0)) + limit);
        }
        Situation.Use c1 = new Situation.Use(f.c1Cpu().orElse(0), f.c1Wait().orElse(0));
        return c1.starved() ? decided(LiveState.STARVED, use("C1", c1.cpu(), c1.waiting()) + limit) : Optional.empty();
    }

    private Optional<Decision> busy() {
        if (held(C2_BACKLOG).isPresent() || f.c2Queue().orElse(0) >= Thresholds.BACKLOG) {
            return decided(LiveState.WARMING, f.c2Queue().orElse(0) + " methods wait for C2");
        }
        if (f.compilerDemand() >= Thresholds.QUIET_DEMAND) {
            return decided(LiveState.WARMING, "the compilers are busy: " + demand());
        }
        if (rate() >= Thresholds.CHURN_PER_SECOND) {
            return decided(LiveState.WARMING, String.format(Locale.ROOT, "%.0f compilations a second", rate()));
        }
        double program = f.programCpu().orElse(0);
        return program >= Thresholds.IDLE_CPU && f.compilerDemand() >= Thresholds.WARMING_SHARE * program
                ? decided(LiveState.WARMING, "the compilers ask for much beside what the program uses: " + demand())
                : Optional.empty();
    }

    /** Quiet compilers that had to give up have not done their work. */
    private Optional<Decision> heldDown() {
        return held(CODE_CACHE_FULL)
                .or(() -> held(STUCK_AT_TIER_2))
                .flatMap(finding -> decided(
                        LiveState.WARMING,
                        "held down: " + finding.title() + "; "
                                + finding.evidence().getFirst().text()));
    }

    private Optional<Decision> idle() {
        if (f.programCpu().isEmpty()) {
            return decided(LiveState.UNKNOWN, "what the process uses of the CPUs could not be read");
        }
        double program = f.programCpu().getAsDouble();
        return program < Thresholds.IDLE_CPU
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
        String by = s.waitsRecorded() ? "" : "; by CPU time alone, as this kernel tells no waits";
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

    private static String use(String compiler, double cpu, double wait) {
        return String.format(
                Locale.ROOT,
                "%s got %.1f %% of a CPU and waited for one %.1f %% of the time",
                compiler,
                100 * cpu,
                100 * wait);
    }

    /** Methods that came to level 4 stand in where the JVM's counters cannot be read. */
    private double rate() {
        return f.compilationsPerSecond().orElse(f.level4Growth().orElse(0));
    }

    private Optional<Finding> held(Named cause) {
        return findings.stream()
                .filter(finding -> finding.id().equals(cause.id()) && finding.state() == Finding.State.HELD)
                .findFirst();
    }

    private static Optional<Decision> decided(LiveState state, String reason) {
        return Optional.of(new Decision(state, reason));
    }
}
