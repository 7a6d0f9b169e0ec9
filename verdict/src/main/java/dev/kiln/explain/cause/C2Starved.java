package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.cause.CauseId.Role;
import dev.kiln.explain.window.CpuUse;
import dev.kiln.explain.window.Window;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.Moment;
import dev.kiln.model.run.Finding.Proof;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.Sample.ThreadRole;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** C2Starved is the cause that C2 has work at the end of the load and gets no CPU for it. */
final class C2Starved {
    static final CauseId ID = new CauseId("c2-starved", "C2 starved of CPU", Curve.C2, CauseId.LEVEL, Role.STARVES_C2)
            .taking(BudgetPart.RUNNING, BudgetPart.CPU_WAIT);

    /** Compiler CPU time over compile time is from this on when served; the least that was measured is 0.5. */
    private static final double EFFICIENCY_SERVED = 0.45;

    /**
     * So many seconds are judged together when starvation is looked for over the whole load: one may credit the wait of
     * many.
     */
    private static final int STEP = 5;

    private static final FindingRemedy RENICE = new FindingRemedy(
            "give the C2 threads priority now",
            "renice -n -20 -p TID, for each thread whose name begins with C2 Comp, again for every new one",
            "needs CAP_SYS_NICE; at -20 95 % of peak after 25 s, at -10 1.7 times the throughput" + Remedies.BASIS,
            RemedyPlace.LIVE_PROCESS);

    private static final FindingRemedy DIRECTIVE = new FindingRemedy(
            "let callers wait for C2 now",
            "jcmd PID Compiler.directives_add FILE with [{match:[\"*.*\"],c2:{BackgroundCompilation:false}}]",
            "requests stall while their methods compile; undo with jcmd PID Compiler.directives_clear",
            RemedyPlace.LIVE_PROCESS);

    private static final List<FindingRemedy> REMEDIES = List.of(
            Remedies.PRIORITY_AT_LAUNCH,
            Remedies.BATCH,
            Remedies.AOT_TRAFFIC,
            Remedies.C1_ONLY,
            RENICE,
            DIRECTIVE,
            Remedies.READINESS,
            Remedies.MORE_CPU);

    private C2Starved() {}

    static List<FindingRemedy> remedies(WindowEvidence s) {
        return Remedies.withVirtualThreads(s, REMEDIES);
    }

    static Finding judge(WindowEvidence s, Findings earlier) {
        if (s.threads().isEmpty()) {
            return ID.notObservable("the compiler threads' CPU time and waiting were not recorded: kiln run reads"
                    + " them from /proc/PID/task; an import takes them from pidstat -t");
        }
        if (s.observed().c2CpuShare().isEmpty()) {
            return s.threads().has(ThreadRole.C2)
                    ? ID.notObservable("C2 was seen in less than half of the load, or for less than a second")
                    : withoutC2(s);
        }
        if (!s.waitsRecorded()) {
            return byEfficiency(s);
        }
        if (s.c2().isEmpty()) {
            return ID.notObservable("C2 was seen in less than half of the end of the load");
        }
        List<Proof> proofs = proofs(s, s.c2().orElseThrow());
        Optional<CpuUse> starved = s.starvedC2();
        if (starved.isEmpty()) {
            Finding ruledOut = ID.ruledOut(proofs.toArray(Proof[]::new));
            return earlier(ruledOut).findFirst().isPresent() ? ruledOut.withRemedies(remedies(s)) : ruledOut;
        }
        if (earlier.confirmed(Throttling.ID)) {
            return ID.notObservable(
                    proofs.getFirst().text() + ": under a CPU limit every thread waits; measure without the limit");
        }
        CodeTurnover.beside(s, earlier.of(CodeCacheFull.ID)).ifPresent(proofs::add);
        return ID.confirmed(starved.get().waitRatio(), proofs, remedies(s));
    }

    private static Finding withoutC2(WindowEvidence s) {
        return !s.evidence().hasUnnamedThreads()
                ? ID.ruledOut(proof("the target has no C2 thread: it is not a HotSpot JVM, or is one without C2"))
                : ID.notObservable(
                        "the names of the JVM's threads were not recorded, so which of them are C2's is not known: HotSpot"
                                + " gives them to the kernel from Java 9 on");
    }

    private static List<Proof> proofs(WindowEvidence s, CpuUse c2) {
        List<Proof> proofs = new ArrayList<>();
        boolean drained = c2.starved() && s.starvedC2().isEmpty();
        proofs.add(proof(
                c2.words("C2") + " " + s.ending() + (drained ? ", but no method waited to be compiled" : ""),
                s.moment(s.end())));
        s.efficiency().ifPresent(share -> proofs.add(efficiency(s, share)));
        if (c2.starved()) {
            proofs.add(proof(
                    String.format(
                            Locale.ROOT,
                            "of the time it asked for a CPU it waited %.0f %%; %.0f %% of the time it was blocked or idle",
                            100 * c2.waitRatio(),
                            100 * c2.blocked()),
                    s.moment(s.end())));
        }
        // Where the window is all there is, its own figures have said so.
        if (!s.whole()) {
            spell(s).ifPresent(proofs::add);
        }
        return proofs;
    }

    /**
     * Returns the proof of when C2 was starved under the load, from its first such second to the last; empty if it
     * never was.
     */
    private static Optional<Proof> spell(WindowEvidence s) {
        long step = STEP * 1_000_000_000L;
        double end = s.second(s.window().toNanos());
        double from = Double.NaN;
        double to = Double.NaN;
        for (long at = s.zeroNanos(); at + step <= s.window().toNanos(); at += step) {
            if (s.starvedC2(new Window(at, at + step)).isPresent()) {
                from = Double.isNaN(from) ? s.second(at) : from;
                to = s.second(at + step);
            }
        }
        if (Double.isNaN(from)) {
            return Optional.empty();
        }
        String text = to > end - STEP
                ? "it was starved from second %.0f to the end of the load, %.0f s"
                : "it was starved from second %.0f, the last time until second %.0f";
        return Optional.of(proof(String.format(Locale.ROOT, text, from, to), new Moment(from, to)));
    }

    /** Returns when C2 was starved, of a finding about the end whose last proof is of the time before. */
    static Stream<Moment> earlier(Finding finding) {
        List<Moment> moments = finding.evidence().stream()
                .flatMap(proof -> proof.when().stream())
                .toList();
        return moments.stream()
                .skip(1)
                .filter(moment -> moment.fromSecond() < moments.getFirst().fromSecond());
    }

    private static Proof efficiency(WindowEvidence s, double share) {
        return proof(
                String.format(
                        Locale.ROOT,
                        "the compilers had a CPU for %.0f %% of the time their compilations took (about 100 %% when served)",
                        100 * share),
                s.moment(s.end()));
    }

    private static Finding byEfficiency(WindowEvidence s) {
        OptionalDouble share = s.efficiency();
        if (s.starvedEfficiency().isPresent()) {
            return ID.confirmed(1 - share.getAsDouble(), List.of(efficiency(s, share.getAsDouble())), remedies(s));
        }
        if (share.isPresent() && share.getAsDouble() >= EFFICIENCY_SERVED) {
            return ID.ruledOut(efficiency(s, share.getAsDouble()));
        }
        return ID.notObservable("the time threads wait for a CPU was not recorded: it takes /proc/PID/schedstat"
                + " (CONFIG_SCHED_INFO), or pidstat's %wait");
    }
}
