package dev.kiln.model.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.regex.Pattern;

/**
 * A CodeFamily is code of one purpose that a program calls, and whose time is seldom what a request is for. It is told from
 * the inner frames of a stack: those of the JDK down to the first that is not the JDK's, and that one. What is further out
 * says who serves the request, and a {@code Method.invoke} there is no reflection.
 *
 * <p>Families are in the order in which one takes the work of another into its own: a line of a log takes a stack trace, a
 * class loader throws what it cannot find.
 */
public enum CodeFamily {
    LOGGING(CodeFamily::isLogging),
    CLASS_LOADING(CodeFamily::isClassLoading),
    REFLECTION(CodeFamily::isReflection),
    EXCEPTIONS(CodeFamily::isException);

    private static final String LOGGERS =
            "java\\.util\\.logging\\..*|ch\\.qos\\.logback\\..*|org\\.apache\\.logging\\..*"
                    + "|org\\.apache\\.log4j\\..*|org\\.jboss\\.logmanager\\..*|org\\.jboss\\.logging\\..*|org\\.slf4j\\..*";

    /** Spring Boot reads nested jars in classes of its own, below {@code loadClass}. */
    private static final String NESTED_JARS = "org.springframework.boot.loader.";

    private static final Pattern LOGGER = Pattern.compile(LOGGERS);

    /** A resource is looked for in the same classes, and is none. Loaders of programs have these names too. */
    private static final Pattern LOADS =
            Pattern.compile("[\\w.$]*ClassLoader[\\w$]*\\.(load|find|define)(Loaded|Bootstrap)?Class\\w*"
                    + "|java\\.lang\\.Class\\.forName\\w*");

    /** These call on to code of another kind, which is further in. */
    private static final Pattern CALLS =
            Pattern.compile("java\\.lang\\.reflect\\.(Method|Constructor|Proxy)\\.(invoke|newInstance)\\w*"
                    + "|(jdk\\.internal|sun)\\.reflect\\..*Accessor.*\\.\\w+");

    /** Where one of these is the innermost frame, nothing was called yet. */
    private static final Pattern CALLING =
            Pattern.compile("(java\\.lang\\.(reflect|invoke)|(jdk\\.internal|sun)\\.reflect)\\..*");

    /** Looks a member up, or makes one accessible. Arrays are made by reflection in every collection, and are none. */
    private static final Pattern LOOK_UP = Pattern.compile(
            "java\\.lang\\.Class\\.(get(Declared)?(Method|Constructor|Field)|privateGet|search(Methods|Fields)|checkMemberAccess"
                    + "|getReflectionFactory|reflectionData|copy(Methods|Fields|Constructors)).*"
                    + "|java\\.lang\\.reflect\\.(?!Array\\.).*|(jdk\\.internal|sun)\\.reflect\\..*"
                    + "|java\\.lang\\.PublicMethods.*"
                    + "|java\\.lang\\.invoke\\.MethodHandles\\$Lookup\\.(find|unreflect|resolve|check|in).*");

    private static final Pattern THROWN = Pattern.compile(
            "java\\.lang\\.Throwable(\\$\\w+)?\\.(<init>|fillInStackTrace|get(Our)?StackTrace\\w*|printStackTrace"
                    + "|printEnclosedStackTrace|setStackTrace|println?|lock)"
                    + "|java\\.lang\\.(StackTraceElement|StackWalker|StackStreamFactory|StackFrameInfo)(\\$[\\w$]+)?\\..*");

    @SuppressWarnings("ImmutableEnumChecker") // A method of this class.
    private final BiPredicate<CodeFrame, Boolean> is;

    CodeFamily(BiPredicate<CodeFrame, Boolean> is) {
        this.is = is;
    }

    /** Returns the name that files use. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns the family of that name; empty for a name that only a later version knows. */
    public static Optional<CodeFamily> named(String id) {
        return Arrays.stream(values()).filter(family -> family.id().equals(id)).findFirst();
    }

    /** Returns the family of a stack, whose frames are from the innermost out; empty where it is in none. */
    public static Optional<CodeFamily> of(List<CodeFrame> frames) {
        List<CodeFrame> inner = new ArrayList<>();
        for (CodeFrame frame : frames) {
            // Code that is not Java's belongs to the frame that called it.
            if (!frame.type().isEmpty()) {
                inner.add(frame);
                if (!frame.isJdk()) {
                    break;
                }
            }
        }
        boolean calling =
                !inner.isEmpty() && CALLING.matcher(inner.getFirst().toString()).matches();
        return Arrays.stream(values())
                .filter(family -> inner.stream().anyMatch(frame -> family.is.test(frame, calling)))
                .findFirst();
    }

    private static boolean isLogging(CodeFrame frame, boolean calling) {
        return LOGGER.matcher(frame.type()).matches();
    }

    private static boolean isClassLoading(CodeFrame frame, boolean calling) {
        return LOADS.matcher(frame.toString()).matches() || frame.type().startsWith(NESTED_JARS);
    }

    private static boolean isReflection(CodeFrame frame, boolean calling) {
        String text = frame.toString();
        return CALLS.matcher(text).matches() ? calling : LOOK_UP.matcher(text).matches();
    }

    private static boolean isException(CodeFrame frame, boolean calling) {
        return THROWN.matcher(frame.toString()).matches();
    }

    /** A CodeFrame is one frame of a stack; its class, with its package, is empty for code not Java's. */
    public record CodeFrame(String type, String method) {
        private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

        /** Tells whether the code is the JDK's and not that of a program. */
        public boolean isJdk() {
            return JDK.stream().anyMatch(type::startsWith);
        }

        @Override
        public String toString() {
            return type + "." + method;
        }
    }
}
