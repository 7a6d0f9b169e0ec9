package dev.kiln.remote;

import java.util.stream.Collectors;

/** What is run over there, for any POSIX shell. */
final class AgentScripts {
    private static final String CACHE = "c=\"${XDG_CACHE_HOME:-$HOME/.cache}/kiln\"\n";

    /** Where JDKs are, as Kiln's own launcher has it; a JRE will do here. */
    private static final String JDKS = """
            onpath=$(command -v java) && onpath=$(dirname "$(dirname "$(readlink -f "$onpath")")")
            for j in "$KILN_JAVA_HOME" "$JAVA_HOME" "$onpath" /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* \\
              "${SDKMAN_DIR:-$HOME/.sdkman}"/candidates/java/* "${MISE_DATA_DIR:-$HOME/.local/share/mise}"/installs/java/* \\
              "${JBANG_DIR:-$HOME/.jbang}"/currentjdk "${JBANG_DIR:-$HOME/.jbang}"/cache/jdks/*; do
              [ -n "$j" ] && [ -f "$j/release" ] && [ -x "$j/bin/java" ] || continue
              v=$(sed -n 's/^JAVA_VERSION="\\([0-9]*\\).*/\\1/p' "$j/release")
            """;

    /** What {@link #start} ends with where there is no JDK. */
    static final int NO_JDK = 3;

    private AgentScripts() {}

    /** Ends with 0 if the shipment is there. */
    static String isThere(Shipment shipment) {
        return CACHE + "test -f \"$c/agent-" + shipment.name() + "/complete\"\n";
    }

    /** Reads the shipment; those that were not used for a month are thrown away. */
    static String receive(Shipment shipment) {
        String folder = "\"$c/agent-" + shipment.name() + "\"";
        return CACHE
                + "set -e\nmkdir -p \"$c\"\nfind \"$c\" -maxdepth 1 '(' -name 'agent-*' -o -name 'part-*' ')' -mtime +30 -exec rm -rf {} +\n"
                + "t=$(mktemp -d \"$c/part-XXXXXX\")\ntrap 'rm -rf \"$t\"' EXIT\ntar xf - -C \"$t\"\n"
                + "touch \"$t/complete\"\n[ -f " + folder + "/complete ] || { rm -rf " + folder + "; mv \"$t\" "
                + folder
                + "; }\n";
    }

    /** Ends with 0 if there is a JDK for the agent, else with {@link #NO_JDK}. */
    static String hasJdk() {
        return JDKS + "  [ \"${v:-0}\" -lt 25 ] || exit 0\ndone\nexit " + NO_JDK + "\n";
    }

    /** Becomes the agent. */
    static String start(Shipment shipment, String mainClass) {
        String classPath = shipment.classPath().stream()
                .map(part -> "$c/agent-" + shipment.name() + "/" + part)
                .collect(Collectors.joining(":"));
        return CACHE + "touch \"$c/agent-" + shipment.name() + "\"\n" + JDKS
                + "  if [ \"${v:-0}\" -ge 25 ]; then\n"
                + "    exec \"$j/bin/java\" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xms32m -Xlog:disable"
                + " -Xlog:all=error:stderr --enable-native-access=ALL-UNNAMED -cp \"" + classPath + "\" " + mainClass
                + "\n  fi\ndone\necho 'no JDK 25 or later' >&2\nexit " + NO_JDK + "\n";
    }
}
