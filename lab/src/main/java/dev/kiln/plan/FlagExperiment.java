package dev.kiln.plan;

import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.DatabaseSpec;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.Feeding;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.experiment.LoadTemplate.TemplateCall;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Target.JdkChoice;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.load.LoadSpec.Feed.Order;
import dev.kiln.model.load.Sending;
import dev.kiln.model.load.Sending.Http2;
import dev.kiln.model.load.Sending.Tls;
import dev.kiln.plan.Command.Whose;
import dev.kiln.plan.ExperimentFile.RunsBinder;
import dev.kiln.plan.LabBinder.CpuText;
import dev.kiln.plan.TargetDraft.Jvm;
import dev.kiln.plan.TargetDraft.Program;
import dev.kiln.plan.load.CallTexts;
import dev.kiln.plan.load.Defaults;
import dev.kiln.plan.load.EngineOptions;
import dev.kiln.plan.load.FeedFile;
import dev.kiln.plan.load.LoadBinder;
import dev.kiln.plan.load.Protocols;
import dev.kiln.plan.load.ReplayBinder;
import dev.kiln.plan.load.ShapeText;
import dev.kiln.plan.load.Sweep;
import dev.kiln.plan.text.CommandPaths;
import dev.kiln.plan.text.DurationText;
import dev.kiln.plan.text.Fields.Numbers;
import dev.kiln.plan.text.JdkBinder.JdkText;
import dev.kiln.plan.text.Names;
import dev.kiln.plan.text.Names.PlaceholderUse;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Problems.BadValue;
import dev.kiln.plan.text.ShellWords;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Supplier;

/**
 * A FlagExperiment is an experiment as the command line has it, its texts not yet checked; what is absent takes its
 * default.
 *
 * @param base what relative paths are relative to, and where the command runs
 * @param cpus {@code auto}, or {@code target=0-3,load=4,5,database=6}
 */
