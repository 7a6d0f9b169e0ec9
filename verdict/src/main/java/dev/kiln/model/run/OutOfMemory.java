package dev.kiln.model.run;

import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An OutOfMemory is what a JVM had no more of, by an {@code OutOfMemoryError} that it threw. */
public enum OutOfMemory {
    HEAP("Java heap space"),
    /** The collector took nearly all of the time and freed next to nothing. */
    GC_OVERHEAD("GC overhead limit exceeded"),
    METASPACE("Metaspace"),
    /** The part of the metaspace that holds the classes themselves. */
    CLASS_SPACE("Compressed class space"),
    /** JDK 17 and later tell of the bytes: {@code Cannot reserve 1024 bytes of direct buffer memory (allocated: ...)}. */
    DIRECT_MEMORY("direct buffer memory", "(?:Cannot reserve \\d{1,19} bytes of d|D)irect buffer memory"),
    NATIVE_THREAD("unable to create native thread"),
    ARRAY_SIZE("Requested array size exceeds VM limit");

    private static final String ERROR = "java.lang.OutOfMemoryError: ";

    /** A heap that had more room would not have been full. */
    public static final Set<OutOfMemory> OF_HEAP = Set.of(HEAP, GC_OVERHEAD);

    private final String message;
    private final Pattern pattern;

    OutOfMemory(String message) {
        this(message, message);
    }

    OutOfMemory(String message, String pattern) {
        this.message = message;
        this.pattern = Pattern.compile(Pattern.quote(ERROR) + pattern);
    }

    /** Returns the error as the JVM prints it. */
    public String text() {
        return ERROR + message;
    }

    /** Returns several errors as the JVM prints them, in a sentence. */
    public static String text(Set<OutOfMemory> errors) {
        return errors.stream().map(OutOfMemory::text).collect(Collectors.joining(" and "));
    }

    /** Finds the errors in what a program has printed. */
    public static Set<OutOfMemory> in(String printed) {
        return Stream.of(values())
                .filter(error -> error.pattern.matcher(printed).find())
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(OutOfMemory.class)));
    }
}
