package dev.kiln.jvm;

import dev.kiln.model.run.Machine.JvmInfo;
import dev.kiln.model.run.Sample.ClassSample;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.Generations;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** JvmCounters are those of a running HotSpot JVM, under the names that JDK 17 to 25 use. */
public final class JvmCounters {
    private static final String COLLECTOR = "sun.gc.collector.";

    /**
     * A timer of these stands while another one of the same thread runs inside it (perfData.hpp of HotSpot), so their sum counts
     * no time twice: on 17.0.15 and 25.0.3 they and that of initialisers add up to {@code sun.cls.time}, of which this leaves
     * out the last. Where the JVM has no timer of parsing, it counts for the definition.
     */
    private static final List<String> CLASS_TIMERS = List.of(
            "sun.cls.appClassLoadTime.self",
            "sun.cls.defineAppClassTime.self",
            "sun.cls.parseClassTime.self",
            "sun.cls.classLinkedTime.self",
            "sun.cls.classVerifyTime.self");

    /** The cause that the JVM names while it does not collect (gcCause.cpp). */
    private static final String NO_COLLECTION = "No GC";

    private final HsPerfData data;

    JvmCounters(HsPerfData data) {
        this.data = data;
    }

    /**
     * Pauses are the collections and safepoints since the JVM began.
     *
     * @param collections of all collectors
     * @param collectionNanos wall time of the collections that have ended
     * @param safepointNanos wall time in safepoints, from the moment on at which all threads stood; by the logs of 17.0.15 and
     *     25.0.3 that of cleaning up and of leaving is in it, and that of reaching is not
     * @param toSafepointNanos wall time from the request for a safepoint until then; empty where it is not counted
     * @param generations empty for collectors that do not count young and full collections apart
     */
    public record Pauses(
            long collections,
            long collectionNanos,
            long safepoints,
            long safepointNanos,
            OptionalLong toSafepointNanos,
            Optional<Generations> generations) {
        public static final Pauses NONE = new Pauses(0, 0, 0, 0, OptionalLong.empty(), Optional.empty());
    }

    /**
     * A Standstill is the time for which the JVM has stood still, by two counters that both have too much: that of safepoints goes
     * on until the JVM's own thread has got a CPU to leave one, when the program runs already; that of operations has some for which
     * the program need not stop. The time until all threads stand is in neither.
     *
     * @param operationNanos empty where it is not counted
     */
    public record Standstill(long safepointNanos, OptionalLong operationNanos, long collectionNanos) {
        /** Returns what came since an earlier moment, without collections, which go on beside any question. */
        public long since(Standstill before) {
            long safepoints = safepointNanos - before.safepointNanos;
            long stood = operationNanos.isPresent() && before.operationNanos.isPresent()
                    ? Math.min(safepoints, operationNanos.getAsLong() - before.operationNanos.getAsLong())
                    : safepoints;
            return Math.max(0, stood - Math.max(0, collectionNanos - before.collectionNanos));
        }
    }

    /** Tells whether the JVM has set all of these counters: it opens its file earlier. */
    boolean isComplete() {
        return data.counter("sun.os.hrt.frequency").isPresent()
                && data.text("java.property.java.home").isPresent()
                && data.text("java.property.java.vm.version").isPresent()
                && data.text("java.property.java.vm.vendor").isPresent();
    }

    /** Tells whether the JVM was started with {@code -XX:+DisableAttachMechanism}. The first capability is attaching. */
    boolean refusesAttaching() {
        return data.text("sun.rt.jvmCapabilities").orElse("").startsWith("0");
    }

    /** Tells whether there is a JIT with counters. An interpreter alone has none. */
    public boolean hasCompilers() {
        data.refresh();
        return data.counter("sun.ci.totalCompiles").isPresent();
    }

    /** Returns the JIT's counters, at {@code timeNanos} since launch. */
    public CompilerSample compilers(long timeNanos) {
        data.refresh();
        return new CompilerSample(
                timeNanos,
                counter("sun.ci.totalCompiles"),
                counter("sun.ci.osrCompiles"),
                counter("java.ci.totalTime"),
                counter("sun.ci.nmethodCodeSize"),
                counter("sun.ci.totalBailouts"),
                counter("sun.ci.totalInvalidates"));
    }

