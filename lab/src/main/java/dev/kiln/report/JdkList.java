package dev.kiln.report;

import dev.kiln.model.JdkSight;
import dev.kiln.model.JdkSight.Ability;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** {@code kiln jdks}: what is found, and what can be observed of it. */
public final class JdkList {
    private JdkList() {}

    public static String text(List<JdkSight> jdks, TerminalStyle style) {
        if (jdks.isEmpty()) {
            return "No JDK was found.\n";
        }
        StringBuilder text = new StringBuilder(style.bold(line("VERSION", "VENDOR", "ARCHITECTURE", "HOME")) + "\n");
        for (JdkSight jdk : jdks) {
            text.append(style.chars(line(
                            jdk.version(),
                            jdk.vendor(),
                            jdk.architecture(),
                            jdk.home().toString())))
                    .append('\n');
            String seen = jdk.abilities().stream()
                    .filter(ability -> ability.whyNot().isEmpty())
                    .map(Ability::name)
                    .collect(Collectors.joining(", "));
            text.append(paragraph("  observable: ", seen.isEmpty() ? "nothing" : seen, style));
            blind(jdk).forEach(why -> text.append(style.dim(paragraph("  not: ", why, style))));
        }
        return text.toString();
    }

    /** Each reason once, with all that it takes away. */
    private static List<String> blind(JdkSight jdk) {
        return jdk.abilities().stream().flatMap(ability -> ability.whyNot().stream()).distinct().toList().stream()
                .map(why -> jdk.abilities().stream()
                                .filter(ability ->
                                        ability.whyNot().filter(why::equals).isPresent())
                                .map(Ability::name)
                                .collect(Collectors.joining(", "))
                        + " (" + why + ")")
                .toList();
    }

    private static String paragraph(String first, String rest, TerminalStyle style) {
        return style.chars(Wrap.paragraph(first, rest, style.width()));
    }

    private static String line(String version, String vendor, String architecture, String home) {
        return String.format(Locale.ROOT, "%-10s %-18s %-13s %s", version, vendor, architecture, home);
    }

    public static String json(List<JdkSight> jdks) {
        StringWriter text = new StringWriter();
        try (JsonOut out = JsonOut.pretty(text)) {
            out.object(() -> out.array("jdks", () -> jdks.forEach(jdk -> out.object(() -> jdk(out, jdk)))));
        }
        return text.append('\n').toString();
    }

    private static void jdk(JsonOut out, JdkSight jdk) {
        out.text("home", jdk.home().toString());
        out.text("version", jdk.version());
        out.integer("feature", jdk.feature());
        out.text("vendor", jdk.vendor());
        out.text("architecture", jdk.architecture());
        out.array("abilities", () -> jdk.abilities().forEach(ability -> out.object(() -> ability(out, ability))));
    }

    private static void ability(JsonOut out, Ability ability) {
        out.text("id", ability.id());
        out.flag("observable", ability.whyNot().isEmpty());
        ability.whyNot().ifPresentOrElse(why -> out.text("why", why), () -> out.nothing("why"));
    }
}
