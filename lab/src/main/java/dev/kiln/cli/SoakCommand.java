package dev.kiln.cli;

import dev.kiln.evidence.StudyFile;
import dev.kiln.model.Experiment;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.SoakPlan;
import dev.kiln.plan.DurationText;
import dev.kiln.plan.ShareText;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kiln soak}: one variant under load for hours. */
@Command(
        name = "soak",
        description = {
            "Watches one variant under load for hours: leaks of memory, drift of throughput and response time, steady state,"
                    + " error budget.",
            "",
            "Takes the options of kiln run; --protocol and --runs mean nothing here."
        },
        sortOptions = false,
        mixinStandardHelpOptions = true,
        customSynopsis = {
            "kiln soak --duration 3h EXPERIMENT.yaml",
            "       kiln soak --duration 3h --url URL [OPTIONS] -- COMMAND ARGS...",
            "       kiln soak --resume RESULTS/DIR"
        })
final class SoakCommand extends RunCommand {
    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--duration", description = "Of load, such as 3h.")
    private @Nullable String duration;

    @Option(names = "--error-budget", paramLabel = "SHARE", description = "Of requests that may fail (0.1%%).")
    private String errorBudget = "0.1%";

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description = "Go on with a soak that was broken off, or render one that is over again.")
    private @Nullable Path resume;

    @Override
    public Integer call() {
        if (resume != null) {
            return resumed(resume);
        }
        if (duration == null) {
            throw new KilnException(
                    Exit.USAGE, "no --duration", "say how long, such as --duration 3h, or --resume DIR");
        }
        double seconds = DurationText.option("--duration", duration).toNanos() / 1e9;
        SoakPlan plan = new SoakPlan(
                SoakPlan.SCHEMA_VERSION,
                arguments(),
                here(),
                seconds,
                SoakPlan.windowSeconds(seconds),
                ShareText.option("--error-budget", errorBudget));
        return new SoakSession(console(), outputs()).start(experiment(), plan);
    }

    /** With the options it was begun with, which are read again. */
    private int resumed(Path folder) {
        SoakPlan plan = StudyFile.SOAK.read(folder);
        if (!plan.directory().equals(here())) {
            throw new KilnException(
                    Exit.USAGE,
                    folder + " was begun in " + plan.directory() + ", where its relative paths lead",
                    "go there first: cd " + plan.directory());
        }
        SoakCommand begun = new SoakCommand();
        new CommandLine(begun)
                .setInterpolateVariables(false)
                .parseArgs(plan.arguments().toArray(String[]::new));
        return new SoakSession(console(), outputs()).resume(begun.experiment(), plan, folder);
    }

    private Experiment experiment() {
        if (beside("--observer-effect")) {
            throw new KilnException(Exit.USAGE, "--observer-effect with kiln soak", "use kiln run");
        }
        Experiment wanted = wanted();
        if (wanted.variants().size() != 1) {
            throw new KilnException(
                    Exit.USAGE,
                    wanted.name() + " has " + wanted.variants().size() + " variants",
                    "a soak watches one: leave --variant out, or give --only-variants with one");
        }
        return wanted;
    }

    private List<String> arguments() {
        if (spec == null) {
            throw new IllegalStateException("not yet set by picocli");
        }
        List<String> all = spec.commandLine().getParseResult().originalArgs();
        return !all.isEmpty() && all.getFirst().equals("soak") ? all.subList(1, all.size()) : all;
    }

    private static String here() {
        return Path.of("").toAbsolutePath().normalize().toString();
    }
}
