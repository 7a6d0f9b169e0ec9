package dev.kiln.jvm;

import dev.kiln.model.run.StartupEvidence.StartSample.StartPhase;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * HotSpot's log of its own start. {@code -Xlog:startuptime} has a line for each phase, on every JDK since 17.
 * {@code -Xlog:init} has blocks on Leyden's early-access builds, which the JVM prints when it ends:
 *
 * <pre>
 *     SC Load Time:           0.202 s
 *       nmethod register:     0.135 s
 *       find cached code:     0.007 s
 * </pre>
 */
public final class StartupLog {
    private static final String DECORATIONS = "(?:\\[[^\\]]*\\])*";

    /** The JVM's phase timers print seconds with seven decimals (TraceTime). */
    private static final Pattern PHASE = Pattern.compile(DECORATIONS + " ?(\\S.*), (\\d{1,6}\\.\\d{7}) secs");

    private static final Pattern BLOCK =
            Pattern.compile(DECORATIONS + "( *)((?:SC|AOT Code) \\w+ Time): +(\\d{1,6}\\.\\d{3}) s");
    private static final Pattern PART = Pattern.compile(DECORATIONS + "( *)(\\S[^:]*): +(\\d{1,6}\\.\\d{3}) s");

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