    public Pauses pauses() {
        data.refresh();
        long collections = 0;
        long nanos = 0;
        for (int i = 0; ; i++) {
            OptionalLong invocations = data.counter(COLLECTOR + i + ".invocations");
            if (invocations.isEmpty()) {
                return new Pauses(
                        collections,
                        nanos,
                        counter("sun.rt.safepoints"),
                        counter("sun.rt.safepointTime"),
                        data.counter("sun.rt.safepointSyncTime"),
                        generations());
            }
            collections += invocations.getAsLong();
            nanos += counter(COLLECTOR + i + ".time");
        }
    }

    public Standstill standstill() {
        Pauses pauses = pauses();
        return new Standstill(
                pauses.safepointNanos(), data.counter("sun.threads.vmOperationTime"), pauses.collectionNanos());
    }

    /**
     * Returns the cause of the collection that goes on, or else of the last one, in the JVM's words. It is of the moment
     * of the last reading, so that it belongs to the counters read there. It is empty where the JVM does not say, as ZGC
     * on JDK 25.
     */
    public String collectionCause() {
        return Stream.of("sun.gc.cause", "sun.gc.lastCause")
                .flatMap(name -> data.text(name).stream())
                .filter(cause -> !cause.equals(NO_COLLECTION))
                .findFirst()
                .orElse("");
    }

    /**
     * Serial, Parallel and G1 count young collections as their first collector and full ones as their second. Shenandoah counts
     * every pause as one of its second, which it calls full too, and ZGC has no second.
     */
    private Optional<Generations> generations() {
        return data.counter(COLLECTOR + "1.invocations").isEmpty()
                        || data.text(COLLECTOR + "0.name").orElse("").startsWith("Shenandoah")
                ? Optional.empty()
                : Optional.of(new Generations(
                        counter(COLLECTOR + "0.invocations"),
                        counter(COLLECTOR + "1.invocations"),
                        counter(COLLECTOR + "1.time")));
    }

    /** Returns the heap in use outside eden at the end of the last collection. Empty for collectors without counters. */
    public OptionalLong heapAfterCollection() {
        data.refresh();
        long used = 0;
        boolean any = false;
        for (int generation = 0; ; generation++) {
            String prefix = "sun.gc.generation." + generation + ".space.";
            if (data.counter(prefix + "0.used").isEmpty()) {
                return any ? OptionalLong.of(used) : OptionalLong.empty();
            }
            for (int space = 0; data.counter(prefix + space + ".used").isPresent(); space++) {
                if (!data.text(prefix + space + ".name").orElse("").startsWith("eden")) {
                    used += counter(prefix + space + ".used");
                    any = true;
                }
            }
        }
    }

    /** Returns the counters of classes at {@code timeNanos} since launch; empty for a JVM that does not have them. */
    public Optional<ClassSample> classes(long timeNanos) {
        data.refresh();
        return data.counter("sun.cls.classLinkedTime.self").isEmpty()
                ? Optional.empty()
                : Optional.of(new ClassSample(
                        timeNanos,
                        counter("java.cls.loadedClasses") + counter("java.cls.sharedLoadedClasses"),
                        CLASS_TIMERS.stream().mapToLong(this::counter).sum()));
    }

    /** Classes since the JVM began that came from a CDS archive or an AOT cache. */
    public long sharedClasses() {
        data.refresh();
        return counter("java.cls.sharedLoadedClasses");
    }

    /** Returns the main class or jar, and its arguments; empty if another program contains the JVM. */
    public String command() {
        return data.text("sun.rt.javaCommand").orElse("");
    }

    /** Returns the JVM with its flags. */
    public JvmInfo info() {
        List<String> flags = new ArrayList<>();
        flags.addAll(words("java.rt.vmFlags"));
        flags.addAll(words("java.rt.vmArgs"));
        return new JvmInfo(
                text("java.property.java.home"),
                version(),
                text("java.property.java.vm.vendor"),
                List.copyOf(flags),
                List.of());
    }

    /** Returns the version. HotSpot of Java 8 calls itself 25.412-b08, as if it were that of Java 25. */
    private String version() {
        String own = text("java.property.java.vm.version");
        String specified = text("java.property.java.vm.specification.version");
        return specified.startsWith("1.") ? specified + " (" + own + ")" : own;
    }

    private long counter(String name) {
        return data.counter(name).orElse(0);
    }

    private String text(String name) {
        return data.text(name).orElse("unknown");
    }

    /** The JVM joins its arguments with spaces and without quotes, so an argument with a blank looks like two. */
    private List<String> words(String name) {
        String text = data.text(name).orElse("").strip();
        return text.isEmpty() ? List.of() : List.of(text.split("\\s+", -1));
    }
}
