package dev.kiln.runner;

import dev.kiln.load.LoadDriver;
import dev.kiln.model.Experiment;
import dev.kiln.model.Experiment.PlannedRun;
import dev.kiln.model.LoadSpec;
import dev.kiln.model.RunInfo;
import dev.kiln.model.RunInfo.QuietWait;
import dev.kiln.model.Treatment;
import dev.kiln.model.Variant;
import java.util.List;
import java.util.Optional;

/** The facts of a run that are known at launch and never change. */
record Circumstances(
        Lab lab,
        Experiment experiment,
        PlannedRun planned,
        TargetRun target,
        LoadSpec load,
        LoadDriver driver,
        Treatment treatment,
        Optional<QuietWait> quietWait) {

    RunInfo info(RunFacts facts) {
        return new RunInfo(
                RunInfo.SCHEMA_VERSION,
                lab.kilnVersion(),
                experiment.name(),
                experiment.variants().stream().map(Variant::name).toList(),
                planned.variant().name(),
                planned.run(),
                planned.block(),
                experiment.seed(),
                target.process().launchNanos(),
                target.process().launchEpochMillis(),
                target.process().command(),
                target.environment(),
                treatment.with(facts.aot()),
                facts.jvm(),
                target.host(),
                target.cpus(),
                load,
                experiment.protocol(),
                experiment.runs(),
                driverText(),
                facts.readyNanos(),
                facts.firstResponseNanos(),
                facts.phases(),
                facts.outcome(),
                facts.detail(),
                facts.notRecorded(),
                facts.notes(),
                driver.provenance(),
                target.remote(),
                quietWait,
                facts.referenceEnd(),
                List.of());
    }

    private String driverText() {
        LoadDriver.DriverInfo info = driver.info();
        String notes = info.notes().isEmpty() ? "" : " (" + String.join("; ", info.notes()) + ")";
        return info.name() + " " + info.version() + ": " + info.meaning() + notes;
    }
}
