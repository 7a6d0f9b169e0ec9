package dev.kiln.tune;

import dev.kiln.model.experiment.JvmOptions.ToolOptions;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Variant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A WrittenCure is what the files of a cure say, read back from these files by the rules of the programs that they are for.
 *
 * @param environment of {@code service.env}, as docker takes it
 * @param unit settings of {@code systemd.conf}, without its environment
 * @param removed flags that are to be removed from the command line
 * @param missing what neither file can say
 * @param faults what the two files, or two readers of one, say differently
 */
record WrittenCure(
        Map<String, String> environment,
        Map<String, String> unit,
        List<String> removed,
        List<String> missing,
        List<String> faults) {
    private static final String COMMENT = "# ";
    private static final String ENVIRONMENT = "Environment";

    /** A CPU limit of systemd is a share of one CPU. */
    private static final Pattern QUOTA = Pattern.compile("([0-9.]+)%");

    static WrittenCure of(String service, String systemd) {
        Map<String, String> environment = pairs(service.lines());
        Map<String, String> unit = new LinkedHashMap<>();
        Map<String, String> ofUnit = new LinkedHashMap<>();
        systemd.lines().filter(line -> !line.startsWith("[")).forEach(line -> {
            Map<String, String> setting = pairs(Stream.of(line));
            unit.putAll(setting);
            Optional.ofNullable(setting.get(ENVIRONMENT))
                    .ifPresent(quoted -> ofUnit.putAll(pairs(Stream.of(unquoted(quoted)))));
        });
        unit.remove(ENVIRONMENT);
        List<String> missing = new ArrayList<>(comments(service, Cure.MISSING));
        missing.retainAll(comments(systemd, Cure.MISSING));
        return new WrittenCure(environment, unit, removed(service), missing, faults(environment, ofUnit));
    }

    /** Returns what is assigned, to the end of each line, as docker does. */
    private static Map<String, String> pairs(Stream<String> lines) {
        Map<String, String> pairs = new LinkedHashMap<>();
        lines.filter(line -> !line.startsWith("#")).forEach(line -> {
            int equals = line.indexOf('=');
            if (equals > 0) {
                pairs.put(line.substring(0, equals), line.substring(equals + 1));
            }
        });
        return pairs;
    }

    /** Returns an assignment in quotes as systemd reads it. */
    private static String unquoted(String quoted) {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i < quoted.length() - 1; i++) {
            boolean escaped = quoted.charAt(i) == '\\' || quoted.startsWith("%%", i);
            text.append(quoted.charAt(escaped ? ++i : i));
        }
        return text.toString();
    }

    private static List<String> comments(String text, String beginning) {
        return text.lines()
                .filter(line -> line.startsWith(COMMENT + beginning))
                .map(line -> line.substring((COMMENT + beginning).length()))
                .toList();
    }

    private static List<String> removed(String text) {
        return comments(text, Cure.REMOVE).stream()
                .filter(line -> line.contains(Cure.FROM_COMMAND))
                .map(line -> line.substring(0, line.indexOf(Cure.FROM_COMMAND)))
                .toList();
    }

    private static List<String> faults(Map<String, String> environment, Map<String, String> ofUnit) {
        List<String> faults = new ArrayList<>();
        environment.forEach((name, value) -> {
            if (!value.equals(ofUnit.get(name))) {
                faults.add("systemd.conf has another value of " + name);
            }
            if (!isPlainForSystemd(value)) {
                faults.add("as an EnvironmentFile of systemd it has another value of " + name
                        + ": use systemd.conf there");
            }
        });
        return faults;
    }

    /** Systemd takes backslashes, outer quotes and outer blanks away from a value of an EnvironmentFile. */
    private static boolean isPlainForSystemd(String value) {
        return value.indexOf('\\') < 0
                && value.equals(value.strip())
                && !value.startsWith("\"")
                && !value.startsWith("'");
    }

    /** Returns the limits of systemd.conf that Kiln can set as well. */
    List<Modifier> limits() {
        List<Modifier> limits = new ArrayList<>();
        unit.forEach((name, value) -> {
            Matcher quota = QUOTA.matcher(value);
            if (name.equals("CPUQuota") && quota.matches()) {
                limits.add(new Modifier.CpuQuota(Double.parseDouble(quota.group(1)) / 100));
            } else if (name.equals("MemoryMax")) {
                limits.add(new Modifier.MemoryLimit(Long.parseLong(value)));
            }
        });
        return limits;
    }

    /** Returns the flags that the environment gives to a JVM. */
    List<String> flags() {
        return ToolOptions.parse(environment.getOrDefault(ToolOptions.NAME, "")).flags();
    }

    /** Returns what is to be said of files that set nothing. */
    String nothing() {
        return missing.isEmpty() ? "it sets nothing" : "it sets nothing: it cannot say " + String.join(", ", missing);
    }

    /** Tells whether there is anything in the files that a launch can have. */
    boolean isEmpty() {
        return environment.isEmpty() && limits().isEmpty();
    }

    /** Returns the baseline with what the files say, and nothing else of the cure. */
    Variant variant(Variant baseline, String name) {
        Target before = baseline.target();
        Target.Program program = before.program();
        Map<String, String> variables = new HashMap<>(program.environment());
        variables.putAll(environment);
        List<Modifier> modifiers = new ArrayList<>(before.modifiers());
        limits().forEach(limit -> {
            modifiers.removeIf(other -> other.name().equals(limit.name())
                    || (limit instanceof Modifier.CpuQuota && other instanceof Modifier.BoostedStart));
            modifiers.add(limit);
        });
        Target.Jvm jvm = before.jvm();
        return baseline.named(name)
                .with(new Target(
                        new Target.Program(
                                program.workload(),
                                program.virtualThreads(),
                                kept(program.command()),
                                program.arguments(),
                                variables,
                                program.workingDirectory(),
                                program.backend()),
                        new Target.Jvm(jvm.jdk(), kept(jvm.ownFlags()), kept(jvm.modifierFlags()), jvm.aot()),
                        before.readiness(),
                        modifiers,
                        before.where(),
                        before.hooks()));
    }

    private List<String> kept(Collection<String> words) {
        List<String> kept = new ArrayList<>(words);
        removed.forEach(kept::remove);
        return kept;
    }
}
