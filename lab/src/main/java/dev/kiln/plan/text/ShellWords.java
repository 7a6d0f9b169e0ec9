package dev.kiln.plan.text;

import dev.kiln.plan.text.Problems.BadValue;
import java.util.ArrayList;
import java.util.List;

/** ShellWords splits a text into words as a POSIX shell does with quotes and backslashes; nothing is expanded. */
public final class ShellWords {
    private final String text;
    private final List<String> words = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private boolean inWord;

    private ShellWords(String text) {
        this.text = text;
    }

    /** Returns the words of a text, without their quotes. */
    public static List<String> split(String text) {
        return new ShellWords(text).split();
    }

    /** Returns a word in a form that {@link #split} gives back unchanged. */
    public static String quote(String word) {
        boolean plain = !word.isEmpty() && word.chars().noneMatch(c -> " \t\n'\"\\".indexOf(c) >= 0);
        return plain ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    private List<String> split() {
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (Character.isWhitespace(c)) {
                endWord();
                i++;
            } else if (c == '\'' || c == '"') {
                i = quoted(i);
            } else if (c == '\\' && i + 1 < text.length()) {
                append(text.charAt(i + 1));
                i += 2;
            } else {
                append(c);
                i++;
            }
        }
        endWord();
        return List.copyOf(words);
    }

    /** Reads what is quoted; returns the position behind it. */
    private int quoted(int start) {
        char quote = text.charAt(start);
        inWord = true;
        for (int i = start + 1; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == quote) {
                return i + 1;
            }
            boolean escapes = c == '\\' && quote == '"' && i + 1 < text.length();
            if (escapes && "\"\\$`".indexOf(text.charAt(i + 1)) >= 0) {
                i++;
                c = text.charAt(i);
            }
            word.append(c);
        }
        throw BadValue.of("'" + text + "'", "a closing " + quote);
    }

    private void append(char c) {
        word.append(c);
        inWord = true;
    }

    private void endWord() {
        if (inWord) {
            words.add(word.toString());
            word.setLength(0);
            inWord = false;
        }
    }
}
