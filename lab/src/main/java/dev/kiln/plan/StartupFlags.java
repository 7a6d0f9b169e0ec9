package dev.kiln.plan;

import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.StartupSpec;
import dev.kiln.model.experiment.StartupSpec.LogNumber;
import dev.kiln.model.experiment.StartupSpec.PlannedStart;
import dev.kiln.model.experiment.StartupSpec.StartSide;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Where;
import dev.kiln.plan.LabBinder.CpuText;
import dev.kiln.plan.Schedule.SplitMix;
import dev.kiln.plan.load.Defaults;
import dev.kiln.plan.text.CommandPaths;
import dev.kiln.plan.text.DurationText;
import dev.kiln.plan.text.Names;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Problems.BadValue;
import dev.kiln.plan.text.ShellWords;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A StartupFlags is a start-up comparison as the command line has it, its texts not yet checked; what is absent takes
 * its default.
 *
 * @param base what relative paths are relative to, and where the commands run
 */
public record StartupFlags(Path base, Commands commands, EndFlags end, PairFlags pairs, Conditions conditions) {
    /**
     * Commands are the commands to compare.
     *
     * @param texts each with its arguments in one text
     * @param names one each; none is {@code A}, {@code B}, {@code C} and so on
     */
    public record Commands(List<String> texts, List<String> names) {}

    /**
     * EndFlags are the moment at which a start is over, and the number that is compared.
     *
     * @param ready {@code exit}, a URL, {@code port:PORT} or {@code log:REGEX}
     * @param log regular expression whose first group is the number that is compared
     */
    public record EndFlags(
            Optional<String> ready, Optional<String> log, Optional<String> unit, Optional<String> timeout) {}

    public record PairFlags(Optional<Integer> counted, Optional<Integer> discarded, Optional<Long> seed) {}

    public record Conditions(Optional<String> cpus, boolean cold, boolean ignoreFailure) {}

    /** The default number of pairs is that of the tables that people compare with. */
    static final int PAIRS = 10;

    /** One pair is discarded by default, because the first pair fills the caches. */
    static final int DISCARD = 1;

    /** No more commands are compared, because letters name them. */
    static final int MOST = 26;

    private static final String HELP = "kiln startup --help lists the options";

    private static final Set<String> KNOWN = Set.of(Placeholders.PORT, Placeholders.RUN_DIR);

    /** Makes a comparison of all texts, or throws with the flag that is wrong, and what was expected. */
    public StartupSpec toSpec() {
        requireSeveral(
                commands.texts.size(),
                "commands",
                "quote each: kiln startup 'java -jar old.jar' 'java -jar new.jar'; or name one experiment file");
        Duration limit = timeout().orElse(Defaults.READY_TIMEOUT);
        Optional<ReadySign> readiness =
                end.ready.isEmpty() ? end.log.map(regex -> new ReadySign.LogPattern(regex, limit)) : readiness(limit);
        return spec(
                sides(), readiness, limit, cpus().orElseGet(CpuRequest::auto).withoutDatabase(), conditions.cold);
    }

    /** Makes a comparison of a file's variants, or throws with what such a comparison does not have. */
    public StartupSpec toSpec(Experiment experiment) {
        List<Variant> variants = experiment.variants();
        requireSeveral(variants.size(), "variants", "write them into the experiment file");
        if (!commands.names.isEmpty()) {
            throw KilnException.usage("--name beside an experiment file", "leave it out: its variants have names");
        }
        variants.forEach(StartupFlags::requireHere);
        requireNoHooks(experiment);
        Duration limit = timeout()
                .orElseGet(() -> variants.getFirst().target().readiness().timeout());
        Optional<ReadySign> ready = end.ready.isPresent()
                ? readiness(limit)
                : Optional.of(end.log
                        .<ReadySign>map(regex -> new ReadySign.LogPattern(regex, limit))
                        .orElseGet(() -> shared(experiment)));
        CpuRequest asked = experiment.cpus();
        CpuRequest cpus = cpus().map(own -> new CpuRequest(
                        own.target(), asked.load(), asked.database(), asked.targetElsewhere(), asked.behind(), true))
                .orElse(asked);
        return spec(
                variants.stream().map(StartupFlags::side).toList(),
                ready,
                limit,
                cpus,
                conditions.cold || experiment.setting().cold());
    }

    private static void requireHere(Variant variant) {
        if (!(variant.target().where() instanceof Where.Here)
                || variant.connections().isPresent()
                || !variant.target().program().backend().isEmpty()) {
            throw KilnException.usage(
                    "variant " + variant.name()
                            + ": kiln startup knows no host, no container, no backend, no levels of connections and nothing"
                            + " that runs already",
                    "leave them out of the file, or use kiln run");
        }
    }

    private static void requireNoHooks(Experiment experiment) {
        Stream.concat(
                        experiment.hooks().stream(),
                        experiment.variants().stream().flatMap(variant -> variant.target().hooks().stream()))
                .map(hook -> hook.moment().key())
                .findFirst()
                .ifPresent(key -> {
                    throw KilnException.usage(
                            key + ": kiln startup runs no commands around its starts",
                            "leave it out of the file, or use kiln run");
                });
    }

