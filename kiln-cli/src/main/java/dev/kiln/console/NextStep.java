package dev.kiln.console;

import dev.kiln.plan.text.ShellWords;
import dev.kiln.report.TerminalStyle;
import java.nio.file.Path;
import java.util.List;

/**
 * A NextStep is a command that a person may want after this one, as it is to be typed.
 *
 * @param what it shows, in a few words
 */
public record NextStep(String command, String what) {
    private static final String HEAD = "Next: ";

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

    private static String word(Path path) {
        String text = path.toString();
        return text.isEmpty() ? "." : ShellWords.quote(text);
    }

    /**
     * Returns the last lines of a command's text. A command is never broken, because it could not be copied then; what it
     * shows stands behind it, as a shell's comment, where there is room.
     */
    static String lines(List<NextStep> steps, TerminalStyle style) {
        StringBuilder out = new StringBuilder();
        for (NextStep step : steps) {
            String command = (out.isEmpty() ? HEAD : " ".repeat(HEAD.length())) + step.command;
            String comment = "  # " + step.what;
            out.append(command)
                    .append(style.fits(command + comment) ? style.dim(comment) : "")
                    .append('\n');
        }
        return out.toString();
    }
}
