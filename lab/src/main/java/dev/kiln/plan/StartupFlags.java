package dev.kiln.plan;

import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.StartupSpec;
import dev.kiln.model.experiment.StartupSpec.LogNumber;
import dev.kiln.model.experiment.StartupSpec.PlannedStart;
import dev.kiln.model.experiment.StartupSpec.Side;
import dev.kiln.model.experiment.Target.Readiness;
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
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * A start-up comparison as the command line has it, its texts not yet checked; what is absent takes its default.
 *
 * @param base what relative paths are relative to, and where the commands run
 */
public record StartupFlags(Path base, Commands commands, End end, Pairs pairs, Conditions conditions) {
    /**
     * @param texts A and B, each with its arguments in one text
     * @param names of A and B; none is {@code A} and {@code B}
     */
    public record Commands(List<String> texts, List<String> names) {}

    /**
     * @param ready {@code exit}, a URL, {@code port:PORT} or {@code log:REGEX}
     * @param log regular expression whose first group is the number that is compared
     */
    public record End(Optional<String> ready, Optional<String> log, Optional<String> unit, Optional<String> timeout) {}

    public record Pairs(Optional<Integer> counted, Optional<Integer> discarded, Optional<Long> seed) {}

    public record Conditions(Optional<String> cpus, boolean cold, boolean ignoreFailure) {}

    /** As many as in the tables that people compare with. */
    static final int PAIRS = 10;

    /** The first pair fills the caches. */
    static final int DISCARD = 1;

    private static final Set<String> KNOWN = Set.of(Placeholders.PORT, Placeholders.RUN_DIR);

    /**
     * Checks every text and puts them together.
     *
     * @throws KilnException that names the flag that is wrong, and what was expected
     */
    public StartupSpec toSpec() {
        if (commands.texts.size() != 2) {
            throw new KilnException(
                    Exit.USAGE,
                    "two commands are compared, found " + commands.texts.size(),
                    "quote each: kiln startup 'java -jar old.jar' 'java -jar new.jar'");
        }
        Duration limit = flag(
                "--ready-timeout", () -> end.timeout.map(DurationText::parse).orElse(Defaults.READY_TIMEOUT));
        int counted = flag("--pairs", () -> atLeast(1, pairs.counted.orElse(PAIRS)));
        int before = flag("--discard", () -> atLeast(0, pairs.discarded.orElse(DISCARD)));
        OptionalLong seed = pairs.seed.map(OptionalLong::of).orElseGet(OptionalLong::empty);
        return new StartupSpec(
                sides(),
                new StartupSpec.End(readiness(limit), end.log.map(this::number), limit, conditions.ignoreFailure),
                new StartupSpec.Pairs(counted, before, seed, order(counted + before, seed)),
                flag(
                        "--cpus",
                        () -> conditions
                                .cpus
                                .map(text -> new CpuRequest(CpuText.list(text), List.of(), List.of()))
                                .orElseGet(CpuRequest::auto)),
                conditions.cold,
                base);
    }

    /** A B A B ..., or with a seed the one or the other first in each pair. */
    static List<PlannedStart> order(int pairs, OptionalLong seed) {
        List<Integer> both = List.of(0, 1);
        SplitMix random = new SplitMix(seed.orElse(0));
        List<PlannedStart> starts = new ArrayList<>();
        for (int pair = 1; pair <= pairs; pair++) {
            for (int side : seed.isPresent() ? random.shuffled(both) : both) {
                starts.add(new PlannedStart(pair, side));
            }
        }
        return List.copyOf(starts);
    }

    private List<Side> sides() {
        List<String> headings = commands.names.isEmpty() ? List.of("A", "B") : commands.names;
        if (headings.size() != 2 || headings.get(0).equals(headings.get(1))) {
            throw new KilnException(
                    Exit.USAGE,
                    "--name: found " + commands.names,
                    "give two names that differ: -n old -n new, or none");
        }
        return List.of(
                new Side(flag("--name", () -> heading(headings.get(0))), flag("command A", () -> command(0))),
                new Side(flag("--name", () -> heading(headings.get(1))), flag("command B", () -> command(1))));
    }

    /** Names head the columns of a CSV. */
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
        return CommandPaths.resolve(words, base);
    }

    private Optional<Readiness> readiness(Duration limit) {
        if (end.ready.isEmpty()) {
            return end.log.map(regex -> new Readiness.LogPattern(regex, limit));
        }
        return end.ready.get().equals("exit")
                ? Optional.empty()
                : Optional.of(flag("--ready", () -> ReadinessBinder.parse(end.ready.get(), limit)));
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
        return Problems.option(flag, "kiln startup --help lists the options", parse);
    }
}