    private static StartSide side(Variant variant) {
        List<String> modifiers =
                variant.target().modifiers().stream().map(Modifier::text).toList();
        return new StartSide(
                variant.name(),
                variant.target().command(),
                modifiers.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", modifiers)));
    }

    /**
     * Returns the readiness that all variants share, because starts are compared up to the same end. A readiness by
     * first response becomes an answer to the load's first call.
     */
    private static ReadySign shared(Experiment experiment) {
        List<ReadySign> ends = experiment.variants().stream()
                .map(variant -> variant.target().readiness())
                .distinct()
                .toList();
        if (ends.size() > 1) {
            throw KilnException.usage(
                    "the variants of " + experiment.name() + " have different readiness",
                    "give them the same, or say what ends a start: --ready port:${port}");
        }
        if (!(ends.getFirst() instanceof ReadySign.FirstResponse first)) {
            return ends.getFirst();
        }
        LoadTemplate load = experiment.load();
        LoadTemplate.TemplateCall call = load.calls().getFirst();
        boolean plain = call.method().equals("GET")
                && call.url().startsWith("http://")
                && call.headers().isEmpty()
                && call.body().isEmpty()
                && call.bodyContains().isEmpty()
                && !call.varies()
                && load.http2().isEmpty()
                && load.replay().isEmpty();
        if (!plain) {
            throw KilnException.usage(
                    "the load's first call is more than a GET over http, which is all that kiln startup sends",
                    "give the target a readiness, or say what ends a start: --ready port:${port}");
        }
        return new ReadySign.HttpStatus(call.url(), 200, first.timeout());
    }

    private StartupSpec spec(
            List<StartSide> sides, Optional<ReadySign> readiness, Duration limit, CpuRequest cpus, boolean cold) {
        int counted = flag("--pairs", () -> atLeast(1, pairs.counted.orElse(PAIRS)));
        int before = flag("--discard", () -> atLeast(0, pairs.discarded.orElse(DISCARD)));
        OptionalLong seed = pairs.seed.map(OptionalLong::of).orElseGet(OptionalLong::empty);
        return new StartupSpec(
                sides,
                new StartupSpec.StartEnd(readiness, end.log.map(this::number), limit, conditions.ignoreFailure),
                new StartupSpec.StartPairs(counted, before, seed, order(sides.size(), counted + before, seed)),
                cpus.withoutLoad(),
                cold,
                base);
    }

    private static void requireSeveral(int found, String what, String remedy) {
        if (found < 2 || found > MOST) {
            throw KilnException.usage("from 2 to " + MOST + " " + what + " are compared, found " + found, remedy);
        }
    }

    private Optional<Duration> timeout() {
        return flag("--ready-timeout", () -> end.timeout.map(DurationText::parse));
    }

    private Optional<CpuRequest> cpus() {
        return flag(
                "--cpus", () -> conditions.cpus.map(text -> new CpuRequest(CpuText.list(text), List.of(), List.of())));
    }

    /** Returns the order of starts: A B C A B C ..., or with a seed an order that is drawn for each pair or round. */
    static List<PlannedStart> order(int sides, int pairs, OptionalLong seed) {
        List<Integer> all = IntStream.range(0, sides).boxed().toList();
        SplitMix random = new SplitMix(seed.orElse(0));
        List<PlannedStart> starts = new ArrayList<>();
        for (int pair = 1; pair <= pairs; pair++) {
            for (int side : seed.isPresent() ? random.shuffled(all) : all) {
                starts.add(new PlannedStart(pair, side));
            }
        }
        return List.copyOf(starts);
    }

    private List<StartSide> sides() {
        int number = commands.texts.size();
        List<String> headings = commands.names.isEmpty()
                ? IntStream.range(0, number).mapToObj(StartupFlags::letter).toList()
                : commands.names;
        if (headings.size() != number || new HashSet<>(headings).size() != number) {
            throw KilnException.usage(
                    "--name: found " + commands.names,
                    "give " + (number == 2 ? "two" : number) + " names that differ: -n old -n new, or none");
        }
        return IntStream.range(0, number)
                .mapToObj(side -> new StartSide(
                        flag("--name", () -> heading(headings.get(side))),
                        flag("command " + letter(side), () -> command(side)),
                        Optional.empty()))
                .toList();
    }

    private static String letter(int side) {
        return Character.toString('A' + side);
    }

    /** Checks a name, which heads a column of a CSV. */
    private static String heading(String name) {
        if (name.isBlank() || name.chars().anyMatch(c -> c < ' ' || c == ',' || c == '"')) {
            throw BadValue.of("'" + name + "'", "a name without commas, quotes and line breaks");
        }
        return name.strip();
    }

    private List<String> command(int side) {
        List<String> words = ShellWords.split(commands.texts.get(side));
        for (String word : words) {
            Names.checkPlaceholders(word);
            Placeholders.namesIn(word).stream()
                    .filter(name -> !KNOWN.contains(name))
                    .findFirst()
                    .ifPresent(name -> {
                        throw BadValue.of("${" + name + "}", "${port} or ${run.dir}: a start has no database");
                    });
        }
        return CommandPaths.checked(words, base);
    }

    /** Reads the value of {@code --ready}, which must be there; empty for a start that ends with the process. */
    private Optional<ReadySign> readiness(Duration limit) {
        String ready = end.ready.orElseThrow();
        return ready.equals("exit")
                ? Optional.empty()
                : Optional.of(ReadinessBinder.option("--ready", ready, limit, HELP));
    }

    private LogNumber number(String regex) {
        return flag("--log", () -> {
            ReadinessBinder.regex(regex);
            if (Pattern.compile(regex).matcher("").groupCount() < 1) {
                throw BadValue.of("'" + regex + "'", "a group around the number, as in 'Booted .* in (\\d+) ms'");
            }
            return new LogNumber(regex, end.unit);
        });
    }

    private static int atLeast(int least, int number) {
        if (number < least) {
            throw BadValue.of("'" + number + "'", "a whole number of at least " + least);
        }
        return number;
    }

    private static <T> T flag(String flag, Supplier<T> parse) {
        return Problems.option(flag, HELP, parse);
    }
}
