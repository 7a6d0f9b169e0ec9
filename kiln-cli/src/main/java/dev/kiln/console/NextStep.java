package dev.kiln.console;

import dev.kiln.model.Secrets;
import dev.kiln.report.Launches;
import dev.kiln.report.TerminalStyle;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** A NextStep is a command that a person may want next, as it is typed, and what it shows. */
public record NextStep(String command, String what) {
    private static final String KILN = "kiln ";

    /** Returns what follows the report of an experiment. */
    public static NextStep[] ofReport(Path experiment) {
        return new NextStep[] {explain(experiment), serve(experiment.resolveSibling(""))};
    }

    /** Shows why an experiment, or one of its runs, is as it is. */
    public static NextStep explain(Path folder) {
        return new NextStep("kiln explain " + word(folder), "causes and cures");
    }

    /** Shows the page of an experiment. */
    public static NextStep page(Path experiment) {
        return new NextStep("kiln report " + word(experiment) + " --open", "the same in pictures");
    }

    /** Runs an experiment. */
    public static NextStep run(Path file) {
        return new NextStep("kiln run " + word(file), "runs it");
    }

    /** Shows a folder of results as pages. */
    public static NextStep serve(Path results) {
        return new NextStep("kiln serve " + word(results), "all results as pages");
    }

    /** Shows experiments over one another. */
    public static NextStep overlay(Path results) {
        return new NextStep("kiln serve " + word(results), "the same in pictures (choose them, then Compare)");
    }

    /** Makes a report of a load series. */
    public static NextStep series(Path file) {
        return new NextStep("kiln import " + word(file) + " --open", "a report in pictures");
    }

    /** Watches a JVM that runs. */
    public static NextStep doctor(long pid) {
        return new NextStep("kiln doctor " + pid, "whether it is warm, and what holds it back");
    }

    /** Measures a service that runs, by requests to this address. */
    public static NextStep attach(long pid, String url) {
        return new NextStep(
                "kiln run --attach " + pid + " --url " + words(List.of(url)), "measures it under a load of Kiln's");
    }

    private static String word(Path path) {
        String text = path.toString();
        return text.isEmpty() ? "." : word(text);
    }

    /** Returns a word as a shell takes it. */
    public static String word(String text) {
        return Launches.shell(text);
    }

    /** Returns a command as a shell takes it, but for its secrets: what is printed goes to a job's log. */
    public static String words(List<String> command) {
        return Secrets.HIDDEN.command(command).stream().map(NextStep::word).collect(Collectors.joining(" "));
    }

    /**
     * Returns the last lines of a command's text. A command is never broken, because it could not be copied then; what it
     * shows stands before it, where there is room. Behind it, it would have to be a comment, which not every shell takes.
     *
     * @param kiln what is typed to call Kiln
     */
    static String lines(List<NextStep> steps, String kiln, TerminalStyle style) {
        if (steps.isEmpty()) {
            return "";
        }
        StringBuilder out = new StringBuilder("Next:\n");
        for (NextStep step : steps) {
            String command = step.command.startsWith(KILN)
                    ? word(kiln) + step.command.substring(KILN.length() - 1)
                    : step.command;
            String what = step.what + ": ";
            out.append("  ")
                    .append(style.fits("  " + what + command) ? style.dim(what) : "")
                    .append(command)
                    .append('\n');
        }
        return out.toString();
    }
}
