package dev.kiln.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What becomes of passwords and tokens: {@code ***} takes their place, or they are kept. They are known by the name
 * beside them, such as {@code DB_PASSWORD} or {@code ?access_token=}, or by their shape, such as {@code
 * postgres://user:password@host}. A secret without such a name or shape is not recognised.
 */
public enum Secrets {
    HIDDEN,
    KEPT;

    /** A URL stays one with it. */
    public static final String MASK = "***";

    private static final String WORD =
            "(?:passw|passphrase|secret|token|credential|(?:api|access|private)[-_.]?key|authorization)";

    /** The rest of a name. It is bounded, so that no text takes long. */
    private static final String PART = "[\\w.-]{0,60}";

    private static final Pattern NAME =
            Pattern.compile("(?i)" + WORD + "|cookie|(?:^|[-_.])(?:pass|auth|pat)(?:$|[-_.])|[-_.](?:pwd|key)$");

    /** An option that takes the next word, such as {@code --password}. */
    private static final Pattern OPTION = Pattern.compile("(?i)--?" + PART + WORD + PART);

    private static final List<Shape> SHAPES = List.of(
            shape("-----BEGIN [A-Z ]*PRIVATE KEY-----[\\s\\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)", MASK),
            shape("([a-zA-Z][\\w+.-]{0,30}://[^/\\s:@]{0,200}:)[^/\\s]{0,1000}(@)", "$1" + MASK + "$2"),
            shape("(jdbc:oracle:\\w{1,30}:[^/\\s]{1,200}/)[^@\\s]{1,1000}(@)", "$1" + MASK + "$2"),
            shape("(?i)([?&;]" + PART + WORD + PART + "=)[^&;#\\s\"']*", "$1" + MASK),
            shape("(?i)(?<![?&;\\w.-])(" + PART + WORD + PART + "=)\\S+", "$1" + MASK),
            shape(
                    "(?i)(\"" + PART + WORD + PART + "\"\\s{0,10}:\\s{0,10})\"(?:[^\"\\\\]|\\\\.)*+\"",
                    "$1\"" + MASK + "\""),
            shape("(?i)\\b(bearer|basic)\\s+[\\w+/=.~-]{6,}", "$1 " + MASK),
            shape("\\beyJ[\\w-]{10,}\\.[\\w-]+\\.[\\w-]*", MASK),
            shape("\\b(?:AKIA|ASIA)[0-9A-Z]{16}\\b|\\bgh[oprsu]_\\w{20,}|\\bxox[abprs]-[\\w-]{10,}", MASK));

    private record Shape(Pattern pattern, String replacement) {}

    private static Shape shape(String pattern, String replacement) {
        return new Shape(Pattern.compile(pattern), replacement);
    }

    /** Any text: an argument, a URL, a message. */
    public String text(String text) {
        String shown = text;
        if (this == HIDDEN) {
            for (Shape shape : SHAPES) {
                shown = shape.pattern.matcher(shown).replaceAll(shape.replacement);
            }
        }
        return shown;
    }

    /** The value of what has a name: a variable, a header. */
    public String value(String name, String value) {
        return this == HIDDEN && !value.isEmpty() && NAME.matcher(name).find() ? MASK : text(value);
    }

    public Map<String, String> named(Map<String, String> values) {
        Map<String, String> shown = new HashMap<>();
        values.forEach((name, value) -> shown.put(name, value(name, value)));
        return shown;
    }

    /** The words of a command. */
    public List<String> command(List<String> words) {
        List<String> shown = new ArrayList<>();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            boolean named = i > 0
                    && this == HIDDEN
                    && !word.startsWith("-")
                    && OPTION.matcher(words.get(i - 1)).matches();
            shown.add(named ? MASK : text(word));
        }
        return List.copyOf(shown);
    }

    /** Each of them, as {@link #text(String)} has it. */
    public List<String> texts(List<String> texts) {
        return texts.stream().map(this::text).toList();
    }

    /** Whether something was hidden in it. */
    public static boolean hiddenIn(List<String> words) {
        return words.stream().anyMatch(word -> word.contains(MASK));
    }
}
