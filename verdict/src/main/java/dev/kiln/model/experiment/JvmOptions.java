package dev.kiln.model.experiment;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** JvmOptions reads the options of {@code java}. Of one that is given twice, HotSpot takes the last. */
public final class JvmOptions {
    /** These options have the next word as their value; they say where code is found, and not how it runs. */
    private static final Set<String> WITH_VALUE = Set.of(
            "-cp",
            "-classpath",
            "--class-path",
            "-p",
            "--module-path",
            "--upgrade-module-path",
            "--add-modules",
            "--limit-modules",
            "--add-exports",
            "--add-opens",
            "--add-reads",
            "--patch-module",
            "--source",
            "--enable-native-access");

    private static final Set<String> WHAT_TO_RUN = Set.of("-jar", "-m", "--module");

    /** A JVM with two options that choose a collector does not start. */
    private static final Pattern COLLECTOR = Pattern.compile("-XX:\\+Use\\w+GC");

    /** The options choose between interpreter and compilers; HotSpot takes the last. */
    private static final Set<String> MODES = Set.of("-Xint", "-Xmixed", "-Xcomp");

    private JvmOptions() {}

    /** Tells whether a program is {@code java}, which takes options directly. */
    public static boolean isJava(String program) {
        Path executable = Path.of(program).getFileName();
        return executable != null && executable.toString().equals("java");
    }

    /** A Given is a word before a program's own arguments, with the value that belongs to it, or empty. */
    public record Given(String word, String value) {
        /** Returns the word without a value. */
        public String name() {
            return word.startsWith("--") ? word.replaceFirst("=.*", "") : word;
        }

        private boolean isOption() {
            return word.startsWith("-") && !WHAT_TO_RUN.contains(name());
        }
    }

    /** Returns a {@code java} command's words up to its main class, jar, or file of arguments. */
    public static List<Given> beforeMain(List<String> command) {
        List<Given> words = new ArrayList<>();
        for (int i = 1; i < command.size(); i++) {
            String word = command.get(i);
            boolean two = WITH_VALUE.contains(word) || WHAT_TO_RUN.contains(word);
            int equals = word.startsWith("--") ? word.indexOf('=') : -1;
            String value = two && i + 1 < command.size() ? command.get(i + 1) : "";
            words.add(new Given(word, equals < 0 ? value : word.substring(equals + 1)));
            if (!words.getLast().isOption()) {
                break;
            }
            i += two ? 1 : 0;
        }
        return words;
    }

    /** Returns the options of one word before the main class or the jar; none of a command that is not {@code java}. */
    public static List<String> ofCommand(List<String> command) {
        if (command.isEmpty() || !isJava(command.getFirst())) {
            return new ArrayList<>();
        }
        return beforeMain(command).stream()
                .filter(given -> given.isOption() && !WITH_VALUE.contains(given.word))
                .map(Given::word)
                .toList();
    }

    /** Returns all options of a target: the flags that it gets, then those of its command, which win. */
    public static List<String> of(Target target) {
        List<String> options = new ArrayList<>(target.jvmFlags());
        options.addAll(ofCommand(target.command()));
        return options;
    }

    /** Returns a command without the options that contradict one of the others. */
    public static List<String> without(List<String> command, List<String> others) {
        List<String> left = new ArrayList<>(command);
        ofCommand(command).stream()
                .filter(option -> others.stream().anyMatch(other -> contradict(option, other)))
                .forEach(left::remove);
        return left;
    }

    /** Tells whether two options set the same thing differently, so that only one of them can take effect. */
    public static boolean contradict(String one, String other) {
        return !one.equals(other) && what(one).equals(what(other));
    }

    private static String what(String option) {
        if (COLLECTOR.matcher(option).matches()) {
            return "collector";
        }
        if (MODES.contains(option)) {
            return "mode";
        }
        return option.replaceFirst("=.*", "")
                .replaceFirst("^-XX:[+-]", "-XX:")
                .replaceFirst("^-XX:MaxHeapSize$", "-Xmx")
                .replaceFirst("^(-Xm[xsn]).*", "$1");
    }

    /** ToolOptions are the flags in the variable that every JVM reads; those of its command line win. */
    public record ToolOptions(List<String> flags) {
        public static final String NAME = "JAVA_TOOL_OPTIONS";

        public ToolOptions {
            flags = List.copyOf(flags);
        }

        /** Reads the variable as a JVM does: it splits at blanks outside quotes, and takes the quotes away. */
        public static ToolOptions parse(String value) {
            List<String> flags = new ArrayList<>();
            StringBuilder flag = new StringBuilder();
            char quote = 0;
            for (char c : (value + " ").toCharArray()) {
                if (c == quote) {
                    quote = 0;
                } else if (quote == 0 && (c == '"' || c == '\'')) {
                    quote = c;
                } else if (quote == 0 && Character.isWhitespace(c)) {
                    if (!flag.isEmpty()) {
                        flags.add(flag.toString());
                        flag.setLength(0);
                    }
                } else {
                    flag.append(c);
                }
            }
            return new ToolOptions(flags);
        }

        /** Returns these flags and others behind them, without those that contradict the others. */
        public ToolOptions and(List<String> others) {
            return new ToolOptions(Stream.concat(
                            flags.stream()
                                    .filter(flag ->
                                            others.stream().noneMatch(other -> JvmOptions.contradict(flag, other))),
                            others.stream())
                    .toList());
        }

        /** Returns the value of the variable that has these flags. */
        public String text() {
            return flags.stream().map(ToolOptions::quoted).collect(Collectors.joining(" "));
        }

        /** The quotes begin behind the flag's name, for systemd would remove quotes at the beginning of a value. */
        private static String quoted(String flag) {
            if (flag.chars().noneMatch(c -> Character.isWhitespace(c) || c == '"' || c == '\'')) {
                return flag;
            }
            int begin = flag.indexOf('=') + 1;
            String value = flag.substring(begin);
            String inQuotes = value.indexOf('"') < 0
                    ? '"' + value + '"'
                    : value.indexOf('\'') < 0 ? "'" + value + "'" : '"' + value.replace("\"", "\"'\"'\"") + '"';
            return flag.substring(0, begin) + inQuotes;
        }
    }
}
