package dev.kiln.plan;

import dev.kiln.model.Placeholders;
import dev.kiln.text.Nearest;
import java.util.List;
import java.util.regex.Pattern;

/** What names may look like, and which placeholders there are. */
final class Names {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    private Names() {}

    /** Names of experiments, variants and phases become folders and CSV fields. */
    static String check(String name) {
        if (!NAME.matcher(name).matches()) {
            throw BadValue.of(
                    "'" + name + "'",
                    "a name of letters, digits, '.', '_' and '-', beginning with a letter or digit, 64 at most");
        }
        return name;
    }

    /** {@code text}, in which every placeholder is known. */
    static String checkPlaceholders(String text) {
        for (String name : Placeholders.namesIn(text)) {
            if (!Placeholders.KNOWN.contains(name)) {
                throw new BadValue(Nearest.complaint("placeholder", "${" + name + "}", shown()) + " (write $${" + name
                        + "} to pass it on as it is)");
            }
        }
        return text;
    }

    private static List<String> shown() {
        return Placeholders.KNOWN.stream().map(name -> "${" + name + "}").toList();
    }
}
