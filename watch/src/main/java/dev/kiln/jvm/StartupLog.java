package dev.kiln.jvm;

import dev.kiln.files.InputFile;
import dev.kiln.model.run.Course.StartPhase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A StartupLog is HotSpot's log of its own start. {@code -Xlog:startuptime} has a line for each phase, on every JDK
 * since 17. {@code -Xlog:init} has blocks on Leyden's early-access builds, which the JVM prints when it ends:
 *
 * <pre>
 *     SC Load Time:           0.202 s
 *       nmethod register:     0.135 s
 *       find cached code:     0.007 s
 * </pre>
 *
 * Both go to the standard output, or to a file that the flag names.
 */
public final class StartupLog {
    private static final String DECORATIONS = "(?:\\[[^\\]]*\\])*";

    /** The JVM's phase timers print seconds with seven decimals (TraceTime). */
    private static final Pattern PHASE = Pattern.compile(DECORATIONS + " ?(\\S.*), (\\d{1,6}\\.\\d{7}) secs");

    private static final Pattern BLOCK =
            Pattern.compile(DECORATIONS + "( *)((?:SC|AOT Code) \\w+ Time): +(\\d{1,6}\\.\\d{3}) s");
    private static final Pattern PART = Pattern.compile(DECORATIONS + "( *)(\\S[^:]*): +(\\d{1,6}\\.\\d{3}) s");

    /** The groups are what is logged, and the file that it goes to; its name may be in quotes. */
    private static final Pattern TO_FILE =
            Pattern.compile("-Xlog:([^:]*):(?!stdout|stderr|#)(?:file=)?(\"[^\"]+\"|[^:\"]+)(?::.*)?");

    private static final Pattern LOGGED = Pattern.compile("(?:all|init|startuptime)(?:[+*=].*)?");

    private final Map<String, Long> nanos = new LinkedHashMap<>();

    /** Indentation of the block of the last line; -1 outside blocks. */
    private int block = -1;

    private StartupLog() {}

    /** Phases in the order of their first line. JDK 25 logs some stubs twice: these are added up. */
    public static List<StartPhase> parse(String log) {
        StartupLog reading = new StartupLog();
        log.lines().map(String::stripTrailing).forEach(reading::line);
        List<StartPhase> phases = new ArrayList<>();
        reading.nanos.forEach((name, time) -> phases.add(new StartPhase(name, time)));
        return List.copyOf(phases);
    }

    /**
     * Reads the same of all that a JVM logged, once it has ended. What the standard output has, is not read again from
     * a file.
     *
     * @param output file with its standard output
     * @param command with the JVM's flags in it
     * @param directory where it ran
     * @param launchEpochMillis a file that is older is that of an earlier JVM
     */
    public static List<StartPhase> read(Path output, List<String> command, Path directory, long launchEpochMillis) {
        Map<String, StartPhase> phases = new LinkedHashMap<>();
        List<Path> logs = new ArrayList<>(List.of(output));
        for (String word : command) {
            Matcher flag = TO_FILE.matcher(word);
            if (flag.matches()
                    && Pattern.compile(",").splitAsStream(flag.group(1)).anyMatch(LOGGED.asMatchPredicate())) {
                logs.addAll(written(directory.resolve(flag.group(2).replace("\"", "")), launchEpochMillis));
            }
        }
        for (Path log : logs) {
            parse(text(log)).forEach(phase -> phases.putIfAbsent(phase.name(), phase));
        }
        return List.copyOf(phases.values());
    }

    /** The JVM puts its pid, the time and the host in place of {@code %p}, {@code %t} and {@code %hn} in the name. */
    private static List<Path> written(Path asked, long launchEpochMillis) {
        String name = "\\Q" + asked.getFileName() + "\\E";
        Pattern pattern = Pattern.compile(
                name.replace("%p", "\\E\\d+\\Q").replace("%t", "\\E[\\d_-]+\\Q").replace("%hn", "\\E.+\\Q"));
        try (Stream<Path> files = Files.list(asked.resolveSibling("."))) {
            return files.filter(file ->
                            pattern.matcher(file.getFileName().toString()).matches())
                    .filter(file -> file.toFile().lastModified() >= launchEpochMillis)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static String text(Path log) {
        try {
            return InputFile.text(log, InputFile.TABLE);
        } catch (IOException e) {
            return "";
        }
    }

    private void line(String line) {
        Matcher phase = PHASE.matcher(line);
        Matcher head = BLOCK.matcher(line);
        Matcher part = PART.matcher(line);
        if (phase.matches()) {
            add(phase.group(1), phase.group(2));
        } else if (head.matches()) {
            block = head.group(1).length();
            add(head.group(2), head.group(3));
            return;
        } else if (block >= 0 && part.matches() && part.group(1).length() > block) {
            add(part.group(2), part.group(3));
            return;
        }
        block = -1;
    }

    private void add(String name, String seconds) {
        nanos.merge(name, Math.round(Double.parseDouble(seconds) * 1e9), Long::sum);
    }
}
