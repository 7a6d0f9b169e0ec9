package dev.kiln.plan;

import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.Experiment;
import dev.kiln.model.Experiment.DatabaseSpec;
import dev.kiln.model.Experiment.Runs;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.LoadTemplate;
import dev.kiln.model.LoadTemplate.LoadEngine;
import dev.kiln.model.Protocol;
import dev.kiln.model.Target.Readiness;
import dev.kiln.model.Variant;
import dev.kiln.plan.ExperimentFile.RunsBinder;
import dev.kiln.plan.JdkBinder.JdkText;
import dev.kiln.plan.LabBinder.CpuText;
import dev.kiln.plan.Modifiers.Numbers;
import dev.kiln.plan.Names.PlaceholderUse;
import dev.kiln.plan.Names.UrlText;
import dev.kiln.plan.Problems.BadValue;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * An experiment as the command line has it, its texts not yet looked at; what is absent takes its default.
 *
 * @param base what relative paths are relative to, and where the command runs
 * @param variants each {@code name=JVM flags}; a variant {@code baseline} without flags comes before them
 * @param onlyVariants leaves that baseline out
 * @param modifiers each {@code name=modifier,...} of a variant, which need not be among {@code variants}
 * @param protocol a name, or phases such as {@code load=20s,pause=5s,load=10s}
 * @param cpus {@code auto}, or {@code target=0-3,load=4,5,database=6}
 * @param environment each {@code NAME=value}
 * @param ready a URL, {@code port:PORT} or {@code log:REGEX}
 */
