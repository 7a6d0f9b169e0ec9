package dev.kiln.cli;

import dev.kiln.evidence.StudyFile;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kiln report}: renders recorded evidence again. */
@Command(
        name = "report",
        description = "Renders the evidence of an experiment again: terminal, report.html and result.json.",
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class ReportCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "An experiment's folder, or the folder given to --results.")
    private Path directory = Path.of("");

    @Option(names = "--json", description = "Also write result.json here; - is the standard output.")
    private @Nullable Path json;

    @Mixin
    private final Console console = new Console();

    @Override
    public Integer call() {
        if (StudyFile.SOAK.exists(directory)) {
            throw new KilnException(
                    Exit.USAGE,
                    directory + " holds a soak, whose evidence may be too long to be read at once",
                    "kiln soak --resume " + directory + " goes on with it, or renders it again if it is over");
        }
        new Reporting(console, Optional.ofNullable(json)).report(directory);
        return 0;
    }
}
