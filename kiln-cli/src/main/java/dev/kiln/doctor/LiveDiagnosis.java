package dev.kiln.doctor;

import dev.kiln.explain.Curves;
import dev.kiln.explain.Forecaster;
import dev.kiln.explain.Forecaster.Forecast;
import dev.kiln.explain.budget.Budget;
import dev.kiln.explain.budget.BudgetReader;
import dev.kiln.explain.cause.CauseId.Role;
import dev.kiln.explain.cause.Causes;
import dev.kiln.explain.window.CpuUse;
import dev.kiln.explain.window.Thresholds;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A LiveDiagnosis is what a living JVM is and why, judged by what was recorded of it lately.
 *
 * @param reason of the state, in words
 * @param findings confirmed ones first, by weight
 * @param forecast in seconds since the evidence begins; empty where nothing is left to compile, and where there is no
 * forecast
 * @param budget where the time of its requests goes; empty where it has none, or it is not known
 */
public record LiveDiagnosis(
        LiveState state,
        String reason,
        List<Finding> findings,
        Optional<Forecast> forecast,
        Optional<Budget> budget,
        LiveFigures figures) {
    public LiveDiagnosis {
        findings = List.copyOf(findings);
    }

    /** Returns the diagnosis of a process that has died since it was watched: it is in no state any more. */
    public LiveDiagnosis ofTheDead() {
        return new LiveDiagnosis(LiveState.UNKNOWN, "it has died", findings, Optional.empty(), budget, figures);
    }

    /** Tells whether favoured compilers would help: not where a limit holds back the whole process. */
    public boolean favouringHelps() {
        return state == LiveState.STARVED
                && Causes.confirmed(Role.LIMITS_CPU, findings).isEmpty();
    }

    public List<Finding> confirmed() {
        return findings.stream()
                .filter(finding -> finding.state() == Finding.FindingState.CONFIRMED)
                .toList();
    }

    /** A LiveState is the state of a living JVM, judged by its JIT compilers. */
    public enum LiveState {
        /** A warm JVM works, and its compilers have nothing left to do. */
        WARM("warm"),
        /** A warming JVM has busy compilers that get the CPU for their work. */
        WARMING("warming"),
        /** A starved JVM has compilers with work that get no CPU for it. */
        STARVED("starved"),
        /** An idle JVM does almost nothing, so Kiln cannot tell whether it is warm. */
        IDLE("idle"),
        UNKNOWN("unknown");

        private final String text;

        LiveState(String text) {
            this.text = text;
        }

        /** Returns the state as JSON has it. */
        public String text() {
            return text;
        }
    }

    /** Judges so many seconds of the evidence, back from its newest sample. */
    public static LiveDiagnosis of(RunEvidence evidence, double seconds) {
        long to = evidence.parts().isEmpty() ? 0 : evidence.parts().getLast().timeNanos();
        long begin =
                evidence.parts().stream().mapToLong(PartSample::timeNanos).min().orElse(to);
        long from = Math.max(begin, to - Math.round(seconds * 1e9));
        WindowEvidence window = WindowEvidence.of(evidence, from, to);
        List<Finding> findings = window.tooShort() ? List.of() : Causes.judgeLive(window);
        LiveFigures figures = LiveFigures.of(window);
        Rules.Decision decision = new Rules(window, figures, findings).decide();
        boolean unfinished = decision.state() == LiveState.WARMING || decision.state() == LiveState.STARVED;
        return new LiveDiagnosis(
                decision.state(),
                decision.reason(),
                findings,
                unfinished ? forecast(window, figures) : Optional.empty(),
                window.tooShort()
                        ? Optional.empty()
                        : new BudgetReader(evidence, window.threads()).ofLive(window.window()),
                figures);
    }

    private static Optional<Forecast> forecast(WindowEvidence s, LiveFigures figures) {
        double used = c2Before(s.evidence().threads());
        Forecaster forecaster = new Forecaster(Forecaster.DEMAND, used);
        for (Curves.JitPoint second : Curves.jitPoints(s.evidence(), s.threads(), s.zeroNanos())) {
            if (second.second() >= 0) {
                forecaster.second(second.c2Cpu(), second.c2Wait());
                used += second.c2Cpu();
            }
        }
        int compiled =
                figures.compilation().levels().map(levels -> levels.level4()).orElse(0);
        if (figures.c2().queue().isPresent() && compiled > 0) {
            forecaster.backlog(figures.c2().queue().getAsInt() * used / compiled);
        }
        return forecaster.forecast().filter(Forecast::tells);
    }

    /** Returns the CPU seconds of the C2 threads when they were first recorded; those of dead ones are not known. */
    private static double c2Before(List<ThreadSample> threads) {
        Map<Integer, Long> first = new HashMap<>();
        for (ThreadSample thread : threads) {
            if (thread.role() == ThreadRole.C2) {
                first.putIfAbsent(thread.tid(), thread.cpuNanos());
            }
        }
        return first.values().stream().mapToLong(Long::longValue).sum() / 1e9;
    }

    /** Rules lead from figures and findings to a state: the first that fits, or else the JVM is warm. */
    private record Rules(WindowEvidence s, LiveFigures f, List<Finding> findings) {
        /** A JVM whose CPU without compilers, collector and own threads is below this is idle: waiting takes < 1 %. */
        private static final double IDLE_CPU = 0.05;

        /** A JVM is warming from this ratio of its compilers' demand to its own use: a guess, 1 to 3 % when settled. */
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
            return s.use(ThreadRole.C1, s.window())
                    .filter(CpuUse::starved)
                    .flatMap(c1 -> decided(LiveState.STARVED, c1.words("C1") + limit));
        }

        private Optional<Decision> busy() {
            if (confirmed(Role.QUEUES_FOR_C2).isPresent() || f.c2().queue().orElse(0) >= Thresholds.BACKLOG) {
                return decided(LiveState.WARMING, f.c2().queue().orElse(0) + " methods wait for C2");
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

        /** Decides that compilers that are quiet because they had to give up have not done their work. */
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
                            100 * (f.c2().cpu().orElse(0) + f.c1().cpu().orElse(0)),
                            100 * (f.c2().waiting().orElse(0) + f.c1().waiting().orElse(0)))
                    + program;
        }

        /** Returns compilations a second, or methods that came to level 4 where the counters cannot be read. */
        private double rate() {
            return f.compilation()
                    .perSecond()
                    .orElse(f.compilation().level4Growth().orElse(0));
        }

        private Optional<Finding> confirmed(Role role) {
            return Causes.confirmed(role, findings);
        }

        private static Optional<Decision> decided(LiveState state, String reason) {
            return Optional.of(new Decision(state, reason));
        }
    }
}
