package dev.kiln.run;

import dev.kiln.console.Console;
import dev.kiln.console.Installation;
import dev.kiln.console.Progress;
import dev.kiln.console.ShutdownHook;
import dev.kiln.host.process.CacheFolder;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.launch.Lab;
import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.SetEnv;
import dev.kiln.model.experiment.StartupSpec;
import dev.kiln.model.experiment.Target;
import dev.kiln.plan.TimeLeft;
import dev.kiln.remote.Deployed;
import dev.kiln.runner.AotTrainer;
import dev.kiln.runner.Cancellation;
import dev.kiln.runner.Cancellation.Interrupted;
import dev.kiln.runner.ExperimentRunner;
import dev.kiln.runner.HotDriver;
import dev.kiln.runner.RunControl;
import dev.kiln.runner.RunControl.Judge;
import dev.kiln.runner.ServiceAsBefore;
import dev.kiln.runner.StartupRunner;
import dev.kiln.runner.WorkloadBuilder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** A LabSession is a command's time with the lab: progress, builds, and interruption. */
public final class LabSession {
    /** The exit code is 128 + SIGINT, as shells have it. */
    public static final int INTERRUPTED = 130;

    private final Console console;
    private final Progress progress;
    private final Secrets secrets;
    private final Cancellation cancellation = new Cancellation();
    private final RunControl control;
    private final Workloads workloads = new Workloads(Installation.root().resolve("workloads"));
    private final List<ExperimentRunner> runners = new ArrayList<>();
    private final List<ServiceAsBefore> services = new ArrayList<>();
    private Optional<Deployed> deployed = Optional.empty();
    private boolean swept;

    /** The WorkEnding says how the work ended, unless it threw. */
    public enum WorkEnding {
        COMPLETED,
        FAILED,
        INTERRUPTED;

        /** Returns the exit code of a command whose work ended so; completed work has that of what it found. */
        public int exit(int completed) {
            return switch (this) {
                case COMPLETED -> completed;
                case FAILED -> Exit.PROBLEM.code();
                case INTERRUPTED -> LabSession.INTERRUPTED;
            };
        }
    }

    public LabSession(Console console, Secrets secrets) {
        this.console = console;
        this.progress = new Progress(console);
        this.control = new RunControl(progress, cancellation, new AnalysisJudge());
        this.secrets = secrets;
    }

    /** Has the progress say how long the experiment still takes. */
    public void expect(TimeLeft left) {
        progress.expect(left);
    }

    public void note(String text) {
        progress.note(text);
    }

    /** Returns what becomes of passwords and tokens. */
    public Secrets secrets() {
        return secrets;
    }

    /** Says that the command was interrupted, then what is left of it and what to do with that. */
    public void interrupted(String then) {
        console.err().println("kiln: interrupted" + then);
    }

    /** Throws {@link Interrupted} if the user has ended the session. */
    public void check() {
        cancellation.check();
    }

    /** Runs the whole session: an interruption stops its work, and waits for what is printed at the end. */
    @SuppressWarnings("try") // the hook is only held
    public int run(IntSupplier session) {
        try (ShutdownHook hook = ShutdownHook.of("kiln-interrupt", cancellation::cancel)) {
            return session.getAsInt();
        } finally {
            cancellation.finished();
        }
    }

    /** Does the work with the lab; the work itself returns whether all went well. */
    public WorkEnding work(BooleanSupplier work) {
        try {
            return work.getAsBoolean() ? WorkEnding.COMPLETED : WorkEnding.FAILED;
        } catch (Interrupted e) {
            return WorkEnding.INTERRUPTED;
        } catch (KilnException e) {
            // What is ended under way complains; the reason is the interruption.
            if (cancellation.isCancelled()) {
                return WorkEnding.INTERRUPTED;
            }
            throw e;
        } finally {
            progress.closeLine();
        }
    }

    public boolean withLab(CpuRequest cpus, Predicate<Lab> work) {
        try (Lab lab = new Lab(Installation.version(), CacheFolder.path(), cpus, secrets, progress::note, !swept)) {
            swept = true;
            lab.swept().forEach(progress::note);
            return work.test(lab);
        }
    }

    /**
     * Returns the experiment with its JDKs and commands found, without optional variants that cannot run. What a deployment has
     * for the variables that a restart sets is read, to be put back.
     */
    public Experiment resolved(Experiment wanted) {
        return launchable(asDeployed(wanted));
    }

