package dev.kiln.maven;

import dev.kiln.build.GateStep;
import dev.kiln.build.Outcome;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.jspecify.annotations.Nullable;

/** The goal runs an experiment, and fails the build if the service got worse. Runs that are too few to decide are a warning. */
@Mojo(name = "gate", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
public final class GateMojo extends AbstractMojo {
    /** The experiment file. */
    @Parameter(property = "kiln.experiment", required = true)
    private @Nullable File experiment;

    /** The file of tolerances. Without it the {@code gate:} of the experiment file decides, and a file that has none is refused. */
    @Parameter(property = "kiln.tolerance")
    private @Nullable File tolerance;

    /**
     * The baseline: a folder of results, {@code folder:variant} or a table. Without it, the first of the experiment's two variants
     * is the baseline of the second.
     */
    @Parameter(property = "kiln.baseline")
    private @Nullable String baseline;

    /** The folder for what Kiln records. */
    @Parameter(property = "kiln.results", defaultValue = "${project.build.directory}/kiln", required = true)
    private @Nullable File results;

    /** The program that starts Kiln. Without it, that of the environment variable {@code KILN}, or {@code kiln}. */
    @Parameter(property = "kiln.launcher")
    private @Nullable String launcher;

    /** Fails the build where the runs are too few to decide; without it that is a warning. */
    @Parameter(property = "kiln.failUndecided", defaultValue = "false")
    private boolean failUndecided;

    /** Further options for the command that runs the experiment. */
    @Parameter(property = "kiln.arguments")
    private List<String> arguments = List.of();

    /** Leaves the gate out. */
    @Parameter(property = "kiln.skip", defaultValue = "false")
    private boolean skip;

    @Override
    public void execute() throws MojoExecutionException, MojoFailureException {
        if (skip) {
            getLog().info("the gate is left out: kiln.skip");
            return;
        }
        Outcome outcome = run();
        switch (outcome.verdict()) {
            case PASSED -> outcome.report().ifPresent(file -> getLog().info("Report: " + file));
            case UNDECIDED -> {
                if (failUndecided) {
                    throw new MojoFailureException(outcome.told());
                }
                getLog().warn(outcome.told() + "\nThe build goes on; kiln.failUndecided would end it.");
            }
            case FAILED -> throw new MojoFailureException(outcome.told());
        }
    }

    private Outcome run() throws MojoExecutionException {
        try {
            return new GateStep(
                            Objects.requireNonNull(experiment).toPath(),
                            Optional.ofNullable(tolerance).map(File::toPath),
                            Optional.ofNullable(baseline),
                            Objects.requireNonNull(results).toPath(),
                            GateStep.launcher(launcher == null ? "" : launcher),
                            arguments)
                    .run(getLog()::info);
        } catch (IOException | IllegalArgumentException e) {
            throw new MojoExecutionException(e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MojoExecutionException("the experiment was interrupted", e);
        }
    }
}
