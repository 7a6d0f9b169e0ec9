package dev.kiln.aot;

import dev.kiln.console.NextStep;
import dev.kiln.model.AotSight;
import dev.kiln.model.AotSight.Fault;
import dev.kiln.model.AotSight.Reason;
import dev.kiln.model.AotSight.Used;
import dev.kiln.report.JsonOut;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** AotVerdict tells people and scripts whether a JVM accepts an AOT cache, and why it does not. */
public final class AotVerdict {
    /** Another training by the same command makes a cache that the JVM takes, where it is for one of these reasons. */
    private static final Set<String> OTHER_CACHE = Set.of(
            "no-file",
            "damaged",
            "no-cache-format",
            "jdk-build",
            "modules",
            "object-headers",
            "pointers",
            "alignment",
            "option",
            "class-path",
            "changed-jar");

    private static final String CACHE = "-XX:AOTCache=";

    private AotVerdict() {}

    /** Returns what may follow where a command was asked: its cache is made anew, or shows what it gains. */
    static List<NextStep> next(AotSight check, List<String> command) {
        Optional<String> cache =
                command.stream().filter(word -> word.startsWith(CACHE)).reduce((first, last) -> last);
        if (cache.isEmpty()) {
            return List.of();
        }
        List<String> without =
                command.stream().filter(word -> !word.startsWith(CACHE)).toList();
        if (check.accepted()) {
            return List.of(starts(without, command, Optional.empty()));
        }
        return check.reasons().stream().map(Reason::id).allMatch(OTHER_CACHE::contains)
                ? List.of(new NextStep(
                        "kiln aot train --out "
                                + NextStep.word(cache.get().substring(CACHE.length()))
                                + " --for 20s -- " + NextStep.words(without),
                        "makes it anew"))
                : List.of();
    }

    /** Compares the starts of a command with and without the cache; {@code ready} is for one that does not end. */
    static NextStep starts(List<String> without, List<String> with, Optional<String> ready) {
        return new NextStep(
                "kiln startup "
                        + ready.map(sign -> "--ready " + NextStep.words(List.of(sign)) + " ")
                                .orElse("") + NextStep.word(NextStep.words(without)) + " "
                        + NextStep.word(NextStep.words(with)),
                "how much sooner it starts" + (ready.isPresent() ? "" : " (a service needs --ready URL)"));
    }

    public static String json(AotSight check) {
        return JsonOut.render(out -> {
            out.flag("accepted", check.accepted());
            out.text("cache", check.cache().map(Object::toString));
            out.text("jdk", check.jdkVersion());
            out.text("jdkHome", check.jdkHome().toString());
            out.objects("reasons", check.reasons(), reason -> {
                out.text("id", reason.id());
                out.text("text", reason.text());
                out.text("remedy", reason.remedy());
            });
            out.object("used", check.used(), used -> {
                out.integer("classes", used.classes());
                out.integer("profiles", used.profiles());
                out.integer("heapBytes", used.heapBytes());
                out.integer("code", used.code());
            });
            out.objects("knownFaults", check.faults(), fault -> {
                out.text("id", fault.id());
                out.text("text", fault.text());
                out.text("remedy", fault.remedy());
                out.texts("fixedIn", fault.fixed());
                out.text("source", fault.source());
                out.text("asOf", Fault.AS_OF);
            });
        });
    }

    public static String text(AotSight check) {
        List<String> lines = new ArrayList<>();
        String jdk = "JDK " + check.jdkVersion() + " (" + check.jdkHome() + ")";
        lines.add(headline(check, jdk));
        check.used().map(AotVerdict::used).ifPresent(lines::add);
        for (Reason reason : check.reasons()) {
            lines.add("");
            lines.add(
                    (check.accepted() ? "A part is not used: " : "Why: ") + reason.text() + ". [" + reason.id() + "]");
            lines.add("What to do: " + reason.remedy() + ".");
        }
        if (!check.faults().isEmpty()) {
            lines.add("");
            lines.add("Known faults of this JDK with AOT caches, as of " + Fault.AS_OF + ":");
        }
        for (Fault fault : check.faults()) {
            String fixed = fault.fixed().isEmpty() ? "no fix is known" : "fixed in " + String.join(", ", fault.fixed());
            lines.add("- " + fault.id() + " (" + fixed + "): " + fault.text() + ". Way round: " + fault.remedy()
                    + ". Source: " + fault.source() + ".");
        }
        return String.join(System.lineSeparator(), lines) + System.lineSeparator();
    }

    /** Returns the first sentence: whether the JVM accepts the cache, or uses none. */
    private static String headline(AotSight check, String jdk) {
        return check.cache()
                .map(cache -> check.accepted()
                        ? jdk + " accepts " + cache + "."
                        : cache + " does not fit this command with " + jdk + ".")
                .orElse("This command uses no AOT cache with " + jdk + ".");
    }

    private static String used(Used used) {
        List<String> parts = new ArrayList<>();
        parts.add(
                used.classes().isPresent()
                        ? String.format(
                                Locale.ROOT,
                                "%,d classes at once",
                                used.classes().getAsInt())
                        : "classes when they are first needed (none is linked)");
        parts.add(
                used.profiles() == 0
                        ? "no profiles"
                        : String.format(Locale.ROOT, "profiles of %,d methods", used.profiles()));
        parts.add(
                used.heapBytes().isPresent()
                        ? String.format(
                                Locale.ROOT,
                                "%.1f MB of objects",
                                used.heapBytes().getAsLong() / 1e6)
                        : "no objects");
        parts.add(
                used.code().isPresent()
                        ? String.format(
                                Locale.ROOT,
                                "%,d pieces of machine code",
                                used.code().getAsInt())
                        : "no machine code");
        return "It takes from it: " + String.join(", ", parts) + ".";
    }
}
