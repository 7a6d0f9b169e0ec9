package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.cause.CauseId.Role;
import dev.kiln.explain.window.Thresholds;
import dev.kiln.explain.window.Window;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.Moment;
import dev.kiln.model.run.Finding.Proof;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * C2Backlog is the cause that methods wait for C2 at the end of the load, by the queue itself or by what C2 does in a
 * pause.
 */
final class C2Backlog {
    static final CauseId ID = new CauseId(
                    "c2-backlog", "C2 queue not worked off", Curve.C2_QUEUE, CauseId.LEVEL, Role.QUEUES_FOR_C2)
            .taking(BudgetPart.RUNNING, BudgetPart.CPU_WAIT);

    /**
     * C2 had a backlog if it uses these CPU seconds in a pause, when no request asks for anything: the second of CPU
     * that {@link Thresholds#BACKLOG} stands for, with room for noise.
     */
    private static final double BACKLOG_IN_PAUSE_SECONDS = 2;

    private static final Pattern COMPILERS = Pattern.compile("-XX:CICompilerCount=(\\d{1,4})");

    /**
     * Fewer compiler threads than this are never advised: their effect was measured on machines with one or two CPUs.
     */
    private static final int FEWEST_THREADS = 4;

    private static final long SECOND = 1_000_000_000L;

    private C2Backlog() {}

    static Finding judge(WindowEvidence s, Findings earlier) {
        OptionalDouble queue = s.c2Queue();
        Optional<Pause> pause = pause(s);
        if (queue.isEmpty() && pause.isEmpty()) {
            return ID.notObservable("the length of C2's queue was not recorded (it takes the attach socket or a"
                    + " flight recording), and neither was a pause, in which C2 would work off a"
                    + " backlog");
        }
        List<Proof> proofs = new ArrayList<>();
        queue.ifPresent(length -> proofs.add(proof(
                String.format(Locale.ROOT, "%,.0f methods waited for C2 %s (median)", length, s.ending()),
                s.moment(s.end()))));
        pause.ifPresent(p -> proofs.add(p.proof()));
        boolean confirmed = queue.orElse(0) >= Thresholds.BACKLOG
                || (queue.isEmpty() && pause.orElseThrow().cpuSeconds() >= BACKLOG_IN_PAUSE_SECONDS);
        if (confirmed && earlier.explaining(CodeCacheFull.ID)) {
            return ID.ruledOut(
                    proof(proofs.getFirst().text() + ": the code cache has no room for them, which is the cause"));
        }
        if (confirmed) {
            CodeTurnover.beside(s, earlier.of(CodeCacheFull.ID)).ifPresent(proofs::add);
        }
        return confirmed
                ? ID.confirmed(weight(queue.orElse(Thresholds.BACKLOG)), proofs, remedies(s))
                : ID.ruledOut(proofs.toArray(Proof[]::new));
    }

    private static List<FindingRemedy> remedies(WindowEvidence s) {
        int now = s.evidence().info().jvm().stream()
                .flatMap(jvm -> Stream.concat(jvm.inForce().stream(), jvm.flags().stream()))
                .map(COMPILERS::matcher)
                .filter(Matcher::matches)
                .mapToInt(found -> Integer.parseInt(found.group(1)))
                .max()
                .orElse(0);
        int more = now < FEWEST_THREADS ? FEWEST_THREADS : 2 * now;
        FindingRemedy threads = new FindingRemedy(
                        "allow more C2 threads",
                        "-XX:CICompilerCount=" + more + " -XX:-UseDynamicNumberOfCompilerThreads",
                        "helps only where CPUs are idle; the threads take CPU from requests",
                        RemedyPlace.LAUNCH_FLAG)
                .tried(Change.with(new Modifier.CiCompilerCount(more)));
        return List.of(threads, Remedies.BATCH, Remedies.READINESS);
    }

    /**
     * Returns a weight from a half for the shortest backlog towards 0.9; a backlog is the symptom, so it ranks below
     * what starves C2.
     */
    private static double weight(double queue) {
        return 0.9 - 0.4 * Thresholds.BACKLOG / Math.max(Thresholds.BACKLOG, queue);
    }

    private record Pause(double cpuSeconds, Moment when) {
        Proof proof() {
            return CauseId.proof(
                    String.format(
                            Locale.ROOT,
                            "C2 used %.1f s of CPU in the pause of %.0f s, when no request came",
                            cpuSeconds,
                            when.toSecond() - when.fromSecond()),
                    when);
        }
    }

    /** Returns the first pause after the window, without what a sample shares with load. */
    private static Optional<Pause> pause(WindowEvidence s) {
        if (!s.threads().has(ThreadRole.C2)) {
            return Optional.empty();
        }
        return s.evidence().info().phases().stream()
                .filter(phase -> !phase.load() && phase.endNanos().isPresent())
                .filter(phase -> phase.startNanos() >= s.window().toNanos() - SECOND)
                .filter(phase -> phase.endNanos().getAsLong() - phase.startNanos() > 2 * SECOND)
                .filter(phase -> s.threads()
                        .seen(
                                new Window(phase.startNanos(), phase.endNanos().getAsLong()),
                                s.evidence().info().provenance()))
                .findFirst()
                .map(phase -> pause(s, phase));
    }

    private static Pause pause(WindowEvidence s, PhaseTime phase) {
        // C2 may work a backlog off within the first second.
        long from = s.evidence().threads().stream()
                .mapToLong(ThreadSample::timeNanos)
                .filter(time -> time >= phase.startNanos())
                .min()
                .orElse(phase.startNanos());
        long to = phase.endNanos().orElse(from);
        return new Pause(
                s.threads().cpuAndWait(ThreadRole.C2, from, to)[0] / 1e9, new Moment(s.second(from), s.second(to)));
    }
}
