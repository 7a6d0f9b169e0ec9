package dev.kiln.results;

import dev.kiln.console.Installation;
import dev.kiln.console.NextStep;
import dev.kiln.console.OpenOption;
import dev.kiln.console.Outputs;
import dev.kiln.console.ResultConsole;
import dev.kiln.console.ShutdownHook;
import dev.kiln.host.process.Trees;
import dev.kiln.importer.Importer;
import dev.kiln.importer.Importer.Imported;
import dev.kiln.importer.format.CsvMapping;
import dev.kiln.importer.format.Format.ImportOptions;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kiln import} turns files of other programs into evidence, and into the report of {@code kiln run}. */
@Command(
        name = "import",
        description = {
            "Turns result files of other programs into evidence, and reports it as kiln run does.",
            "Kiln recognises each file by its content: loads of Hyperfoil, wrk, wrk2, h2load, hey, oha, ab, bombardier, autocannon,"
                    + " fortio, vegeta, ghz, JMeter, Gatling, Locust, k6, or any CSV (--map); iterations of JMH and Renaissance;"
                    + " logs of pidstat, mpstat, sar, vmstat and -Xlog:gc; and flight recordings."
        },
        footer = {
            "",
            "One run:    kiln import run/0000 pidstat.log recording.jfr --variant spring",
            "A lab:      kiln import /data/lab/2026-06-02 --name june",
            "A CSV:      kiln import my.csv --map time=ts:ms,requests=count",
        },
        sortOptions = false,
        mixinStandardHelpOptions = true)
public final class ImportCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "PATH",
            arity = "1..*",
            description = "Files of one run, a run's folder, or a lab's folder of runs named VARIANT-NUMBER.")
    private List<Path> paths = List.of();

    private static final int DELETIONS = 50;
    private static final long BETWEEN_NANOS = 20_000_000;

    @Option(names = "--name", description = "Name of the experiment (imported).")
    private String name = "imported";

    @Option(names = "--variant", description = "Name of the variant, if the paths do not name it.")
    private @Nullable String variant;

    @Option(names = "--zone", description = "Time zone of logs in local time, such as America/New_York or UTC.")
    private @Nullable String zone;

    @Option(names = "--pid", description = "The target's process id, for logs of several processes.")
    private @Nullable Integer pid;

    @Option(
            names = "--load-start",
            paramLabel = "TIME",
            description = "For a load without times in its files: when it began, such as 2026-01-02T03:04:05Z.")
    private @Nullable String loadStart;

    @Option(
            names = "--map",
            paramLabel = "COLUMNS",
            description = "Columns of a CSV of your own: time=ts:ms,requests=count,errors=failed,p50=med:ms,bin=1s;"
                    + " rows without a time: requests=count,bin=1s.")
    private @Nullable String map;

    @Option(names = "--evidence-only", description = "Write the evidence, and no report.")
    private boolean evidenceOnly;

    @Mixin
    private final OpenOption page = new OpenOption();

    @Mixin
    private final Outputs outputs = new Outputs();

    @Mixin
    private final ResultConsole console = new ResultConsole();

    @Override
    public Integer call() {
        if (!name.matches("[A-Za-z0-9][A-Za-z0-9._+=-]*")
                || (variant != null && !variant.matches("[A-Za-z0-9][A-Za-z0-9._+=-]*"))) {
            throw KilnException.usage(
                    "--name and --variant become names of folders, and this is not one",
                    "use letters, digits and . _ - + =");
        }
        Imported imported = imported();
        if (evidenceOnly) {
            console.out().println("Evidence: " + imported.directory());
            return Exit.ofRun(imported.whole());
        }
        Reporting.Report report = new Reporting(console).report(imported.directory());
        page.open(report.page(), console);
        console.next(NextStep.ofReport(report.folder()));
        return Exit.ofRun(imported.whole() && report.valid());
    }

    /** Imports all, or nothing where Kiln is stopped meanwhile: a part of the runs would pass for all of them. */
    @SuppressWarnings("try") // the hook is only held
    private Imported imported() {
        AtomicReference<@Nullable Path> begun = new AtomicReference<>();
        Runnable undo = () -> Optional.ofNullable(begun.get()).ifPresent(ImportCommand::delete);
        try (ShutdownHook hook = ShutdownHook.of("kiln-import-end", undo)) {
            return new Importer(
                            Installation.version(),
                            options(),
                            line -> console.err().println("kiln: " + line))
                    .run(paths, name, () -> {
                        Path folder = outputs.fresh(name);
                        begun.set(folder);
                        return folder;
                    });
        }
    }

    /** Deletes what is being written: it may grow meanwhile, so it takes several tries. */
    private static void delete(Path folder) {
        for (int again = DELETIONS; again > 0 && Files.isDirectory(folder); again--) {
            try {
                Trees.delete(folder);
            } catch (IOException busy) {
                LockSupport.parkNanos(BETWEEN_NANOS);
            }
        }
    }

    private ImportOptions options() {
        return new ImportOptions(
                Optional.ofNullable(zone).map(ImportCommand::zone),
                pid == null ? OptionalInt.empty() : OptionalInt.of(pid),
                Optional.ofNullable(loadStart).map(ImportCommand::instant),
                Optional.ofNullable(variant),
                Optional.ofNullable(map).map(CsvMapping::parse));
    }

    private static ZoneId zone(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException e) {
            throw KilnException.usage(
                    "--zone: no such time zone: " + text, "name one such as America/New_York, +02:00 or UTC", e);
        }
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeException e) {
            throw KilnException.usage("--load-start: not a time: " + text, "write it as 2026-01-02T03:04:05Z", e);
        }
    }
}