public record FlagExperiment(
        Path base,
        String name,
        List<String> command,
        String url,
        OptionalInt connections,
        OptionalDouble rate,
        Optional<String> timeout,
        List<String> variants,
        boolean onlyVariants,
        List<String> modifiers,
        Optional<String> protocol,
        Optional<String> runs,
        OptionalLong seed,
        Optional<String> jdk,
        Optional<String> cpus,
        List<String> environment,
        Optional<String> ready,
        Optional<String> readyTimeout) {
    public FlagExperiment {
        command = List.copyOf(command);
        variants = List.copyOf(variants);
        modifiers = List.copyOf(modifiers);
        environment = List.copyOf(environment);
    }

    /**
     * Checks every text and puts them together.
     *
     * @throws KilnException that names the flag that is wrong, and what was expected
     */
    public Experiment toExperiment() {
        LoadTemplate load = load();
        return new Experiment(
                flag("--name", () -> Names.check(name)),
                bindVariants(load),
                protocol.map(FlagExperiment::protocol).orElseGet(Defaults::protocol),
                load,
                new Experiment.Setting(
                        new DatabaseSpec.None(),
                        flag("--cpus", () -> cpus.map(CpuText::request).orElseGet(CpuRequest::auto))),
                runs.map(FlagExperiment::runs).orElseGet(() -> Runs.fixed(Defaults.RUNS)),
                seed.orElse(Defaults.SEED),
                List.of());
    }

    /** The value of {@code --runs}, which may stand beside a file too. */
    public static Runs runs(String text) {
        return flag("--runs", () -> RunsBinder.parse(text));
    }

    /** The value of {@code --protocol}, which may stand beside a file too. */
    public static Protocol protocol(String text) {
        return flag("--protocol", () -> Protocols.parse(text));
    }

    /** The value of {@code --engine}, which may stand beside a file too. */
    public static LoadEngine engine(String text) {
        return flag("--engine", () -> EngineOptions.engine(text));
    }

    private LoadTemplate load() {
        return new LoadTemplate(
                List.of(LoadBinder.get(flag("--url", () -> UrlText.check(url)))),
                flag("--connections", () -> atLeastOne(connections.orElse(Defaults.CONNECTIONS))),
                rate.isEmpty()
                        ? rate
                        : OptionalDouble.of(
                                flag("--rate", () -> Numbers.positive(Double.toString(rate.getAsDouble())))),
                flag("--timeout", () -> timeout.map(DurationText::parse).orElse(Defaults.REQUEST_TIMEOUT)));
    }

    private static int atLeastOne(int number) {
        if (number < 1) {
            throw BadValue.of("'" + number + "'", "a whole number of at least 1");
        }
        return number;
    }

    private List<Variant> bindVariants(LoadTemplate load) {
        TargetDraft target = new TargetDraft(
                flag("the command", () -> checkedCommand()),
                Optional.empty(),
                Optional.empty(),
                flag("--env", this::environmentMap),
                Optional.empty(),
                flag("--jdk", () -> jdk.map(text -> JdkText.parse(text, base))),
                List.of(),
                List.of(),
                Optional.of(readiness()),
                List.of(),
                Optional.empty(),
                Optional.empty());
        Map<String, TargetDraft> drafts = withBaseline(flag("--with", () -> modified(flag("--variant", this::drafts))));
        List<Variant> bound = new ArrayList<>();
        drafts.forEach((variant, draft) -> bound.add(new Variant(
                variant,
                flag("variant " + variant, () -> draft.over(target).finish(base, PlaceholderUse.port(load))))));
        return bound;
    }

    private List<String> checkedCommand() {
        if (command.isEmpty()) {
            throw BadValue.of("nothing after --", "the command that starts the service");
        }
        command.forEach(Names::checkPlaceholders);
        return CommandPaths.resolve(command, base);
    }

    private Map<String, String> environmentMap() {
        Map<String, String> map = new LinkedHashMap<>();
        for (String setting : environment) {
            int equals = setting.indexOf('=');
            if (equals < 1) {
                throw BadValue.of("'" + setting + "'", "NAME=value");
            }
            map.put(setting.substring(0, equals), Names.checkPlaceholders(setting.substring(equals + 1)));
        }
        return map;
    }

    private Readiness readiness() {
        Duration limit = flag(
                "--ready-timeout", () -> readyTimeout.map(DurationText::parse).orElse(Defaults.READY_TIMEOUT));
        return flag(
                "--ready",
                () -> ready.map(text -> ReadinessBinder.parse(text, limit))
                        .orElseGet(() -> new Readiness.FirstResponse(limit)));
    }

    private Map<String, TargetDraft> drafts() {
        Map<String, TargetDraft> drafts = new LinkedHashMap<>();
        for (String text : variants) {
            int equals = text.indexOf('=');
            if (equals < 1) {
                throw BadValue.of("'" + text + "'", "a name and JVM flags, such as 'vt=-Dsome.switch=true -Xmx512m'");
            }
            String variant = Names.check(text.substring(0, equals).strip());
            List<String> flags = ShellWords.split(Names.checkPlaceholders(text.substring(equals + 1)));
            if (drafts.put(variant, TargetDraft.of(flags, List.of())) != null) {
                throw BadValue.of("'" + variant + "' twice", "names that differ");
            }
        }
        return drafts;
    }

    private Map<String, TargetDraft> modified(Map<String, TargetDraft> drafts) {
        for (String text : modifiers) {
            int equals = text.indexOf('=');
            if (equals < 1) {
                throw BadValue.of("'" + text + "'", "a variant's name and modifiers, such as 'quiet=xbatch,cpus:1'");
            }
            String variant = Names.check(text.substring(0, equals).strip());
            TargetDraft draft = drafts.getOrDefault(variant, TargetDraft.empty());
            drafts.put(variant, draft.with(Modifiers.list(text.substring(equals + 1))));
        }
        return drafts;
    }

    private Map<String, TargetDraft> withBaseline(Map<String, TargetDraft> drafts) {
        if (onlyVariants && drafts.isEmpty()) {
            throw new KilnException(
                    Exit.USAGE,
                    "--variant: "
                            + BadValue.of("--only-variants without any", "at least one")
                                    .text(),
                    "kiln run --help lists the flags.");
        }
        if (onlyVariants || drafts.containsKey(Defaults.VARIANT)) {
            return drafts;
        }
        Map<String, TargetDraft> withBaseline = new LinkedHashMap<>();
        withBaseline.put(Defaults.VARIANT, TargetDraft.empty());
        withBaseline.putAll(drafts);
        return withBaseline;
    }

    private static <T> T flag(String flag, Supplier<T> parse) {
        try {
            return parse.get();
        } catch (BadValue e) {
            throw new KilnException(Exit.USAGE, flag + ": " + e.text(), "kiln run --help lists the flags.");
        }
    }

    /** The names of all engines, for the help of a command. */
    public static final class Engines extends ArrayList<String> {
        private static final long serialVersionUID = 1L;

        public Engines() {
            super(Arrays.stream(LoadEngine.values()).map(LoadEngine::id).toList());
        }
    }
}
