package dev.kiln.gate;

import dev.kiln.compare.EarlierSessions;
import dev.kiln.compare.Gates;
import dev.kiln.compare.Gates.GateResult;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.GateSpec;
import dev.kiln.plan.ExperimentFile;
import dev.kiln.report.TerminalStyle;
import dev.kiln.results.Subjects;
import dev.kiln.run.FollowUp;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.stats.Gate;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** A GateFollowUp judges the pairs of variants that an experiment's file has a gate for. */
public final class GateFollowUp implements FollowUp {
    @Override
    public Optional<AfterRun> of(Path file, Experiment asked) {
        return ExperimentFile.gate(file, asked.variants()).map(gate -> {
            Gates.requireKnown(gate.tolerances());
            Gates.requireCalls(gate.tolerances(), asked.load().callNames());
            return (recorded, console) -> GateCommand.code(
                    new GatesOfRun(gate, console.after(), console.err(), console.style()).print(recorded));
        });
    }

    /** GatesOfRun prints the tables of an experiment's own gate when it has run. */
    record GatesOfRun(GateSpec gate, PrintWriter to, PrintWriter err, TerminalStyle style) {
        /**
         * Prints a table a pair; a pair of which a variant was left out is named.
         *
         * @return the verdict that stops a build first. A pair whose runs are invalid is undecided, and so is all where no pair was
         *     run; one that was left out among others says nothing
         */
        public Gate.Verdict print(Path experiment) {
            Subjects subjects = new Subjects(AnalysisConfig.defaults(), err);
            GateSides sides = new GateSides(gate.tolerances(), EarlierSessions.NONE, false);
            List<Gate.Verdict> verdicts = new ArrayList<>();
            for (GateSpec.Pair pair : gate.pairs()) {
                to.println();
                String title = (gate.scenario().isEmpty() ? "Gate" : gate.scenario()) + ": " + pair.current()
                        + " against " + pair.baseline();
                if (!ran(experiment, pair.current()) || !ran(experiment, pair.baseline())) {
                    to.println(title + ": not run");
                    continue;
                }
                try {
                    String current = experiment + ":" + pair.current();
                    String baseline = experiment + ":" + pair.baseline();
                    subjects.together(List.of(baseline, current));
                    GateResult result = named(sides.gate(subjects.one(current), subjects.one(baseline), 1, 1));
                    to.println(title + "\n");
                    to.print(GateText.terminal(result, style));
                    verdicts.add(result.verdict());
                } catch (KilnException e) {
                    // Runs that are invalid must not keep the other pairs from being told.
                    if (e.exit() != Exit.PROBLEM) {
                        throw e;
                    }
                    to.println(title + ": " + e.getMessage());
                    verdicts.add(Gate.Verdict.INCONCLUSIVE);
                }
            }
            to.flush();
            return verdicts.stream().min(Comparator.naturalOrder()).orElse(Gate.Verdict.INCONCLUSIVE);
        }

        private static boolean ran(Path experiment, String variant) {
            return Files.isDirectory(experiment.resolve(variant));
        }

        private GateResult named(GateResult result) {
            return gate.scenario().isEmpty()
                    ? result
                    : new GateResult(
                            result.current(),
                            result.baseline(),
                            result.rows().stream()
                                    .map(row -> row.labelled(gate.scenario() + " " + row.label()))
                                    .toList(),
                            result.interim(),
                            result.interims(),
                            result.notes());
        }
    }
}
