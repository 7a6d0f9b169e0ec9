package dev.kiln.report;

import dev.kiln.model.Controls;
import java.util.List;
import java.util.stream.Collectors;

/** Markdown is that of GitHub, for a pull request or an issue. */
public final class Markdown {
    /** A space without width: GitHub tells whoever is mentioned by {@code @name}, escaped or not. */
    private static final String NO_MENTION = "\u200b";

    private Markdown() {}

    public static String escape(String text) {
        return Controls.line(text.replaceAll("\\R", " "))
                .replace("\\", "\\\\")
                .replaceAll("([|*_`<>\\[\\]#~&])", "\\\\$1")
                .replaceAll("@(?=[\\w-])", "@" + NO_MENTION);
    }

    public static String notes(List<String> notes) {
        return notes.stream().map(note -> "- " + escape(note) + "\n").collect(Collectors.joining());
    }
}
