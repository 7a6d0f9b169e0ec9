package dev.kiln.history;

import dev.kiln.console.NextStep;
import dev.kiln.console.Outputs;
import dev.kiln.console.ResultConsole;
import dev.kiln.console.TextFiles;
import dev.kiln.model.KilnException;
import dev.kiln.model.Metric;
import dev.kiln.model.Metric.MetricUse;
import dev.kiln.results.NewestResults;
import dev.kiln.results.Reporting.Recordings;
import dev.kiln.study.PastExperiments;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kiln history} shows many experiments as series, and where their level changed. */
@Command(
        name = "history",
        description = "Shows the runs of many experiments as one series per variant and metric, and where their level"
                + " changed; exports them for Apache Otava and Horreum.",
        mixinStandardHelpOptions = true)
public final class HistoryCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "DIR",
            arity = "0..*",
            description = "Folders of experiments, or folders that contain some (results).")
    private List<String> folders = List.of();

    @Option(names = "--metric", description = "Only this metric, such as peak, t90 or startup. May be repeated.")
    private List<String> metrics = List.of();

    @Option(
            names = "--label",
            paramLabel = "KEY=VALUE",
            description =
                    "Label of every run, in addition to labels.properties in its experiment's folder. Otava reads commit."
                            + " May be repeated.")
    private List<String> labels = List.of();

    @Option(names = "--csv", description = "Print CSV, one row for each run and metric.")
    private boolean csv;

    @Option(
            names = "--otava",
            paramLabel = "DIR",
            description = "Write CSV files and otava.yaml for Apache Otava here.")
    private @Nullable Path otava;

    @Option(
            names = "--horreum",
            paramLabel = "FILE",
            description = "Write JSON for Horreum here; - is the standard output.")
    private @Nullable Path horreum;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Write a page here: a picture for each series, its changes, and links to the reports.")
    private @Nullable Path html;

    @Mixin
    private final ResultConsole console = new ResultConsole();

    @Override
    public Integer call() {
        console.requireOneDocument("--csv", "--horreum");
        Set<Metric> wanted = wanted();
        List<Path> roots = folders.isEmpty()
                ? List.of(NewestResults.all(console))
                : folders.stream().map(Path::of).toList();
        PastExperiments past = new PastExperiments(console.leftOut(), labelMap());
        roots.stream()
                .flatMap(root -> PastExperiments.experiments(root).stream())
                .forEach(Recordings::complete);
        History history = History.of(past.read(roots), wanted);
        boolean toHorreum = horreum != null && TextFiles.isStandardOutput(horreum);
        write(history, past, toHorreum);
        console.print(
                () -> HistoryTables.json(history),
                () -> csv
                        ? HistoryTables.csv(history)
                        : toHorreum
                                ? HistoryTables.horreum(history)
                                : HistoryReport.terminal(history, console.style()));
        if (!csv && !toHorreum) {
            console.next(NextStep.serve(roots.getFirst()));
        }
        return 0;
    }

    /** Writes the files that are asked for. */
    private void write(History history, PastExperiments past, boolean toHorreum) {
        if (otava != null) {
            Path folder = otava;
            Outputs.make(folder, "--otava");
            OtavaExport.files(history).forEach((name, text) -> TextFiles.write(folder.resolve(name), text));
        }
        if (horreum != null && !toHorreum) {
            TextFiles.writeNamed(horreum, HistoryTables.horreum(history));
        }
        if (html != null) {
            Path page = html;
            TextFiles.writeNamed(
                    page,
                    HtmlHistory.page(
                            history,
                            title(history),
                            run -> past.report(run.name().folder(), page),
                            List.of()));
        }
    }

    private static String title(History history) {
        return history.runs().stream()
                .map(run -> run.name().experiment())
                .distinct()
                .collect(Collectors.joining(", "));
    }

    private Set<Metric> wanted() {
        if (metrics.isEmpty()) {
            return EnumSet.copyOf(Metric.all(MetricUse.FOLLOWED));
        }
        Set<Metric> wanted = EnumSet.noneOf(Metric.class);
        for (String name : metrics) {
            wanted.add(Metric.known(name, MetricUse.FOLLOWED)
                    .orElseThrow(() -> KilnException.usage(
                            "--metric: found '" + name + "', expected one of "
                                    + String.join(", ", Metric.ids(MetricUse.FOLLOWED)),
                            "kiln history --help lists the options")));
        }
        return wanted;
    }

    private SortedMap<String, String> labelMap() {
        SortedMap<String, String> map = new TreeMap<>();
        for (String label : labels) {
            int equals = label.indexOf('=');
            if (equals < 1 || !label.substring(0, equals).matches("[A-Za-z][A-Za-z0-9._-]*")) {
                throw KilnException.usage(
                        "--label: found '" + label + "', expected KEY=VALUE, such as commit=1a2b3c",
                        "kiln history --help lists the options");
            }
            map.put(label.substring(0, equals), label.substring(equals + 1));
        }
        return map;
    }
}
