package dev.kiln.jvm.flight;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.IoReason;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;

/** StackSamples are the stacks of a recording's execution samples, async-profiler's or the JDK's own. */
public final class StackSamples {
    private static final String EVENT = "jdk.ExecutionSample";

    /** Lambdas and generated classes are numbered in the order in which they are made, which differs between runs. */
    private static final Pattern NUMBERED = Pattern.compile(
            "(\\$\\$Lambda|LambdaForm\\$[A-Za-z]+|GeneratedMethodAccessor|\\$\\$SpringCGLIB\\$\\$)[.$/0-9a-fx+]*");

    /** JDK 21 and newer have it below {@code Thread.run}: with it no stack would be that of an older JDK. */
    private static final String RUN_WITH = "java.lang.Thread.runWith";

    private StackSamples() {}

    /** Reads a recording's samples from a moment on. */
    public static Stacks read(Path recording, Instant from) {
        Map<String, Long> stacks = new HashMap<>();
        Optional<String> broken = stream(recording, event -> {
            RecordedStackTrace trace = event.getStackTrace();
            if (trace != null && !event.getStartTime().isBefore(from)) {
                stacks.merge(text(trace.getFrames()), 1L, Long::sum);
            }
        });
        if (broken.isPresent()) {
            throw KilnException.usage(
                    "cannot read " + recording + ": " + broken.get(), "name a run with a whole recording");
        }
        return new Stacks(stacks);
    }

    /** Returns why it stopped early, or empty. */
    private static Optional<String> stream(Path recording, Consumer<RecordedEvent> sample) {
        try {
            FlightChunks chunks = FlightChunks.scan(recording);
            if (!chunks.sound()) {
                return chunks.gaps().stream()
                        .findFirst()
                        .or(() -> Optional.of("the JVM was killed while it wrote the recording"));
            }
            return chunks.chunks().isEmpty()
                    ? Optional.of("it is empty")
                    : FlightStream.read(recording, chunks.chunks().size(), stream -> stream.on(EVENT, sample));
        } catch (IOException e) {
            return Optional.of(IoReason.of(e));
        }
    }

    private static String text(List<RecordedFrame> frames) {
        StringBuilder text = new StringBuilder();
        for (RecordedFrame frame : frames.reversed()) {
            String name = name(frame);
            if (!name.equals(RUN_WITH)) {
                text.append(text.isEmpty() ? "" : ";").append(name);
            }
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
        return plain(whole.replace(';', ':'));
    }

    /** Returns the name of a frame without the numbers that differ between runs. */
    static String plain(String frame) {
        return NUMBERED.matcher(frame).replaceAll("$1");
    }

    /** Stacks count the samples of a profile by frames from the outermost in, joined by {@code ;}. */
    public record Stacks(Map<String, Long> samples) {
        public Stacks {
            samples = Collections.unmodifiableMap(new TreeMap<>(samples));
        }

        public Stacks plus(Stacks other) {
            Map<String, Long> all = new TreeMap<>(samples);
            other.samples.forEach((stack, count) -> all.merge(stack, count, Long::sum));
            return new Stacks(all);
        }

        public long total() {
            return samples.values().stream().mapToLong(Long::longValue).sum();
        }
    }
}
