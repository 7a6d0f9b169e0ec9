package dev.kiln.cli.run;

import dev.kiln.cli.console.Outputs;
import dev.kiln.cli.console.ResultConsole;
import dev.kiln.compare.Gates;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.GateSpec;
import dev.kiln.plan.ExperimentFile;
import dev.kiln.plan.ObserverEffect;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kiln run} runs an experiment from a file, or from flags and a command. */
@Command(
        name = "run",
        description = "Runs an experiment: from a file, or of any service from options and its command.",
        sortOptions = false,
        mixinStandardHelpOptions = true,
        customSynopsis = {
            "kiln run EXPERIMENT.yaml [--runs N] [--protocol P] [OPTIONS]",
            "       kiln run --url URL [OPTIONS] -- COMMAND ARGS..."
        })
public class RunCommand implements Callable<Integer> {
    @Parameters(paramLabel = "EXPERIMENT.yaml | -- COMMAND ARGS...", description = "What to run.", arity = "0..*")
    private List<String> words = List.of();

    @ArgGroup(validate = false, heading = "%nHow it runs, with or without an experiment file:%n")
    private CourseOptions course = new CourseOptions();

    @ArgGroup(validate = false, heading = "%nWhat observes the target, with or without an experiment file:%n")
    private ObserveOptions observe = new ObserveOptions();

    @ArgGroup(validate = false, heading = "%nThe service and its load, without an experiment file:%n")
    private ServiceOptions service = new ServiceOptions();

    @Mixin
    private final Outputs outputs = new Outputs();

    @Mixin
    private final LiveOption live = new LiveOption();

    @Option(names = "--keep-secrets", description = Outputs.KEEP_SECRETS)
    void keepSecrets(boolean keep) {
        outputs.keepSecrets(keep);
    }

    @Mixin
    private final ResultConsole console = new ResultConsole();

    @Override
    public Integer call() {
        Experiment asked = experiment();
        Optional<GateSpec> gate = service.url().isEmpty()
                ? ExperimentFile.gate(Path.of(words.getFirst()), asked.variants())
                : Optional.empty();
        gate.ifPresent(found -> {
            Gates.requireKnown(found.tolerances());
            Gates.requireCalls(found.tolerances(), asked.load().callNames());
        });
        RunSession session = new RunSession(console, outputs, live.address());
        int exit = run(session, observe.on(asked), console);
        if (session.recorded().isEmpty() || exit == LabSession.INTERRUPTED) {
            return exit;
        }
        boolean failed = gate.isPresent()
                && new GatesOfRun(gate.get(), console.after(), console.err(), console.style())
                        .print(session.recorded().get());
        return failed ? Math.max(exit, Exit.PROBLEM.code()) : exit;
    }

    /** Runs the experiment, and prints what observing it cost if that was asked for; returns the exit code. */
    static int run(RunSession session, Experiment wanted, ResultConsole console) {
        int exit = session.run(wanted);
        if (ObserverEffect.is(wanted) && exit != LabSession.INTERRUPTED) {
            session.recorded().ifPresent(new ObserverCost(console)::print);
        }
        return exit;
    }

    /** Sets the defaults of an experiment from flags; an experiment file has its own. */
    final void assume(String connections, String protocol, String runs) {
        if (service.url().isPresent()) {
            course.assume(connections, protocol, runs);
        }
    }

    /** Returns the words behind the options: an experiment's file, or the command that starts the service. */
    final List<String> words() {
        return words;
    }

    final ResultConsole console() {
        return console;
    }

    final Optional<String> live() {
        return live.address();
    }

    final Outputs outputs() {
        return outputs;
    }

    /** Refuses an option of {@code kiln run} that makes no sense here. */
    final void refuse(String option, String remedy) {
        if (console.parsed().hasMatchedOption(option)) {
            throw KilnException.usage(option + " cannot be given to " + name(), remedy);
        }
    }

    /** Returns the command that was given, such as {@code kiln sweep}. */
    final String name() {
        return console.parsed().commandSpec().qualifiedName();
    }

    /** Returns the beginning of an example call, before what is to be run. */
    String example() {
        return name();
    }

    final Experiment wanted() {
        return observe.on(experiment());
    }

    private Experiment experiment() {
        if (service.url().isPresent()) {
            return course.on(service.experiment(words, course.connections()));
        }
        if (words.size() != 1) {
            throw KilnException.usage(
                    words.isEmpty() ? "nothing to run" : "no --url for the load of this command",
                    example() + " EXPERIMENT.yaml, or " + example()
                            + " --url http://localhost:8080/path -- java -jar app.jar");
        }
        refuseServiceBeside(words.getFirst());
        return course.on(course.read(Path.of(words.getFirst())));
    }

    /** Refuses options of a service beside a file: they would be silently ignored. */
    private void refuseServiceBeside(String file) {
        List<String> given = console.parsed().matchedOptions().stream()
                .filter(option ->
                        option.userObject() instanceof Field field && field.getDeclaringClass() == ServiceOptions.class)
                .map(OptionSpec::longestName)
                .distinct()
                .toList();
        if (!given.isEmpty()) {
            throw KilnException.usage(
                    String.join(", ", given) + " cannot be given with an experiment file",
                    "write it into " + file + "; " + name() + " --help says which options are allowed with a file");
        }
    }
}
