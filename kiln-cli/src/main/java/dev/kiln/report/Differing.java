package dev.kiln.report;

import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.Modifier.VirtualThreads;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Treatment.AotUse;
import dev.kiln.text.Show;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Differing is one thing in which the variants of an experiment differ: {@code threads: platform | virtual}.
 *
 * @param values in the order of the variants; a dash for one that has nothing of the kind
 */
public record Differing(String key, List<String> values) {
    private static final String THREADS = "threads";
    private static final Pattern SWITCH = Pattern.compile("(-XX:)([+-])(\\w+)");
    private static final Pattern SIZE = Pattern.compile("(-X(?:mx|ms|mn|ss))(\\w+)");
    private static final Pattern SET = Pattern.compile("(-[^=]+)=(.*)", Pattern.DOTALL);

    public Differing {
        values = List.copyOf(values);
    }

    /**
     * Returns all in which the variants differ, or may: values that are hidden all look alike. It is empty if there is
     * one variant alone, and if a launch is not known so that nothing can be said of it.
     */
    public static Optional<List<Differing>> of(ExperimentResult result) {
        List<RunInfo> infos = result.variants().stream()
                .flatMap(variant -> Optional.ofNullable(result.launches().get(variant.name())).stream())
                .toList();
        if (infos.size() < 2 || infos.size() < result.variants().size()) {
            return Optional.empty();
        }
        boolean typed = infos.stream().allMatch(info -> info.launch().typed().isPresent());
        List<Map<String, String>> all =
                infos.stream().map(info -> all(info, typed)).toList();
        Set<String> keys = new LinkedHashSet<>();
        all.forEach(of -> keys.addAll(of.keySet()));
        List<Differing> found = keys.stream()
                .map(key -> new Differing(
                        key,
                        all.stream()
                                .map(of -> of.getOrDefault(key, Show.ABSENT))
                                .toList()))
                .filter(one -> one.values.stream().distinct().count() > 1 || one.isHidden())
                .toList();
        return typed || !found.isEmpty() ? Optional.of(found) : Optional.empty();
    }

    /** Tells whether the values look alike because they are hidden: nobody is told whether they differ. */
    public boolean isHidden() {
        return values.stream().distinct().count() == 1 && values.getFirst().contains(Secrets.MASK);
    }

    private static Map<String, String> all(RunInfo info, boolean typed) {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("JDK", info.jvm().map(jvm -> jvm.vendor() + " " + jvm.version()).orElse("no JVM was seen"));
        around(info, all);
        if (typed) {
            all.put("program", Launches.program(info));
            Launches.words(info).forEach(word -> word(all, word));
            Facts.environment(info.launch().typed().orElseThrow().environment())
                    .forEach((name, value) -> add(all, name, value));
        }
        if (info.load().connections() > 0) {
            all.put("connections", Integer.toString(info.load().connections()));
        }
        info.load().rate().ifPresent(rate -> all.put("requests per second offered", Show.three(rate)));
        return all;
    }

    /** Adds how a variant was measured beyond its command. */
    private static void around(RunInfo info, Map<String, String> all) {
        List<String> modifiers = info.treatment().modifiers();
        all.put(THREADS, modifiers.contains(VirtualThreads.NAME) ? "virtual" : "platform");
        for (String modifier : modifiers) {
            String[] parts = modifier.split(": ", 2);
            if (!modifier.equals(VirtualThreads.NAME)) {
                add(all, parts[0], parts.length > 1 ? parts[1] : "yes");
            }
        }
        info.treatment().instruments().forEach(instrument -> add(all, "watched by", instrument));
        info.treatment().aot().map(AotUse::trained).ifPresent(how -> add(all, "AOT cache", how));
        info.remote().ifPresent(remote -> add(all, "machine", remote.name()));
    }

    private static void word(Map<String, String> all, String word) {
        Matcher flag = SWITCH.matcher(word);
        Matcher size = SIZE.matcher(word);
        Matcher set = SET.matcher(word);
        if (flag.matches()) {
            add(all, flag.group(1) + flag.group(3), flag.group(2).equals("+") ? "on" : "off");
        } else if (size.matches()) {
            add(all, size.group(1), size.group(2));
        } else if (set.matches()) {
            add(all, set.group(1).replaceFirst("^-D", ""), set.group(2));
        } else if (word.startsWith("-")) {
            add(all, word, "yes");
        } else {
            add(all, "arguments", word);
        }
    }

    /** A key that comes again has all its values. */
    private static void add(Map<String, String> all, String key, String value) {
        all.merge(key, value, (before, more) -> before + " " + more);
    }
}
