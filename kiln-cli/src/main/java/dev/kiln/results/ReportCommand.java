package dev.kiln.results;

import dev.kiln.console.OpenOption;
import dev.kiln.console.Outputs;
import dev.kiln.console.ResultConsole;
import dev.kiln.console.TextFiles;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.KilnException;
import dev.kiln.report.Listed.StudyKind;
import dev.kiln.report.html.PngPicture;
import dev.kiln.report.html.SvgCharts;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code kiln report} renders recorded evidence again. */
@Command(
        name = "report",
        description = "Renders the evidence of an experiment again: terminal, report.html and result.json.",
        sortOptions = false,
        mixinStandardHelpOptions = true)
public final class ReportCommand implements Callable<Integer> {
    @Parameters(
            paramLabel = "DIR",
            arity = "0..1",
            description = "An experiment's folder, or the folder given to --results (the newest in results).")
    private Optional<Path> named = Optional.empty();

    @Option(
            names = "--svg",
            paramLabel = "FOLDER",
            description =
                    "Also write pictures to paste here, as SVG: light and dark, for a slide and for a pull request;"
                            + " and a summary in Markdown with one of them.")
    private @Nullable Path svg;

    @Option(
            names = "--png",
            paramLabel = "FOLDER",
            description =
                    "The same pictures as PNG, for programs that take no SVG. It needs fonts on this machine, and a JDK with"
                            + " java.desktop.")
    private @Nullable Path png;

    @Option(
            names = "--link",
            paramLabel = "URL",
            description = "Where readers find the report: stands under each picture, and in the summary.")
    private Optional<String> link = Optional.empty();

    private static final String SVG = ".svg";

    @Mixin
    private final OpenOption page = new OpenOption();

    @Mixin
    private final ResultConsole console = new ResultConsole();

    @Override
    public Integer call() {
        Path directory = NewestResults.orNamed(named, console);
        if (StudyKind.SOAK.is(directory)) {
            throw KilnException.usage(
                    directory + " holds a soak, and its evidence can be too long for kiln report",
                    "kiln soak --resume " + directory + " continues it, or renders it again if it is finished");
        }
        requireLink();
        Reporting reporting = new Reporting(console);
        Reporting.Report report = reporting.report(directory);
        ExperimentResult result = report.result();
        if (svg != null) {
            Path folder = svg;
            Outputs.make(folder, "--svg");
            SvgCharts.files(result, link).forEach((name, text) -> TextFiles.write(folder.resolve(name), text));
        }
        if (png != null) {
            Path folder = png;
            Outputs.make(folder, "--png");
            Map<String, String> files = new LinkedHashMap<>(SvgCharts.files(result, link));
            if (folder.equals(svg)) {
                files.remove(SvgCharts.SUMMARY);
            }
            files.forEach((name, text) -> png(folder, name, text));
        }
        return reporting.end(report, page);
    }

    /** Refuses what is no address of a page, or has no picture to stand under. */
    private void requireLink() {
        link.ifPresent(url -> {
            if (!url.matches("https?://[^\\s<>]+")) {
                throw KilnException.usage("--link: found '" + url + "'", "give an address, such as https://HOST/PATH");
            }
            if (svg == null && png == null) {
                throw KilnException.usage(
                        "--link has no picture to stand under", "give --svg FOLDER or --png FOLDER too");
            }
        });
    }

    /** The summary in Markdown shows the pictures that are beside it. */
    private static void png(Path folder, String name, String text) {
        if (name.endsWith(SVG)) {
            Path file = folder.resolve(name.substring(0, name.length() - SVG.length()) + ".png");
            TextFiles.write(file, PngPicture.of(text));
        } else {
            TextFiles.write(folder.resolve(name), text.replace(SVG, ".png"));
        }
    }
}
