package dev.kiln.results;

import dev.kiln.compare.Circumstance;
import dev.kiln.compare.Comparer;
import dev.kiln.compare.Comparison;
import dev.kiln.compare.Configuration;
import dev.kiln.compare.Gates;
import dev.kiln.compare.Measured;
import dev.kiln.compare.Quantity;
import dev.kiln.console.ConstantOptions;
import dev.kiln.console.NextStep;
import dev.kiln.console.ResultConsole;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.Metric;
import dev.kiln.model.Metric.MetricUse;
import dev.kiln.report.ComparisonText;
import dev.kiln.report.json.ComparisonTables;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.text.Nearest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kiln compare} compares the runs of several configurations with those of the first. */
@Command(
        name = "compare",
        description = "Compares variants, experiments or tables: ratios with their intervals, and what they show.",
        mixinStandardHelpOptions = true)
public final class CompareCommand implements Callable<Integer> {
    /** The text stands for a property of a machine that was not recorded. */
    private static final String NOT_KNOWN = "not known";

    @Parameters(
            paramLabel = "[A [B...]]",
            hideParamSyntax = true,
            arity = "0..*",
            description =
                    "Experiment folders, folder:variant, or tables (CSV, JSON): a column a metric, a row a run. One"
                            + " folder: its first variant against the others. Two folders of several variants: those"
                            + " of the same name. None: the newest experiment in results.")
    private List<String> subjects = List.of();

    @Option(
            names = "--primary",
            description = "The metric that the conclusion is about (peak); of a call: p99@checkout.")
    private @Nullable String primary;

    @Option(names = "--calls", description = "Also compare each call of a mix by itself.")
    private boolean calls;

    @Option(names = "--request-time", description = "Also compare the parts of a request's time.")
    private boolean requestTime;

    @Option(names = "--effect", description = "The change in %% that the number of runs needed refers to (5).")
    private double effectPercent = 5;

    @Option(
            names = "--allow-different",
            description = "Compare different protocols, loads, hosts or units, and mark them.")
    private boolean allowDifferent;

    @Mixin
    private final SessionOptions sessions = new SessionOptions();

    @Option(
            names = "--verbose",
            description = "Also print what the conclusions rest on: ratios, exact p, runs needed, methods, constants.")
    private boolean verbose;

    @Option(names = "--markdown", description = "Print Markdown, for a pull request.")
    private boolean markdown;

    @Option(names = "--csv", description = "Print CSV, one row for each metric.")
    private boolean csv;

    @Mixin
    private final ConstantOptions constants = new ConstantOptions();

    @Mixin
    private final ResultConsole console = new ResultConsole();

    @Override
    public Integer call() {
        console.requireOneDocument("--csv", "--markdown");
        AnalysisConfig config = constants.config();
        if (!(effectPercent > 0) || Double.isInfinite(effectPercent)) {
            throw KilnException.usage("--effect: found " + effectPercent, "give a percentage above 0");
        }
        if (subjects.isEmpty()) {
            subjects = List.of(NewestResults.orNamed(Optional.empty(), console).toString());
        }
        Subjects read = new Subjects(config, console.err()).together(subjects);
        List<List<Configuration>> byName = read.byName(subjects);
        if (!byName.isEmpty()) {
            printEach(read, byName, config);
            return exit(read);
        }
        List<Configuration> found = sessions.inOne(onDemand(read.all(subjects)));
        if (found.size() < 2) {
            throw KilnException.usage(
                    subjects.getFirst() + " has only one configuration, "
                            + found.getFirst().name(),
                    "name a second one to compare it with");
        }
        refuseDifferent(found);
        Comparison comparison =
                Comparer.of(found, sessions.earlier(read, found), primary(found), effectPercent / 100, config);
        console.print(() -> ComparisonTables.json(comparison), () -> text(List.of(comparison)));
        return exit(read);
    }

    private int exit(Subjects read) {
        List<Path> folders =
                subjects.stream().map(Path::of).filter(Files::isDirectory).toList();
        if (!csv && !markdown && !folders.isEmpty()) {
            console.next(NextStep.explain(folders.getLast()), pictures(folders));
        }
        return Exit.ofRun(read.whole(subjects));
    }

    /** Experiments beside one another are laid over each other by pages of their folder; of others each has a page. */
    private static NextStep pictures(List<Path> folders) {
        long places = folders.stream()
                .map(folder -> folder.toAbsolutePath().normalize().resolveSibling(""))
                .distinct()
                .count();
        return folders.size() > 1 && places == 1
                ? NextStep.overlay(folders.getLast().resolveSibling(""))
                : NextStep.page(folders.getLast());
    }

