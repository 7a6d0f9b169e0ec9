package dev.kiln.jvm;

import dev.kiln.model.IoReason;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.Stacks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/** The stacks of a recording's execution samples, async-profiler's or the JDK's own. */
public final class StackSamples {
    private static final String EVENT = "jdk.ExecutionSample";

    /** Lambdas and generated classes are numbered in the order of their making, which differs from run to run. */
    private static final Pattern NUMBERED = Pattern.compile(
            "(\\$\\$Lambda|LambdaForm\\$[A-Za-z]+|GeneratedMethodAccessor|\\$\\$SpringCGLIB\\$\\$)[.$/0-9a-fx+]*");

    private StackSamples() {}

    /**
     * Reads a recording.
     *
     * @param from samples before it are left out
     */
    public static Stacks read(Path recording, Instant from) {
        Map<String, Long> stacks = new HashMap<>();
        try (RecordingFile file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                RecordedStackTrace trace = event.getStackTrace();
                if (event.getEventType().getName().equals(EVENT)
                        && trace != null
                        && !event.getStartTime().isBefore(from)) {
                    stacks.merge(text(trace.getFrames()), 1L, Long::sum);
                }
            }
        } catch (IOException e) {
            throw new KilnException(
                    Exit.USAGE,
                    "cannot read " + recording + ": " + IoReason.of(e),
                    "name a run with a whole recording",
                    e);
        }
        return new Stacks(stacks);
    }

    private static String text(List<RecordedFrame> frames) {
        StringBuilder text = new StringBuilder();
        for (RecordedFrame frame : frames.reversed()) {
            if (!text.isEmpty()) {
                text.append(';');
            }
            text.append(name(frame));
        }
        return text.toString();
    }

    private static String name(RecordedFrame frame) {
        RecordedMethod method = frame.getMethod();
        if (method == null) {
            return "unknown";
        }
        String type = method.getType() == null ? "" : method.getType().getName();
        String whole = (type.isEmpty() ? "" : type + ".") + method.getName();
        return NUMBERED.matcher(whole.replace(';', ':')).replaceAll("$1");
    }
}
