package dev.kiln.model;

import java.nio.file.Path;

/** Which JDK a target is to be launched with. */
public sealed interface JdkChoice {
    /** As it stands in an experiment file. */
    String text();

    /**
     * The one in a directory.
     *
     * @param home with {@code bin/java} in it
     */
    record Home(Path home) implements JdkChoice {
        @Override
        public String text() {
            return home.toString();
        }
    }

    /**
     * One that is found on this machine.
     *
     * @param version the beginning of its version, such as {@code 21} or {@code 21.0.8}
     * @param optional whether a variant is left out where there is none
     */
    record Version(String version, boolean optional) implements JdkChoice {
        @Override
        public String text() {
            return version;
        }

        /** Whether a whole version, such as {@code 21.0.8}, begins with this one. */
        public boolean matches(String whole) {
            String modern = whole.startsWith("1.") ? whole.substring(2) : whole;
            if (!modern.startsWith(version)) {
                return false;
            }
            // 21 is no beginning of 210, and 21.0.1 none of 21.0.10.
            return modern.length() == version.length() || !Character.isDigit(modern.charAt(version.length()));
        }
    }
}
