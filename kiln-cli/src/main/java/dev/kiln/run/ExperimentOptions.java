package dev.kiln.run;

import dev.kiln.console.Outputs;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Variant.Observe;
import dev.kiln.model.experiment.Variant.Observe.RecordingChoice;
import dev.kiln.plan.AttachRules;
import dev.kiln.plan.ObserverEffect;
import dev.kiln.serve.LiveServer;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * ExperimentOptions are the arguments of every command that runs an experiment: a file, or a service with its load and
 * its command; how it runs, what observes it, and where the results go.
 */
public final class ExperimentOptions {
    private final String example;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    @Parameters(
            paramLabel = "EXPERIMENT.yaml | -- COMMAND ARGS...",
            hideParamSyntax = true,
            description = "What to run.",
            arity = "0..*")
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

    public ExperimentOptions() {
        this("");
    }

    /** @param example options that an example of this command needs, such as {@code --duration 3h}; may be empty */
    public ExperimentOptions(String example) {
        this.example = example;
    }

    /** Sets the defaults of an experiment from flags; an experiment file has its own. */
    public void assume(String connections, String protocol, String runs) {
        if (service.url().isPresent()) {
            course.assume(connections, protocol, runs);
        }
    }

    /** Returns the words behind the options: an experiment's file, or the command that starts the service. */
    public List<String> words() {
        return words;
    }

    /** Returns the experiment's file; empty if options and a command make the experiment. */
    public Optional<Path> file() {
        return service.url().isEmpty() && words.size() == 1 ? Optional.of(Path.of(words.getFirst())) : Optional.empty();
    }

    public Optional<String> live() {
        return live.address();
    }

    public Outputs outputs() {
        return outputs;
    }

    /** Refuses an option of {@code kiln run} that makes no sense for this command. */
    public void refuse(String option, String remedy) {
        if (spec().commandLine().getParseResult().hasMatchedOption(option)) {
            throw KilnException.usage(option + " cannot be given to " + name(), remedy);
        }
    }

    /** Returns the experiment that was asked for, observed as the options say; its runs follow one another. */
    public Experiment wanted() {
        Experiment asked = asked();
        if (asked.isDuet()) {
            throw KilnException.usage(
                    "duet: " + name() + " runs variants one after the other", "leave 'duet: true' out of the file");
        }
        return observed(asked);
    }

    /** Returns the experiment with what is to observe it. */
    Experiment observed(Experiment asked) {
        Experiment observed = observe.on(asked);
        AttachRules.require(observed);
        return observed;
    }

    /** Returns the experiment before anything observes it: its variants are those of its file. */
    Experiment asked() {
        if (service.url().isPresent()) {
            return course.on(service.experiment(words, course.connections()));
        }
        if (service.attaches() && words.isEmpty()) {
            throw KilnException.usage(
                    "--attach without --url: no load has anywhere to go",
                    "say where: --attach port:8080 --url http://localhost:8080/path; kiln doctor PID watches a JVM under"
                            + " the load that it has");
        }
        if (words.size() != 1) {
            String call = name() + example;
            throw KilnException.usage(
                    words.isEmpty() ? "nothing to run" : "no --url for the load of this command",
                    call + " EXPERIMENT.yaml, or " + call + " --url http://localhost:8080/path -- java -jar app.jar");
        }
        refuseServiceBeside(words.getFirst());
        return course.on(course.read(Path.of(words.getFirst())));
    }

    /** Refuses options of a service beside a file: they would be silently ignored. */
    private void refuseServiceBeside(String file) {
        List<String> given = spec().commandLine().getParseResult().matchedOptions().stream()
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

    /** Returns the command that was given, such as {@code kiln sweep}. */
    private String name() {
        return spec().qualifiedName();
    }

    private CommandSpec spec() {
        if (command == null) {
            throw new IllegalStateException("not yet set by picocli");
        }
        return command;
    }

    /** LiveOption asks for a page that shows the measurement while it runs. */
    static final class LiveOption {
        @Option(
                names = "--live",
                paramLabel = "ADDRESS",
                arity = "0..1",
                fallbackValue = LiveServer.DEFAULT,
                description =
                        "Serve a page that shows what is measured, second by second, at 127.0.0.1:8321 or at ADDRESS.")
        private Optional<String> address = Optional.empty();

        /** Returns the address at which to serve the page; empty if nobody asked for it. */
        Optional<String> address() {
            return address;
        }
    }

    /** ObserveOptions choose the instruments that observe the target from within. */
    static final class ObserveOptions {
        @Option(
                names = "--no-jit-queries",
                description = "Do not ask the JVM for its compile queues, methods by level and code cache.")
        private boolean noJitQueries;

        @Option(names = "--no-thread-dumps", description = "Do not dump the JVM's threads near the ends of loads.")
        private boolean noThreadDumps;

        @Option(
                names = "--no-closing-recording",
                description = "Do not record what runs for 5 s more, after all of a variant's first run was measured.")
        private boolean noClosingRecording;

        @Option(names = "--flight-recorder", description = "Launch with a flight recording: the JIT's own account.")
        private boolean flightRecorder;

        @Option(names = "--async-profiler", description = "Launch with async-profiler: interpreter, C1, C2 over time.")
        private boolean asyncProfiler;

        @Option(
                names = "--observer-effect",
                description = "Run the first variant with and without each instrument, and print what they cost.")
        private boolean observerEffect;

        /** Returns the experiment, observed as these options say. */
        Experiment on(Experiment experiment) {
            if (observerEffect) {
                return ObserverEffect.of(experiment);
            }
            return experiment.with(experiment.variants().stream()
                    .map(variant -> variant.with(new Observe(
                            !noJitQueries && variant.observe().jit(),
                            !noThreadDumps && variant.observe().threadDumps(),
                            flightRecorder && !variant.observe().flightRecorder()
                                    ? RecordingChoice.ON
                                    : variant.observe().recording(),
                            asyncProfiler || variant.observe().asyncProfiler(),
                            variant.observe().fullCollections(),
                            !noClosingRecording && variant.observe().closing())))
                    .toList());
        }
    }
}
