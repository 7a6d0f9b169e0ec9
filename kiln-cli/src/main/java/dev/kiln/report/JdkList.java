package dev.kiln.report;

import dev.kiln.jvm.JdkProbe.JdkSight;
import dev.kiln.jvm.JdkProbe.JdkSight.Ability;
import java.util.List;
import java.util.stream.Collectors;

/** {@code kiln jdks}: what is found, and what can be observed of it. */
public final class JdkList {
    private JdkList() {}

    public static String text(List<JdkSight> jdks, TerminalStyle style) {
        if (jdks.isEmpty()) {
            return "No JDK was found.\n";
        }
        List<String> lines = Grid.of(
                        List.of("VERSION", "VENDOR", "ARCHITECTURE", "HOME"),
                        jdks.stream()
                                .map(jdk -> List.of(
                                        jdk.version(),
                                        jdk.vendor(),
                                        jdk.architecture(),
                                        jdk.home().toString()))
                                .toList(),
                        1,
                        2,
                        3)
                .least(9, 17, 12)
                .terminal(style.withoutColour())
                .lines()
                .toList();
        StringBuilder text = new StringBuilder(style.bold(lines.getFirst()) + "\n");
        for (int i = 0; i < jdks.size(); i++) {
            String seen = jdks.get(i).abilities().stream()
                    .filter(ability -> ability.whyNot().isEmpty())
                    .map(Ability::name)
                    .collect(Collectors.joining(", "));
            text.append(lines.get(i + 1)).append('\n');
            text.append(style.paragraph("  observable: ", seen.isEmpty() ? "nothing" : seen));
            blind(jdks.get(i)).forEach(why -> text.append(style.paragraph("  not: ", why, style::dim)));
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

    public static String json(List<JdkSight> jdks) {
        return JsonOut.render(out -> out.objects("jdks", jdks, jdk -> {
            out.text("home", jdk.home().toString());
            out.text("version", jdk.version());
            out.integer("feature", jdk.feature());
            out.text("vendor", jdk.vendor());
            out.text("architecture", jdk.architecture());
            out.objects("abilities", jdk.abilities(), ability -> {
                out.text("id", ability.id());
                out.flag("observable", ability.whyNot().isEmpty());
                out.text("why", ability.whyNot());
            });
        }));
    }
}
