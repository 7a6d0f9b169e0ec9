package dev.kiln.gate;

import dev.kiln.compare.Gates;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.plan.ExperimentFile;
import dev.kiln.run.FollowUp;
import java.nio.file.Path;
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
}