    /** Reads what a deployment has now, when what a killed Kiln owes is done: it would be taken for the deployment's own. */
    public Experiment asDeployed(Experiment wanted) {
        if (wanted.variants().stream()
                .allMatch(variant -> SetEnv.of(variant.target()).isEmpty())) {
            return wanted;
        }
        withLab(wanted.cpus(), lab -> {
            deployed = Deployed.of(wanted.variants());
            return true;
        });
        deployed.stream().flatMap(known -> known.notes().stream()).forEach(text -> note(secrets.text(text)));
        return deployed.map(known -> known.in(wanted)).orElse(wanted);
    }

    /** Returns the same of an experiment that was resolved before, with other variants. */
    public Experiment launchable(Experiment wanted) {
        VariantJdks jdks = new VariantJdks(new JdkFinder());
        Experiment present = new OptionalVariants(jdks, workloads).present(wanted, progress::note);
        Experiment resolved = workloads.resolve(jdks.resolve(workloads.onTheirJdks(present)));
        progress.beforeRuns(jdks.told(resolved));
        return resolved;
    }

    /** @param experiment {@link #resolved}; its workloads are built first */
    public boolean withRunner(Experiment experiment, Path folder, Predicate<ExperimentRunner> work) {
        return withLab(experiment.cpus(), lab -> {
            build(experiment);
            ExperimentRunner runner = runner(lab, experiment, folder);
            ServiceAsBefore service =
                    asBefore(lab, experiment.variants().getFirst().target(), folder);
            boolean fine;
            try (service;
                    runner) {
                deployed.ifPresent(changed -> service.changes());
                fine = work.test(runner);
            }
            return fine && !runner.hookFailed() && !service.failed();
        });
    }

    /** Makes the AOT cache of the only variant, trained by load. */
    public Path cache(Experiment wanted, Path folder) {
        Experiment experiment = resolved(wanted);
        return cache(experiment.cpus(), folder, trainer -> trainer.byLoad(experiment));
    }

    /** Makes an AOT cache that a command trains by itself. */
    public Path cache(List<String> command, AotTrainer.OwnTraining own, Path folder) {
        return cache(CpuRequest.auto(), folder, trainer -> trainer.byItself(command, own));
    }

    private Path cache(CpuRequest cpus, Path folder, Function<AotTrainer, Path> work) {
        List<Path> made = new ArrayList<>();
        withLab(cpus, lab -> {
            return made.add(work.apply(new AotTrainer(lab, folder, control)));
        });
        return made.getFirst();
    }

    public void build(Experiment experiment) {
        WorkloadBuilder builder = new WorkloadBuilder(Installation.root(), cancellation, progress);
        workloads.used(experiment).forEach(builder::build);
    }

    /** @param experiment {@link #resolved} and {@link #build built} */
    public ExperimentRunner runner(Lab lab, Experiment experiment, Path folder) {
        return known(new ExperimentRunner(lab, experiment, folder, control));
    }

    /** Makes a driver for several experiments with one load. */
    public HotDriver driver(Lab lab, LoadTemplate load) {
        return new HotDriver(lab, load, control.listener(), control.cancellation());
    }

    /** Makes a runner of an experiment among several, with their driver, and a judge made of the usual one. */
    public ExperimentRunner runner(
            Lab lab, Experiment experiment, Path folder, HotDriver driver, UnaryOperator<Judge> judging) {
        return known(ExperimentRunner.with(
                driver,
                lab,
                experiment,
                folder,
                new RunControl(control.listener(), control.cancellation(), judging.apply(control.judge()))));
    }

    private ExperimentRunner known(ExperimentRunner runner) {
        runners.add(runner);
        return runner;
    }

    /**
     * Has a service that others start run as it does now when the result is closed, whatever was tried with it until then.
     *
     * @param target of an experiment that is {@link #resolved}
     * @param folder for what its command prints
     */
    public ServiceAsBefore asBefore(Lab lab, Target target, Path folder) {
        ServiceAsBefore service = new ServiceAsBefore(lab, target, deployed, folder, control);
        services.add(service);
        return service;
    }

    /**
     * Returns the exit code of a command whose experiments have run: that of a problem at least, where a command of the
     * user's failed that no run says so of.
     *
     * @param found the code of what they show
     */
    public int exit(int found) {
        boolean failed = runners.stream().anyMatch(ExperimentRunner::hookFailed)
                || services.stream().anyMatch(ServiceAsBefore::failed);
        return failed ? Math.max(found, Exit.PROBLEM.code()) : found;
    }

    /** @param experiment {@link #resolved} and {@link #build built}; empty for commands that were typed */
    public StartupRunner starts(Lab lab, StartupSpec spec, Optional<Experiment> experiment, Path folder) {
        return new StartupRunner(lab, spec, experiment, folder, control);
    }
}
