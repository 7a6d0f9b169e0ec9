package dev.kiln.remote;

import dev.kiln.host.process.Launcher;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** FarScripts are the shell scripts for the other machine. Any POSIX shell runs them. */
final class FarScripts {
    private static final String CACHE =
            "case \"$XDG_CACHE_HOME\" in /*) c=$XDG_CACHE_HOME/kiln ;; *) c=$HOME/.cache/kiln ;; esac\n";

    /** The cache may be in /tmp, where another user can make a folder of that name, with programs of his own in it. */
    private static final String OWN =
            "[ -z \"$(find \"$c\" -maxdepth 0 ! -user \"$(id -u)\" ! -user 0 2>/dev/null)\" ] ||"
                    + " { echo \"$c belongs to another user\" >&2; exit 1; }\n";

    /** Some users of containers have no home, or none that they may write. */
    private static final String STATE =
            "case \"$XDG_STATE_HOME\" in /*) ;; *) [ -w \"${HOME:-/none}\" ] || export XDG_STATE_HOME=\"$c\" ;; esac\n";

    /** The script searches for JDKs where Kiln's own launcher does, then for a runtime that Kiln has sent. */
    private static final String JDKS = """
            onpath=$(command -v java) && onpath=$(dirname "$(dirname "$(readlink -f "$onpath")")")
            for j in "$KILN_JAVA_HOME" "$JAVA_HOME" "$onpath" /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* \\
              "${SDKMAN_DIR:-$HOME/.sdkman}"/candidates/java/* "${MISE_DATA_DIR:-$HOME/.local/share/mise}"/installs/java/* \\
              "${JBANG_DIR:-$HOME/.jbang}"/currentjdk "${JBANG_DIR:-$HOME/.jbang}"/cache/jdks/* "$c"/runtime-*/java; do
              [ -n "$j" ] && [ -f "$j/release" ] && [ -x "$j/bin/java" ] || continue
              v=$(sed -n 's/^JAVA_VERSION="\\([0-9]*\\).*/\\1/p' "$j/release")
            """;

    /** What is not used for a month is deleted. */
    private static final String USED = "case \"$j\" in \"$c\"/runtime-*) touch \"${j%/*}\" 2>/dev/null ;; esac";

    /** The scripts of {@link #fits} and {@link #start} end with this code if there is no JDK. */
    static final int NO_JDK = 3;

    /** The script of {@link #fits} ends with this code if its input does not arrive. */
    static final int NO_INPUT = 4;

    /** The script of {@link #receiveRuntime} ends with this code if the runtime does not run there. */
    static final int NO_RUN = 5;

    static final String INPUT = "kiln\n";
    private static final String JAVAS = "java:";

    private FarScripts() {}

    /** Returns a script that ends with 0 if the shipment is there. */
    static String isThere(Shipment shipment) {
        return CACHE + "test -f \"$c/" + shipment.folder() + "/complete\"\n";
    }

    /** Returns a script that reads the shipment, and deletes those that were not used for a month. */
    static String receive(Shipment shipment) {
        return receive(shipment, "");
    }

    /** Returns the same for a Java runtime, which is kept only if it runs there; otherwise the script says why not. */
    static String receiveRuntime(Shipment runtime) {
        return receive(runtime, "\"$t/" + Shipment.JAVA_HOME + "/bin/java\" -version || exit " + NO_RUN + "\n");
    }

    private static String receive(Shipment shipment, String trial) {
        String folder = "\"$c/" + shipment.folder() + "\"";
        return CACHE
                // A container may give all its programs the umask 000, and what comes here is run.
                + "set -e\numask 022\nmkdir -p \"$c\"\n" + OWN
                + "find \"$c\" -maxdepth 1 '(' -name 'agent-*' -o -name 'workload-*' -o -name 'kiln-*' -o -name 'runtime-*' -o -name 'part-*' ')' -mtime +30 -exec rm -rf {} +\n"
                + "t=$(mktemp -d \"$c/part-XXXXXX\")\ntrap 'rm -rf \"$t\"' EXIT\ntar xf - -C \"$t\"\n"
                + trial
                + "touch \"$t/complete\"\n[ -f " + folder + "/complete ] || { rm -rf " + folder + "; mv \"$t\" "
                + folder
                + "; }\n";
    }

