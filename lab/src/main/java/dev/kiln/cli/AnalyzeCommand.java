package dev.kiln.cli;

import dev.kiln.explain.SeriesAssessment;
import dev.kiln.explain.SeriesResult;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.report.AnalysisJson;
import dev.kiln.report.AnalysisText;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.text.SeriesTable;
import dev.kiln.text.Source;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kiln analyze}: segments, class, peak and time to peak of any load series. */
@Command(
        name = "analyze",
        description = "Segments, class, peak, time to peak and warm-up cost of a load series of your own.",
        mixinStandardHelpOptions = true)
final class AnalyzeCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "FILE|-",
            description =
                    "CSV with a column requests (and phase, if several, and errors, if counted), or one number a line;"
                            + " - reads the standard input.")
    private String file = "";

    @Option(names = "--bin-seconds", description = "Length of a row, in seconds (1).")
    private double rowSeconds = 1;

    @Option(names = "--json", description = "Write the result as JSON here instead; - is the standard output.")
    private @Nullable Path json;

    @Mixin
    private final ConstantOptions constants = new ConstantOptions();

    @Mixin
    private final Console console = new Console();

    @Override
    public Integer call() {
        AnalysisConfig config = binned(constants.config());
        Source source = Source.read(file);
        SeriesTable.Series series = SeriesTable.read(source, rowSeconds);
        SeriesResult result = SeriesAssessment.of(series.phases(), series.notes(), config);
        if (json == null) {
            console.out().print(AnalysisText.render(source.name(), result, console.style()));
        } else if (TextFiles.isStandardOutput(json)) {
            console.out().print(AnalysisJson.render(source.name(), result));
        } else {
            TextFiles.write(json, AnalysisJson.render(source.name(), result));
        }
        console.out().flush();
        return 0;
    }

    /** Shorter rows are joined to bins; longer ones are the bins. */
    private AnalysisConfig binned(AnalysisConfig config) {
        if (!(rowSeconds > 0) || Double.isInfinite(rowSeconds)) {
            throw new KilnException(Exit.USAGE, "--bin-seconds: found " + rowSeconds, "give a number above 0");
        }
        double per = config.binSeconds() / rowSeconds;
        if (per < 1) {
            return ConstantOptions.with(config, "binSeconds", Double.toString(rowSeconds));
        }
        if (Math.abs(per - Math.rint(per)) > 1e-9) {
            throw new KilnException(
                    Exit.USAGE,
                    "--bin-seconds " + rowSeconds + ": rows do not fit into bins of " + config.binSeconds() + " s",
                    "join them before, or analyse them as they are: --set binSeconds=" + rowSeconds);
        }
        return config;
    }
}
