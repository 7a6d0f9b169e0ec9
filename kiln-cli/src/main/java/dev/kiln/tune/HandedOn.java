package dev.kiln.tune;

import dev.kiln.host.process.UserCommand;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.experiment.Hook.HookMoment;
import dev.kiln.model.experiment.JvmOptions;
import dev.kiln.model.experiment.JvmOptions.ToolOptions;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.experiment.SetEnv;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.run.Machine.JvmInfo;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.plan.Changes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * HandedOn finds out whether the command that starts a service of others' anew hands a variable of its environment on to it. All
 * that a search tries there comes by that variable, so one short run shows it before the first that counts.
 *
 * @param stage of that run
 */
record HandedOn(Experiment experiment, TuneStage stage) {
    static final String STAGE = "0-handed-on";
    private static final String NAME = "handed-on";

    /** Nobody reads this property. */
    private static final String MARK = "-Dkiln.handed-on=true";

    private static final Duration LOAD = Duration.ofSeconds(3);

    /** A GlimpsedRun makes one run, however little of the budget is left. */
    interface GlimpsedRun {
        /** Returns what a new run of the only variant showed. */
        RunEvidence of(String stage, Experiment alone);
    }

    /** Returns an experiment of one short run of a variant, whose figures nobody needs. */
    static Experiment brief(Experiment of, Variant variant) {
        return of.with(List.of(variant.withoutClosing()))
                .with(Runs.fixed(1).withRepeats(false))
                .with(new Protocol(NAME, List.of(new Phase.Load("load", LOAD))));
    }

    /** Says what a search of such a service can try, in a line before its first run. */
    static Optional<String> plan(Target target) {
        boolean elsewhere = target.where().elsewhere().isPresent();
        return restart(target)
                .map(restart -> "what is tried goes to the service by " + ToolOptions.NAME + handed(target, restart)
                        + "; one short run shows first that it comes there. Not tried, because Kiln changes nothing"
                        + " of a process that it does not start"
                        + (elsewhere ? ", and has the rights of the container alone where this one runs" : "")
                        + ": favoured compilers, CPUs, limits of CPU and memory, CPU boosts"
                        + (RestartedBy.of(target).starter().isKubectl()
                                ? " (an in-place resize of the pod is not built)"
                                : "")
                        + "; and no AOT caches, whose file would have to be where the service is");
    }

    private static String handed(Target target, String restart) {
        return SetEnv.of(target).isPresent()
                ? ": " + restart + " sets it in the deployment for each run, with another number in " + SetEnv.MARK
                        + " so that new pods start, and takes both back at the end; each change makes a ReplicaSet, for which an old"
                        + " one leaves the deployment's history"
                : " in the environment of " + restart;
    }

    /** Returns the restart command in words; empty where Kiln starts the service itself. */
    static Optional<String> restart(Target target) {
        return target.hook(HookMoment.RESTART)
                .map(hook -> new UserCommand(hook.moment().key(), hook.command(), hook.folder(), Map.of()).text());
    }

    private Variant baseline() {
        return experiment.variants().getFirst();
    }

    /**
     * Makes the run, unless an earlier search has shown it.
     *
     * @return what is to be said where the run does not show it
     * @throws KilnException if the variable does not come to the service
     */
    Optional<String> show(GlimpsedRun lab) {
        Optional<String> restart = restart(baseline().target());
        if (restart.isEmpty() || stage.last(NAME).filter(HandedOn::arrived).isPresent()) {
            return Optional.empty();
        }
        RunEvidence run = lab.of(STAGE, brief(experiment, Changes.of(baseline(), NAME, Change.flags(MARK))));
        if (run.info().jvm().isEmpty() && run.info().course().outcomeDetail().isPresent()) {
            throw KilnException.problem(
                    "the run that was to show whether " + restart.get() + " hands " + ToolOptions.NAME
                            + " on came to nothing: "
                            + run.info().course().outcomeDetail().get(),
                    "kiln run shows the same; its folder is " + stage.folder());
        }
        if (run.info().jvm().isEmpty()) {
            return Optional.of("Kiln sees no JVM in the service, so whether " + restart.get() + " hands "
                    + ToolOptions.NAME + " on does not show");
        }
        if (!arrived(run) && !run.info().jvm().map(Applicability::tellsAll).orElse(false)) {
            return Optional.of("the JVM tells only the beginning of its arguments, so whether " + restart.get()
                    + " hands " + ToolOptions.NAME + " on does not show");
        }
        if (!arrived(run)) {
            throw KilnException.problem(
                    restart.get() + " did not hand " + ToolOptions.NAME + " on to the service: the JVM was not given "
                            + MARK + ", so nothing can be tried",
                    RestartedBy.of(baseline().target()).starter().advice());
        }
        return Optional.empty();
    }

    private static boolean arrived(RunEvidence run) {
        return run.info().jvm().filter(jvm -> jvm.flags().contains(MARK)).isPresent();
    }

    /**
     * Checks that the service keeps with the variable what it has without it.
     *
     * @param first stage with runs of the baseline
     */
    void requireNothingLost(TuneStage first) {
        Optional<JvmInfo> with = jvm(stage, NAME);
        List<String> lost = jvm(first, baseline().name())
                .flatMap(without -> with.map(other -> lost(without, other)))
                .orElse(List.of());
        if (!lost.isEmpty()) {
            String flags = String.join(" ", lost);
            throw KilnException.problem(
                    "with " + ToolOptions.NAME
                            + (SetEnv.of(baseline().target()).isPresent()
                                    ? " set in the deployment"
                                    : " in the environment of restart")
                            + ", the service has lost " + flags
                            + ": the variable took the place of the service's own",
                    "give it to the baseline as well, and Kiln adds to it: environment: {" + ToolOptions.NAME + ": '"
                            + flags + "'}");
        }
    }

    /** Returns the flags that a service was given without the variable, and was certainly not given with it. */
    static List<String> lost(JvmInfo without, JvmInfo with) {
        if (!Applicability.tellsAll(without) || !Applicability.tellsAll(with)) {
            return List.of();
        }
        return without.flags().stream()
                .filter(flag -> flag.startsWith("-"))
                .filter(flag -> with.flags().stream().noneMatch(other -> isSame(flag, other)))
                .toList();
    }

    /** Of an option whose value is another one at each start, such as the name of a file, nothing is lost. */
    private static boolean isSame(String flag, String other) {
        return flag.equals(other)
                || JvmOptions.contradict(flag, other)
                || (flag.indexOf('=') > 0 && other.startsWith(flag.substring(0, flag.indexOf('=') + 1)));
    }

    private static Optional<JvmInfo> jvm(TuneStage of, String variant) {
        return of.last(variant).flatMap(run -> run.info().jvm());
    }
}
