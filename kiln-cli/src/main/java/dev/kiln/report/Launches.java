package dev.kiln.report;

import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.Secrets;
import dev.kiln.model.run.Machine.JvmInfo;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.RunInfo.Typed;
import dev.kiln.model.run.Treatment.AotUse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Launches says how each variant was launched: its JDK, how its command differs, what Kiln put around it. */
public final class Launches {
    /** The last words that Kiln puts in front of a command. */
    private static final List<String> IN_FRONT = List.of("--pdeathsig", "KILL", "--");

    /** The pattern matches words to which a shell gives no special meaning. */
    private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

    private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{[^}]*}");

    private Launches() {}

    /** Returns one line for all variants that have the same JDK; none if no JVM was found. */
    public static List<String> jdks(ExperimentResult result) {
        Map<String, List<String>> variants = byJdk(result);
        List<String> lines = new ArrayList<>();
        variants.forEach((jdk, names) ->
                lines.add((variants.size() == 1 ? "JDK: " : "JDK of " + String.join(", ", names) + ": ") + jdk));
        return lines;
    }

    /** Returns the names of the variants by their JDK; none if no JVM was found. */
    public static Map<String, List<String>> byJdk(ExperimentResult result) {
        Map<String, List<String>> variants = new LinkedHashMap<>();
        if (result.launches().values().stream().anyMatch(info -> info.jvm().isPresent())) {
            result.launches()
                    .forEach((name, info) -> variants.computeIfAbsent(jdk(info), first -> new ArrayList<>())
                            .add(name));
        }
        return variants;
    }

    private static String jdk(RunInfo info) {
        return info.jvm().map(JvmInfo::text).orElse("no JVM was seen");
    }

    /**
     * Returns what a variant has and the first one has not, each with a sign in front: {@code +} is added, {@code
     * \u2212} is left out. Empty if one of the two launches is not known.
     */
    public static Optional<List<String>> differences(ExperimentResult result, String variant) {
        Optional<RunInfo> known = typed(result, variant);
        Optional<RunInfo> held = typed(result, result.variants().getFirst().name());
        if (known.isEmpty() || held.isEmpty()) {
            return Optional.empty();
        }
        RunInfo info = known.get();
        RunInfo first = held.get();
        List<String> found = new ArrayList<>();
        if (!jdk(info).equals(jdk(first))) {
            found.add("JDK: " + jdk(info) + " instead of " + jdk(first));
        }
        if (program(info).equals(program(first))) {
            int before = found.size();
            add(found, words(info), words(first));
            if (found.size() == before && !words(info).equals(words(first))) {
                found.add("the order of its words");
            }
        } else {
            found.add("another command");
        }
        add(found, environment(info), environment(first));
        add(found, around(info), around(first));
        return Optional.of(found);
    }

    private static Optional<RunInfo> typed(ExperimentResult result, String variant) {
        return Optional.ofNullable(result.launches().get(variant))
                .filter(info -> info.launch().typed().isPresent());
    }

    private static void add(List<String> found, List<String> mine, List<String> theirs) {
        without(mine, theirs).forEach(word -> found.add("+ " + word));
        without(theirs, mine).forEach(word -> found.add("\u2212 " + word));
    }

    private static List<String> without(List<String> all, List<String> less) {
        List<String> rest = new ArrayList<>(all);
        less.forEach(rest::remove);
        return rest;
    }

    /** Returns the program of the command, without its folder if it is {@code java}: another line has the JDK. */
    static String program(RunInfo info) {
        String program = info.launch().typed().orElseThrow().command().getFirst();
        return program.endsWith("/java") ? "java" : program;
    }

    static List<String> words(RunInfo info) {
        List<String> command = info.launch().typed().orElseThrow().command();
        return Secrets.HIDDEN.command(command.subList(1, command.size()));
    }

    private static List<String> environment(RunInfo info) {
        return Facts.environment(info.launch().typed().orElseThrow().environment()).entrySet().stream()
                .map(variable -> variable.getKey() + "=" + variable.getValue())
                .toList();
    }

    /** Returns how a variant was measured beyond its command: modifiers, instruments, AOT cache, machine. */
    private static List<String> around(RunInfo info) {
        List<String> all = new ArrayList<>();
        info.treatment().modifiers().forEach(modifier -> all.add("with " + modifier));
        info.treatment().instruments().forEach(instrument -> all.add("watched by " + instrument));
        info.treatment().aot().map(AotUse::trained).ifPresent(how -> all.add("with an AOT cache (" + how + ")"));
        info.remote().ifPresent(remote -> all.add("on " + remote.name()));
        return all;
    }

    /** Returns the command as a shell reads it; empty if nothing is known of the launch. */
    public static Optional<String> command(RunInfo info) {
        return info.launch().typed().map(typed -> {
            List<String> words = new ArrayList<>();
            Facts.environment(typed.environment()).forEach((name, value) -> words.add(name + "=" + shell(value)));
            Secrets.HIDDEN.command(typed.command()).forEach(word -> words.add(shell(word)));
            return String.join(" ", words);
        });
    }

    /** Returns a word quoted so that a shell reads it unchanged. */
    public static String shell(String word) {
        return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }

    /** Returns what Kiln put around the command, a line each; empty if the typed command is not known. */
    public static List<String> aroundIt(RunInfo info) {
        if (info.launch().typed().isEmpty()) {
            return List.of();
        }
        Typed typed = info.launch().typed().get();
        List<String> command = info.command();
        int front = Collections.indexOfSubList(command, IN_FRONT);
        int from = front < 0 ? 0 : front + IN_FRONT.size();
        int program =
                command.subList(from, command.size()).indexOf(typed.command().getFirst());
        List<String> lines = new ArrayList<>();
        front(lines, command.subList(0, from));
        // Of a command without the program nothing is known to be Kiln's.
        if (program >= 0) {
            add(lines, "in front: ", command.subList(from, from + program));
            add(lines, "JVM flags: ", added(typed.command(), command.subList(from + program, command.size())));
        }
        add(lines, "environment: ", variables(typed.environment(), info.launch().environment()));
        return lines;
    }

    /** Adds in words where the process runs; the whole command is among the facts of the run. */
    private static void front(List<String> lines, List<String> words) {
        for (int i = 0; i < words.size(); i++) {
            if (words.get(i).endsWith("taskset") && i + 2 < words.size()) {
                lines.add("on CPU " + words.get(i + 2));
            }
            if (words.get(i).startsWith("/sys/fs/cgroup/")) {
                lines.add("in the cgroup " + words.get(i));
            }
        }
        if (!words.isEmpty()) {
            lines.add("in a session of its own that ends with Kiln");
        }
    }

    private static void add(List<String> lines, String what, List<String> words) {
        if (!words.isEmpty()) {
            lines.add(what
                    + Secrets.HIDDEN.command(words).stream()
                            .map(Launches::shell)
                            .collect(Collectors.joining(" ")));
        }
    }

    /** Returns Kiln's flags, which stand together behind those that were typed. */
    private static List<String> added(List<String> typed, List<String> launched) {
        int more = launched.size() - typed.size();
        int at = 0;
        while (at < typed.size() && at < launched.size() && matches(typed.get(at), launched.get(at))) {
            at++;
        }
        return more <= 0 || at + more > launched.size() ? List.of() : launched.subList(at, at + more);
    }

    private static List<String> variables(Map<String, String> typed, Map<String, String> launched) {
        SortedMap<String, String> more = new TreeMap<>(launched);
        typed.forEach((name, value) -> {
            if (matches(value, launched.getOrDefault(name, ""))) {
                more.remove(name);
            }
        });
        return Facts.environment(more).entrySet().stream()
                .map(variable -> variable.getKey() + "=" + variable.getValue())
                .toList();
    }

    /** Tells whether the typed word became the other one when its placeholders were filled. */
    private static boolean matches(String typed, String filled) {
        String pattern =
                PLACEHOLDER.splitAsStream(typed + "\n").map(Pattern::quote).collect(Collectors.joining(".*"));
        return (filled + "\n").matches("(?s)" + pattern);
    }
}
