package dev.kiln.jvm;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Flags of a JVM with the values in force, by name without {@code -XX:}. A flag without a text has the empty one. */
public record VmFlags(Map<String, String> values) {
    /** Such as {@code bool UseSerialGC = false {product} {default}}: type, name, value, kind and origin. */
    private static final Pattern LINE = Pattern.compile("\\s*\\w+ (\\w+)\\s+=(.*?)\\{[\\w ]+\\} \\{[\\w ,-]+\\}\\s*");

    private static final String PREFIX = "-XX:";

    public VmFlags {
        values = Map.copyOf(values);
    }

    /**
     * Puts the answers to {@code VM.flags -all} and {@code VM.flags} together. Only the second has diagnostic and
     * experimental flags where they are locked, if somebody or the JVM itself set them.
     */
    static Optional<VmFlags> parse(String all, String set) {
        Map<String, String> values = new HashMap<>();
        for (String line : all.lines().toList()) {
            Matcher flag = LINE.matcher(line);
            if (flag.matches()) {
                values.put(flag.group(1), flag.group(2).strip());
            }
        }
        if (values.isEmpty()) {
            return Optional.empty();
        }
        // Blanks in a value are not quoted; a new flag begins with its prefix.
        for (String flag : (" " + set.strip()).split(" " + PREFIX, -1)) {
            set(values, flag);
        }
        return Optional.of(new VmFlags(values));
    }

    private static void set(Map<String, String> values, String flag) {
        int equals = flag.indexOf('=');
        if (flag.startsWith("+") || flag.startsWith("-")) {
            values.put(flag.substring(1), Boolean.toString(flag.startsWith("+")));
        } else if (equals > 0) {
            values.put(flag.substring(0, equals), flag.substring(equals + 1));
        }
    }

    /** Empty where this JVM has no such flag, or has it locked and at its default. */
    public Optional<String> value(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** Whether it is on; empty where this JVM has no such switch, or has it locked and at its default. */
    public Optional<Boolean> isOn(String name) {
        return value(name)
                .filter(text -> text.equals("true") || text.equals("false"))
                .map(Boolean::valueOf);
    }
}
