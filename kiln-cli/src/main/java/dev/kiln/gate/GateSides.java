package dev.kiln.gate;

import dev.kiln.compare.Configuration;
import dev.kiln.compare.EarlierSessions;
import dev.kiln.compare.Gates;
import dev.kiln.compare.Gates.GateResult;
import dev.kiln.console.Outputs;
import dev.kiln.console.ResultConsole;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.experiment.GateSpec.Tolerance;
import dev.kiln.model.experiment.Variant;
import dev.kiln.results.Subjects;
import dev.kiln.run.LabSession;
import dev.kiln.run.RunSession;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Gate;
import dev.kiln.stats.Power;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/** GateSides hold two configurations against tolerances, if that is fair. */
record GateSides(List<Tolerance> tolerances, EarlierSessions earlier, boolean allowDifferent) {

    /** Makes one interim analysis, from 1, of those planned, among which alpha is split. */
    GateResult gate(Configuration now, Configuration before, int interim, int interims) {
        List<String> notes = new ArrayList<>();
        for (String difference : now.differences(before)) {
            if (!allowDifferent) {
                throw KilnException.usage("not a fair comparison: " + difference, "to gate anyway: --allow-different");
            }
            notes.add("NOT A FAIR COMPARISON: " + difference);
        }
        Gates.requireKnown(tolerances, now, before);
        notes.addAll(now.namedNotes());
        notes.addAll(before.namedNotes());
        return new GateResult(
                now.name(),
                before.name(),
                tolerances.stream()
                        .map(one -> Gates.of(one, now, before, earlier, interim, interims))
                        .toList(),
                interim,
                interims,
                notes);
    }

    /**
     * GateLooks runs an experiment of two variants until its gate is decided: it judges after as many blocks as the
     * experiment has runs, and again after as many more, up to the planned number of times.
     */
    static final class GateLooks {
        private final GateSides sides;
        private final AnalysisConfig config;
        private final ResultConsole console;
        private final int looks;
        private Optional<GateResult> last = Optional.empty();
        private int lookedAt;
        private IntUnaryOperator exit = IntUnaryOperator.identity();

        GateLooks(GateSides sides, AnalysisConfig config, ResultConsole console, int looks) {
            this.sides = sides;
            this.config = config;
            this.console = console;
            this.looks = looks;
        }

        /** Returns the result of the last judgement; throws if the experiment was interrupted before it. */
        GateResult run(Experiment wanted, Outputs outputs) {
            List<String> variants =
                    wanted.variants().stream().map(Variant::name).toList();
            if (variants.size() != 2) {
                throw KilnException.usage(
                        wanted.name() + " has " + variants.size() + " variants",
                        "a gate needs two: the first is the baseline, the second the one to judge");
            }
            int step = Math.max(Power.FEWEST_BY_T, wanted.runs().atLeast());
            RunSession session = new RunSession(
                    console.withoutJson(),
                    outputs,
                    (directory, blocks) -> blocks % step == 0 && settled(directory, blocks / step, variants));
            exit = session::exit;
            int ended = session.run(wanted.with(
                    Runs.fixed(step * looks).withRepeats(wanted.runs().repeat())));
            if (ended == LabSession.INTERRUPTED) {
                throw KilnException.problem(
                        "interrupted before the gate was decided", "kiln report shows what was recorded");
            }
            if (last.filter(GateLooks::decided).isEmpty() && lookedAt < looks) {
                session.recorded().ifPresent(directory -> look(directory, looks, variants));
            }
            return last.orElseThrow(
                    () -> KilnException.problem("no run was recorded", "kiln run with the same experiment says why"));
        }

        /** Returns the exit code of a verdict, after {@link #run}: a cleanup that failed is told by it too. */
        int exit(int verdict) {
            return exit.applyAsInt(verdict);
        }

        private boolean settled(Path directory, int look, List<String> variants) {
            GateResult result = look(directory, look, variants);
            console.err().println("look " + look + " of " + looks + ": " + GateText.conclusion(result));
            console.err().flush();
            return decided(result);
        }

        /** Tells whether the result is final: no further run can turn a FAIL into a PASS, or all metrics have passed. */
        private static boolean decided(GateResult result) {
            return result.verdict() == Gate.Verdict.FAIL || result.verdict() == Gate.Verdict.PASS;
        }

        private GateResult look(Path directory, int look, List<String> variants) {
            String baseline = directory + ":" + variants.getFirst();
            String current = directory + ":" + variants.getLast();
            Subjects subjects = new Subjects(config, console.err()).together(List.of(baseline, current));
            Configuration before = subjects.one(baseline);
            Configuration now = subjects.one(current);
            GateResult result = sides.gate(now, before, look, looks);
            last = Optional.of(result);
            lookedAt = look;
            return result;
        }
    }
}