public record FlagExperiment(
        Path base, String name, Launch launch, Variants variants, Load load, Optional<String> cpus) {
    /**
     * A Launch is the command of the target, with what it runs in and what shows that it is ready.
     *
     * @param environment each {@code NAME=value}
     * @param ready a URL, {@code port:PORT} or {@code log:REGEX}
     */
    public record Launch(
            List<String> command,
            List<String> environment,
            Optional<String> jdk,
            Optional<String> ready,
            Optional<String> readyTimeout) {}

    /**
     * Variants are the texts from which the experiment's variants are made.
     *
     * @param flags each {@code name=JVM flags}; a variant {@code baseline} without flags comes before them
     * @param only leaves that baseline out
     * @param modifiers each {@code name=modifier,...} of a variant, which need not be among {@code flags}
     */
    public record Variants(List<String> flags, boolean only, List<String> modifiers) {}

    /**
     * A Load is the texts that describe the load.
     *
     * @param connections none is the default, several are a sweep
     */
    public record Load(
            String url,
            List<Integer> connections,
            Optional<String> rate,
            Optional<String> timeout,
            Optional<String> slo,
            Optional<String> ca,
            boolean insecure,
            Http http,
            Optional<String> arrivals,
            Optional<Rows> feed,
            Optional<String> success) {
        /**
         * Rows are a file that requests have their values from.
         *
         * @param recorded whether it is a recording to replay, rather than a feed
         */
        public record Rows(String file, boolean recorded) {
            public static Optional<Rows> of(Optional<String> feed, Optional<String> replay) {
                if (feed.isPresent() && replay.isPresent()) {
                    throw KilnException.usage(
                            "--feed beside --replay: the values of a recording are its own", "leave one out");
                }
                return replay.map(file -> new Rows(file, true)).or(() -> feed.map(file -> new Rows(file, false)));
            }
        }

        private Optional<String> file(boolean recorded) {
            return feed.filter(rows -> rows.recorded == recorded).map(Rows::file);
        }

        /**
         * An Http says which version of HTTP the load uses.
         *
         * @param streams of each connection, with HTTP/2 only
         */
        public record Http(boolean http2, Optional<String> streams) {
            public static final Http HTTP_1 = new Http(false, Optional.empty());

            Optional<Http2> http2OrNone() {
                if (streams.isPresent() && !http2) {
                    throw KilnException.usage("--streams without --http2", "add --http2, or leave --streams out");
                }
                String expected = "a whole number from 1 to " + Http2.MOST_STREAMS;
                long each = flag(
                        "--streams",
                        () -> streams.map(text -> Numbers.integer(text, 1, Http2.MOST_STREAMS, expected))
                                .orElse(1L));
                return http2 ? Optional.of(new Http2((int) each)) : Optional.empty();
            }
        }

        Optional<Tls> tls(Path base) {
            return ca.isEmpty() && !insecure
                    ? Optional.empty()
                    : Optional.of(new Tls(
                            ca.map(file -> flag("--ca", () -> LoadBinder.certificates(base, file))), insecure));
        }
    }

    /**
     * Checks every text and makes an experiment of them.
     *
     * @throws KilnException that names the flag that is wrong, and what was expected
     */
    public Experiment toExperiment() {
        LoadTemplate template = template();
        Experiment one = new Experiment(
                flag("--name", () -> Names.check(name)),
                bindVariants(template),
                Protocols.usual(),
                template,
                new Experiment.Setting(
                        new DatabaseSpec.None(),
                        flag("--cpus", () -> cpus.map(CpuText::request).orElseGet(CpuRequest::auto))),
                Runs.fixed(Defaults.RUNS),
                Defaults.SEED,
                List.of());
        return load.connections.size() < 2 ? one : Sweep.over(one, load.connections);
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

    /**
     * Reads the value of {@code --jdks}, which may stand beside a file too. A version that is missing is left out, with
     * a note.
     */
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

    private LoadTemplate template() {
        Optional<FeedFile> feed = load.file(false)
                .map(file ->
                        flag("--feed", () -> FeedFile.read(base, file, Order.SEQUENTIAL, LoadTemplate.DEFAULT_SEED)));
        Optional<Feeding> recording =
                load.file(true).map(file -> ReplayBinder.option(base, file, load.rate, load.arrivals));
        CallTexts texts = new CallTexts(feed, false);
        List<TemplateCall> calls = List.of(LoadBinder.get(flag("--url", () -> texts.url(load.url))));
        texts.unused(calls)
                .ifPresent(unused -> flag("--feed", () -> {
                    throw new BadValue(unused);
                }));
        return new LoadTemplate(
                calls,
                sending(recording),
                LoadEngine.KILN,
                Optional.empty(),
                recording.or(() -> feed.map(FeedFile::feeding)));
    }

    private Sending sending(Optional<Feeding> recording) {
        return new Sending(
                load.connections.isEmpty() ? Defaults.CONNECTIONS : load.connections.getLast(),
                load.rate
                        .map(text -> OptionalDouble.of(flag("--rate", () -> Numbers.positive(text))))
                        .orElseGet(() -> recording.map(ReplayBinder::rate).orElseGet(OptionalDouble::empty)),
                flag("--timeout", () -> load.timeout.map(DurationText::parse).orElse(Defaults.REQUEST_TIMEOUT)),
                load.slo.map(text -> flag("--slo", () -> DurationText.slo(text))),
                load.tls(base),
                load.http.http2OrNone(),
                flag("--arrivals", () -> load.arrivals.map(ShapeText::arrivals)),
                load.success.map(text ->
                        flag("--success", () -> LoadBinder.success(List.of(text.split("\\s*,\\s*", -1))))));
    }

    private List<Variant> bindVariants(LoadTemplate template) {
        TargetDraft target = new TargetDraft(
                new Program(
                        flag("the command", this::checkedCommand),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()),
                new Jvm(
                        flag("--jdk", () -> launch.jdk.map(text -> JdkText.parse(text, base))),
                        List.of(),
                        Optional.empty()),
                flag("--env", this::environmentMap),
                List.of(),
                Optional.of(readiness()),
                List.of(),
                Optional.empty());
        Map<String, TargetDraft> drafts = withBaseline(flag("--with", () -> modified(flag("--variant", this::drafts))));
        List<Variant> bound = new ArrayList<>();
        drafts.forEach((variant, draft) -> bound.add(new Variant(
                variant,
                flag("variant " + variant, () -> draft.over(target).finish(base, PlaceholderUse.port(template))))));
        return bound;
    }

    private Command checkedCommand() {
        if (launch.command.isEmpty()) {
            throw BadValue.of("nothing after --", "the command that starts the service");
        }
        launch.command.forEach(Names::checkPlaceholders);
        return new Command(CommandPaths.checked(launch.command, base), Whose.HERE, Optional.empty());
    }

    private Map<String, String> environmentMap() {
        Map<String, String> map = new LinkedHashMap<>();
        for (String text : launch.environment) {
            Entry<String, String> setting = named(text, "NAME=value");
            map.put(setting.getKey(), Names.checkPlaceholders(setting.getValue()));
        }
        return map;
    }

    /**
     * Reads the value of {@code --ready}.
     *
     * @param text a URL, {@code port:PORT} or {@code log:REGEX}
     */
    public static ReadySign ready(String text) {
        return flag("--ready", () -> {
            Placeholders.namesIn(text).stream()
                    .filter(name -> !name.equals(Placeholders.PORT))
                    .findFirst()
                    .ifPresent(name -> {
                        throw BadValue.of("${" + name + "}", "${port}");
                    });
            return ReadinessBinder.parse(text, Defaults.READY_TIMEOUT);
        });
    }

    private ReadySign readiness() {
        Duration limit = flag(
                "--ready-timeout",
                () -> launch.readyTimeout.map(DurationText::parse).orElse(Defaults.READY_TIMEOUT));
        return flag(
                "--ready",
                () -> launch.ready
                        .map(text -> ReadinessBinder.parse(text, limit))
                        .orElseGet(() -> new ReadySign.FirstResponse(limit)));
    }

    private Map<String, TargetDraft> drafts() {
        Map<String, TargetDraft> drafts = new LinkedHashMap<>();
        for (String text : variants.flags) {
            Entry<String, String> given = named(text, "a name and JVM flags, such as 'vt=-Dsome.switch=true -Xmx512m'");
            String variant = Names.check(given.getKey().strip());
            List<String> flags = ShellWords.split(Names.checkPlaceholders(given.getValue()));
            if (drafts.put(variant, TargetDraft.of(flags, List.of())) != null) {
                throw BadValue.of("'" + variant + "' twice", "names that differ");
            }
        }
        return drafts;
    }

    private Map<String, TargetDraft> modified(Map<String, TargetDraft> drafts) {
        for (String text : variants.modifiers) {
            Entry<String, String> given = named(text, "a variant's name and modifiers, such as 'quiet=xbatch,cpus:1'");
            String variant = Names.check(given.getKey().strip());
            TargetDraft draft = drafts.getOrDefault(variant, TargetDraft.empty());
            drafts.put(variant, draft.with(Modifiers.list(given.getValue())));
        }
        return drafts;
    }

    private Map<String, TargetDraft> withBaseline(Map<String, TargetDraft> drafts) {
        if (variants.only && drafts.isEmpty()) {
            throw KilnException.usage("--only-variants without a variant", "add one with --variant");
        }
        if (variants.only || drafts.containsKey(Defaults.VARIANT)) {
            return drafts;
        }
        Map<String, TargetDraft> withBaseline = new LinkedHashMap<>();
        withBaseline.put(Defaults.VARIANT, TargetDraft.empty());
        withBaseline.putAll(drafts);
        return withBaseline;
    }

    private static Entry<String, String> named(String text, String expected) {
        int equals = text.indexOf('=');
        if (equals < 1) {
            throw BadValue.of("'" + text + "'", expected);
        }
        return Map.entry(text.substring(0, equals), text.substring(equals + 1));
    }

    private static <T> T flag(String flag, Supplier<T> parse) {
        return Problems.option(flag, "kiln run --help lists the options", parse);
    }

    /** Engines is the list of the names of all engines, for the help of a command. */
    public static final class Engines extends ArrayList<String> {
        private static final long serialVersionUID = 1L;

        public Engines() {
            super(Arrays.stream(LoadEngine.values()).map(LoadEngine::id).toList());
        }
    }
}