    /** Compares two experiments variant by variant. Where only the hosts differ, their difference is the question. */
    private void printEach(Subjects read, List<List<Configuration>> pairs, AnalysisConfig config) {
        double each = 1 - (1 - config.confidence()) / pairs.size();
        List<Comparison> comparisons = pairs.stream()
                .map(pair ->
                        onDemand(pair).stream().map(one -> one.withoutMachine()).toList())
                .map(pair -> {
                    refuseDifferent(pair);
                    return Comparer.of(
                            sessions.inOne(pair),
                            sessions.earlier(read, pair),
                            primary(pair),
                            effectPercent / 100,
                            config,
                            each);
                })
                .toList();
        List<List<Circumstance>> machines =
                pairs.getFirst().stream().map(CompareCommand::machine).toList();
        List<List<String>> jdks = subjects.stream().map(read::jdks).toList();
        boolean oneJdk = jdks.stream().distinct().count() == 1;
        List<String> hosts = IntStream.range(0, subjects.size())
                .mapToObj(i -> subjects.get(i) + ": " + words(machines.get(i))
                        + (oneJdk || jdks.get(i).isEmpty() ? "" : "; " + String.join("; ", jdks.get(i))))
                .toList();
        String title = title(machines);
        console.print(
                () -> ComparisonTables.json(hosts, comparisons),
                () -> (csv ? "" : title + "\n  " + String.join("\n  ", hosts) + "\n\n") + text(comparisons));
    }

    private static String title(List<List<Circumstance>> machines) {
        if (machines.stream().anyMatch(List::isEmpty)) {
            return "Hosts";
        }
        if (machines.stream().distinct().count() == 1) {
            return "One host";
        }
        boolean onlyCpus = machines.stream()
                        .map(machine -> machine.stream()
                                .flatMap(one -> one instanceof Circumstance.Host host
                                        ? Stream.of(host.withoutCpus())
                                        : Stream.empty())
                                .toList())
                        .distinct()
                        .count()
                == 1;
        return onlyCpus ? "Different CPUs" : "Different hosts";
    }

    private static List<Circumstance> machine(Configuration one) {
        return one.circumstances().stream().filter(Circumstance::ofMachine).toList();
    }

    private static String words(List<Circumstance> machine) {
        String known = machine.stream()
                .map(one -> one instanceof Circumstance.Host host ? host.words() : one.what() + ": " + one.words())
                .collect(Collectors.joining("; "));
        return known.isEmpty() ? NOT_KNOWN : known;
    }

    /** Adds what was asked for: all calls, the parts of a request's time, or the metric that the conclusion is about. */
    private List<Configuration> onDemand(List<Configuration> found) {
        Optional<String> of = Optional.ofNullable(primary).flatMap(Quantity::call);
        List<String> known =
                found.stream().flatMap(one -> one.calls().stream()).distinct().toList();
        of.ifPresent(call -> Gates.requireCall("--primary", call, known));
        if (calls && known.isEmpty()) {
            throw KilnException.usage(
                    "--calls: these runs have no calls to tell apart", "only a load with several calls has them");
        }
        if (requestTime
                && found.stream()
                        .noneMatch(one -> Metric.ids(MetricUse.ASKED).stream()
                                .anyMatch(id -> one.metric(id).isPresent()))) {
            throw KilnException.usage(
                    "--request-time: of these runs it is not known where the time of a request went",
                    "runs of kiln run have it, if their threads were recorded");
        }
        return found.stream().map(one -> one.showing(this::isAsked)).toList();
    }

    private boolean isAsked(Quantity metric) {
        boolean ofCall = Quantity.call(metric.id()).isPresent();
        return (ofCall ? calls : requestTime) || (primary != null && Metric.same(metric.id(), primary));
    }

    private void refuseDifferent(List<Configuration> found) {
        List<String> differences = found.stream()
                .skip(1)
                .flatMap(other -> found.getFirst().differences(other).stream())
                .toList();
        if (!differences.isEmpty() && !allowDifferent) {
            throw KilnException.usage(
                    "these cannot be compared fairly:\n  " + String.join("\n  ", differences),
                    "to compare them anyway: --allow-different; the result marks the differences");
        }
    }

    /** Returns the id of the primary metric: the peak, or the first metric that all configurations have. */
    private String primary(List<Configuration> found) {
        List<String> shared = found.getFirst().metrics().stream()
                .map(Measured::metric)
                .map(metric -> metric.id())
                .filter(id -> found.stream().allMatch(other -> other.metric(id).isPresent()))
                .toList();
        if (shared.isEmpty()) {
            throw KilnException.usage(
                    "these have no metric in common: "
                            + String.join(
                                    " against ",
                                    found.stream().map(CompareCommand::metrics).toList()),
                    "give the columns the same names");
        }
        if (primary != null) {
            String wanted = primary;
            return shared.stream()
                    .filter(id -> Metric.same(id, wanted))
                    .findFirst()
                    .orElseThrow(() -> KilnException.usage(
                            "--primary: "
                                    + (Metric.comparable(wanted).isPresent()
                                            ? "not all of these have " + wanted + "; they have "
                                                    + String.join(", ", shared)
                                            : Nearest.complaint("metric", wanted, shared)),
                            Gates.metricsOfCalls(wanted).orElse("")));
        }
        return shared.contains(Metric.PEAK.id()) ? Metric.PEAK.id() : shared.getFirst();
    }

    private static String metrics(Configuration configuration) {
        return configuration.name() + " has "
                + String.join(
                        ", ",
                        configuration.metrics().stream()
                                .map(m -> m.metric().id())
                                .toList());
    }

    private String text(List<Comparison> comparisons) {
        if (csv) {
            return ComparisonTables.csv(comparisons);
        }
        if (markdown) {
            return ComparisonText.markdown(comparisons, verbose);
        }
        return ComparisonText.terminal(comparisons, verbose, console.style())
                + (verbose
                        ? ""
                        : console.style()
                                .notes(List.of("--verbose adds ratios, exact p, the runs needed and all constants")));
    }
}
