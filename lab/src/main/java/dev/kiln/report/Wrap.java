package dev.kiln.report;

/** Breaks a paragraph into lines, but never a figure from its unit. */
final class Wrap {
    private Wrap() {}

    /** {@code first} begins the first line and every other line is indented as far. */
    static String paragraph(String first, String text, int width) {
        String indent = " ".repeat(first.length());
        StringBuilder out = new StringBuilder(first);
        int column = first.length();
        boolean lineIsEmpty = true;
        for (String word : Text.tied(text.strip()).split("[ \\n\\t\\r]+", -1)) {
            if (!lineIsEmpty && column + 1 + word.length() > width) {
                out.append('\n').append(indent);
                column = indent.length();
                lineIsEmpty = true;
            }
            if (!lineIsEmpty) {
                out.append(' ');
                column++;
            }
            out.append(word);
            column += word.length();
            lineIsEmpty = false;
        }
        return out.append('\n').toString().replace('\u00a0', ' ');
    }
}
