package dev.kiln.report;

import java.util.List;
import java.util.stream.Collectors;

/** GitHub-flavoured Markdown, for a pull request or an issue. */
public final class Markdown {
    private Markdown() {}

    public static String escape(String text) {
        return text.replace("\\", "\\\\")
                .replaceAll("([|*_`<>\\[\\]#~])", "\\\\$1")
                .replaceAll("\\R", " ");
    }

    public static String notes(List<String> notes) {
        return notes.stream().map(note -> "- " + escape(note) + "\n").collect(Collectors.joining());
    }
}
