package dev.kiln.plan;

import dev.kiln.model.JdkChoice;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** A JDK in one text: a version or a home directory. */
final class JdkText {
    static final String EXPECTED = "a version such as 21, the home directory of a JDK, or a map with version or path";

    /** Of java.lang.Runtime.Version, without what follows the numbers. */
    private static final Pattern VERSION = Pattern.compile("[1-9]\\d{0,3}(\\.\\d{1,4}){0,5}");

    private JdkText() {}

    /** A directory that is called like a version is meant when it is written {@code ./21}. */
    static JdkChoice parse(String text, Path base) {
        if (VERSION.matcher(text).matches()) {
            return new JdkChoice.Version(text, false);
        }
        CommandPaths.existing(text, base, "no such directory or version");
        return new JdkChoice.Home(CommandPaths.jdk(text, base));
    }

    static String version(String text) {
        if (!VERSION.matcher(text).matches()) {
            throw BadValue.of("'" + text + "'", "a version such as 21 or 21.0.8");
        }
        return text;
    }

    static String show(JdkChoice jdk) {
        return switch (jdk) {
            case JdkChoice.Home home -> home.text();
            case JdkChoice.Version version ->
                version.text() + ", found on this machine"
                        + (version.optional() ? "; where there is none, the variant is left out" : "");
        };
    }
}
