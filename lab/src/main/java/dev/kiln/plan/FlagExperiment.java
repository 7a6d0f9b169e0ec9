package dev.kiln.plan;

import dev.kiln.engines.Engines;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Target.JdkChoice;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.plan.ExperimentBinder.RunsBinder;
import dev.kiln.plan.load.Defaults;
import dev.kiln.plan.load.EngineOptions;
import dev.kiln.plan.load.Protocols;
import dev.kiln.plan.text.Fields;
import dev.kiln.plan.text.JdkBinder.JdkText;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Problems.BadValue;
import dev.kiln.plan.text.Section;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A FlagExperiment is an experiment as the command line has it. It becomes the map that a file would have, in which
 * each value knows its flag, and so has the rules and defaults of a file.
 */
public final class FlagExperiment {
    private static final String HELP = "kiln run --help lists the options";

    private final Path base;
    private final List<String> command;
    private final String help;
    private final Map<ServiceFlag, List<String>> given = new EnumMap<>(ServiceFlag.class);

    /** @param base what relative paths are relative to, and where the command runs */
    public FlagExperiment(Path base, List<String> command) {
        this(base, command, HELP);
    }

    /** @param help what lists the flags, for a command that has other ones than {@code kiln run} */
    public FlagExperiment(Path base, List<String> command, String help) {
        this.base = base;
        this.command = List.copyOf(command);
        this.help = help;
    }

    /** Adds a flag with each of these values, of which there may be none. */
    public FlagExperiment with(ServiceFlag flag, List<String> texts) {
        if (!texts.isEmpty()) {
            given.computeIfAbsent(flag, none -> new ArrayList<>()).addAll(texts);
        }
        return this;
    }

    /** Adds a flag with its value, where there is one. */
    public FlagExperiment with(ServiceFlag flag, Optional<String> text) {
        return with(flag, text.stream().toList());
    }

    public FlagExperiment with(ServiceFlag flag, String text) {
        return with(flag, List.of(text));
    }

    /** Adds a flag that has no value, if it is set. */
    public FlagExperiment with(ServiceFlag flag, boolean set) {
        return set ? with(flag, "true") : this;
    }

    /** Makes an experiment of all texts, or throws with each flag that is wrong, and what was expected. */
    public Experiment toExperiment() {
        refuse();
        Problems problems = Problems.ofFlags(help);
        return Fields.of(new FlagTree(given, command, problems).root(), Section.EXPERIMENT, "a map", problems)
                .map(fields -> new ExperimentBinder(base, "run", problems).bind(fields, Optional.empty()))
                .orElseThrow();
    }

    /** Refuses flags that do not go together, in the words of the command line. */
    private void refuse() {
        if (has(ServiceFlag.FEED) && has(ServiceFlag.REPLAY)) {
            throw KilnException.usage("--feed beside --replay: the values of a recording are its own", "leave one out");
        }
        if (has(ServiceFlag.REPLAY) && (has(ServiceFlag.RATE) || has(ServiceFlag.ARRIVALS))) {
            throw KilnException.usage(
                    (has(ServiceFlag.RATE) ? "--rate" : "--arrivals") + " beside --replay: the recording has the times",
                    "leave one out; 'replay: {speed: 2}' in an experiment file sends twice as fast");
        }
        if (has(ServiceFlag.STREAMS) && !has(ServiceFlag.HTTP2)) {
            throw KilnException.usage("--streams without --http2", "add --http2, or leave --streams out");
        }
        if (has(ServiceFlag.ONLY_VARIANTS) && !has(ServiceFlag.VARIANT) && !has(ServiceFlag.MODIFIERS)) {
            throw KilnException.usage("--only-variants without a variant", "add one with --variant");
        }
        if (!command.isEmpty() && has(ServiceFlag.ATTACH)) {
            throw KilnException.usage(
                    "--attach beside a command: the service runs already, or Kiln starts it",
                    "leave one of the two out");
        }
        if (command.isEmpty() && !has(ServiceFlag.ATTACH)) {
            throw KilnException.usage(
                    "the command: found nothing after --, expected the command that starts the service, or --attach with"
                            + " a service that runs already",
                    help);
        }
    }

    /** Reads the value of {@code --runs}, which may stand beside a file too. */
    public static Runs runs(String text) {
        return flag("--runs", () -> RunsBinder.parse(text));
    }

    /** Reads the value of {@code --protocol}, which may stand beside a file too. */
    public static Protocol protocol(String text) {
        return flag("--protocol", () -> Protocols.parse(text));
    }

    /** Reads the value of {@code --engine}, which may stand beside a file too. */
    public static LoadEngine engine(String text) {
        return flag("--engine", () -> EngineOptions.engine(text));
    }

    /** Reads {@code --jdks}, which may stand beside a file too. A missing version is left out, with a note. */
    public static List<JdkChoice> jdks(String text) {
        return flag(
                "--jdks",
                () -> Arrays.stream(text.split(",", -1))
                        .map(one -> JdkText.parse(one.strip(), Path.of("").toAbsolutePath()))
                        .map(jdk -> jdk instanceof JdkChoice.Version some
                                ? (JdkChoice) new JdkChoice.Version(some.version(), true)
                                : jdk)
                        .distinct()
                        .toList());
    }

    /** Reads the value of {@code --ready}: a URL, {@code port:PORT} or {@code log:REGEX}. */
    public static ReadySign ready(String text) {
        flag("--ready", () -> {
            Placeholders.namesIn(text).stream()
                    .filter(name -> !name.equals(Placeholders.PORT))
                    .findFirst()
                    .ifPresent(name -> {
                        throw BadValue.of("${" + name + "}", "${port}");
                    });
            return text;
        });
        return ReadinessBinder.option("--ready", text, Defaults.READY_TIMEOUT, HELP);
    }

    private boolean has(ServiceFlag flag) {
        return given.containsKey(flag);
    }

    private static <T> T flag(String flag, Supplier<T> parse) {
        return Problems.option(flag, HELP, parse);
    }

    /** EngineNames is the list of the names of all engines, for the help of a command. */
    public static final class EngineNames extends ArrayList<String> {
        private static final long serialVersionUID = 1L;

        public EngineNames() {
            super(Engines.names().stream().map(LoadEngine::id).toList());
        }
    }
}