    /**
     * Returns a script that ends with 0 if the agent can run there, with {@link #NO_JDK} if no JDK there can run it,
     * and with {@link #NO_INPUT} if it does not get {@link #INPUT}.
     */
    static String fits() {
        return "read -r w && [ \"$w\" = " + INPUT.strip() + " ] || exit " + NO_INPUT + "\n" + CACHE + JDKS
                + "  [ \"${v:-0}\" -lt 25 ] || { " + USED + "; exit 0; }\n"
                // Java 8 calls itself 1.8.
                + "  [ \"$v\" != 1 ] || v=8\n"
                + "  case \" $f \" in *\" $v \"*) ;; *) f=\"$f $v\" ;; esac\n"
                + "done\necho \"" + JAVAS + "$f\"\nexit " + NO_JDK + "\n";
    }

    /**
     * Returns a script that ends with 0 if a Java runtime for this processor, and for the C library of most systems, can
     * run there.
     */
    static String takesRuntime(String arch) {
        String machine = arch.equals("amd64") ? "x86_64" : arch;
        String loader = arch.equals("amd64") ? "/lib64/ld-linux-x86-64.so.2" : "/lib/ld-linux-" + arch + ".so.1";
        return "[ \"$(uname -m)\" = " + machine + " ] && [ -e " + loader + " ]\n";
    }

    /** Returns the versions of Java that {@link #fits} found, in words. */
    static String javas(String said) {
        String last = FarShell.lastLine(said);
        return last.startsWith(JAVAS) ? last.substring(JAVAS.length()).strip().replace(" ", ", ") : "";
    }

    /**
     * Returns a script that runs a command of Kiln's until it ends, or the script's input does: what runs programs in
     * containers may leave them behind when the connection is cut. That Kiln prints no commands to type next.
     */
    static String command(Shipment kiln, String mainClass, List<String> words) {
        String typed = words.stream()
                .map(word -> " '" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining());
        return "exec 3<&0\n(\n" + start(kiln, Optional.empty(), "-Dkiln.far=true " + mainClass + typed)
                + ") </dev/null 3<&- &\np=$!\n"
                + "( while read -r x; do :; done; kill $p ) <&3 >/dev/null 2>&1 &\nw=$!\nexec 3<&-\n"
                + "wait $p\ns=$?\nkill $w 2>/dev/null\n" + FarShell.tells("$s") + "exit $s\n";
    }

    /**
     * Returns a script that starts the agent in place of the shell.
     *
     * @param workload whose folder is its working directory; empty for the user's home
     * @param mainClass with its arguments
     */
    static String start(Shipment agent, Optional<Shipment> workload, String mainClass) {
        String classPath = agent.classPath().stream()
                .map(part -> "$c/" + agent.folder() + "/" + part)
                .collect(Collectors.joining(":"));
        String gone = "Kiln's recorder is not there any more: the place was started anew meanwhile";
        return CACHE + OWN + STATE + "test -f \"$c/" + agent.folder() + "/complete\" || { echo \"" + gone
                + "\" >&2; exit 1; }\n"
                + "unset " + String.join(" ", Launcher.JVM_OPTIONS) + "\ntouch \"$c/" + agent.folder() + "\"\n"
                + workload.map(files -> "cd \"$c/" + files.folder() + "\" && touch . || exit 1\n")
                        .orElse("")
                + JDKS
                + "  if [ \"${v:-0}\" -ge 25 ]; then\n    " + USED + "\n"
                + "    exec \"$j/bin/java\" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xms32m -Djava.io.tmpdir=\"${TMPDIR:-/tmp}\" -Xlog:disable"
                + " -Xlog:all=error:stderr --enable-native-access=ALL-UNNAMED -cp \"" + classPath + "\" "
                + mainClass
                + "\n  fi\ndone\necho 'no JDK 25 or later' >&2\n" + FarShell.tells(Integer.toString(NO_JDK)) + "exit "
                + NO_JDK + "\n";
    }
}
