package dev.kiln.run;

import dev.kiln.console.ResultConsole;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.jvm.JdkProbe;
import dev.kiln.jvm.JdkProbe.JdkSight;
import dev.kiln.jvm.JdkProbe.JdkSight.Ability;
import dev.kiln.report.Grid;
import dev.kiln.report.JsonOut;
import dev.kiln.report.TerminalStyle;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code kiln jdks} lists the JDKs of this machine, each launched once to see what can be observed of it. */
@Command(
        name = "jdks",
        description = "Lists the JDKs that 'jdk: VERSION' searches, in this order, and what Kiln can observe of each.",
        mixinStandardHelpOptions = true)
public final class JdksCommand implements Callable<Integer> {
    @Mixin
    private final ResultConsole console = new ResultConsole();

    @Override
    public Integer call() {
        List<JdkSight> found =
                new JdkFinder().find().stream().map(JdkProbe::look).toList();
        console.print(() -> JdkList.json(found), () -> JdkList.text(found, console.style()));
        return 0;
    }

    /** A JdkList is what {@code kiln jdks} prints: what is found, and what can be observed of it. */
    public static final class JdkList {
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

        /** Returns each reason once, with all that it takes away. */
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
}
