package dev.kiln.run;

import dev.kiln.console.Console;
import dev.kiln.console.Installation;
import dev.kiln.console.NextStep;
import dev.kiln.explain.study.Precision;
import dev.kiln.host.proc.CpuHalves;
import dev.kiln.host.proc.CpuPlanner;
import dev.kiln.host.proc.Topology;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.model.CpuAssignment;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.plan.AttachRules;
import dev.kiln.plan.ExperimentFile;
import dev.kiln.plan.PlanText;
import dev.kiln.plan.Schedule;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code kiln plan} says what would run, and runs nothing. */
@Command(
        name = "plan",
        description = "Prints what an experiment file would run, in which order and for how long; runs nothing.",
        sortOptions = false,
        mixinStandardHelpOptions = true)
public final class PlanCommand implements Callable<Integer> {
    @Parameters(paramLabel = "EXPERIMENT.yaml", description = "The experiment file.")
    private Path file = Path.of("");

    @Mixin
    private final Console console = new Console();

    @Override
    public Integer call() {
        CourseOptions.requireHere(file);
        Workloads workloads = new Workloads(Installation.root().resolve("workloads"));
        Experiment experiment = decisive(workloads.onTheirJdks(ExperimentFile.read(file)));
        console.out().print(PlanText.render(experiment, Schedule.of(experiment)));
        console.out().print("\n" + cpus(experiment));
        VariantJdks jdks = new VariantJdks(new JdkFinder());
        OptionalVariants.Sorted sorted = new OptionalVariants(jdks, workloads).sort(experiment);
        Stream.of(jdks.told(experiment), sorted.leftOut(), remaining(experiment, sorted))
                .flatMap(List::stream)
                .forEach(line -> console.out().print(line + "\n"));
        console.out().print("\n");
        console.next(NextStep.run(file));
        return 0;
    }

    private static Experiment decisive(Experiment experiment) {
        return experiment.with(
                Precision.runs(experiment.runs(), experiment.variants().size()));
    }

    private static List<String> remaining(Experiment experiment, OptionalVariants.Sorted here) {
        if (here.leftOut().isEmpty() || here.present().isEmpty()) {
            return List.of();
        }
        Experiment rest = decisive(experiment.with(here.present()));
        return List.of("on this machine: " + PlanText.extent(rest, Schedule.of(rest)));
    }

    private static String cpus(Experiment experiment) {
        Topology machine = Topology.ofThisMachine();
        if (experiment.isDuet()) {
            List<Topology> halves = CpuHalves.of(machine);
            return cpus("first half of the CPUs", CpuPlanner.assign(experiment.cpus(), halves.getFirst()))
                    + cpus("second half", CpuPlanner.assign(experiment.cpus(), halves.getLast()));
        }
        CpuAssignment here = CpuPlanner.assign(experiment.cpus(), machine);
        return AttachRules.startedByOthers(experiment.variants())
                ? "CPUs of this machine: load " + list(here.load()) + "; the target stays on those that it has\n"
                : cpus("CPUs of this machine", here);
    }

    private static String cpus(String which, CpuAssignment here) {
        String shared = here.notes().isEmpty() ? "" : " (" + String.join("; ", here.notes()) + ")";
        return which + ": "
                + (here.target().isEmpty() ? "" : "target " + list(here.target()) + ", ") + "load " + list(here.load())
                + ", database "
                + list(here.database()) + shared + "\n";
    }

    private static String list(List<Integer> cpus) {
        return cpus.stream().map(String::valueOf).collect(Collectors.joining(","));
    }
}
