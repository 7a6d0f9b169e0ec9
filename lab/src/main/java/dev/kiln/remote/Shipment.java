package dev.kiln.remote;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.kiln.host.process.Launcher;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Target;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.ObjectMapper;

/**
 * A Shipment is a set of files for another place: an agent, or what the command of a workload needs. Kiln sends each
 * version once, and the other machine keeps it in the user's cache.
 *
 * @param what in words
 * @param parts files or folders, by their paths there
 * @param folder there; a hash of all bytes in its name tells versions apart
 */
record Shipment(String what, SortedMap<String, Path> parts, String folder) {
    private static final int NAME_DIGITS = 16;
    private static final int EXECUTABLE = 0100755;
    private static final int PLAIN = 0100644;

    /** Returns this Kiln and the libraries that its recorder needs, a few MB. */
    static Shipment ofThisKiln() {
        SortedMap<String, Path> parts = new TreeMap<>();
        // One class of each module of Kiln and of each library.
        List<Class<?>> needs = List.of(
                Shipment.class,
                Launcher.class,
                KilnException.class,
                ObjectMapper.class,
                JsonParser.class,
                JsonTypeInfo.class);
        for (Class<?> needed : needs) {
            parts.put(Integer.toString(parts.size()), home(needed));
        }
        return of("Kiln's recorder", "agent-", parts);
    }

    /** Returns all of this Kiln that a command for a running service needs. */
    static Shipment ofWholeKiln() {
        SortedMap<String, Path> parts = new TreeMap<>();
        WholeKiln.classPath().forEach(path -> parts.put(Integer.toString(parts.size()), path));
        return of("Kiln", "kiln-", parts);
    }

    /** Returns all of this Kiln that its load driver needs, TLS on a processor like this one included. */
    static Shipment ofDriver() {
        SortedMap<String, Path> parts = new TreeMap<>();
        WholeKiln.ofDriver().forEach(path -> parts.put(Integer.toString(parts.size()), path));
        return of("Kiln's load driver", "kiln-", parts);
    }

    /** Returns a Java runtime that runs Kiln on a machine like this one. */
    static Shipment ofRuntime() {
        return of("a Java runtime", "runtime-", new TreeMap<>(Map.of(Scripts.JAVA_HOME, OwnRuntime.home())));
    }

    /**
     * Returns what the command of a workload names, with all that lies in the same folder: libraries lie beside a jar.
     *
     * @param target of a workload that is built
     * @throws KilnException if it names nothing in the folder of the workload
     */
    static Shipment ofWorkload(Target target) {
        Path base =
                target.workingDirectory().orElse(Path.of("")).toAbsolutePath().normalize();
        // A folder comes before what is in it.
        NavigableSet<Path> named = new TreeSet<>();
        for (String word : target.command()) {
            Stream.of(word.split("[:=]", -1)).forEach(text -> folder(base, text).ifPresent(named::add));
        }
        SortedMap<String, Path> parts = new TreeMap<>();
        for (Path path : named) {
            if (parts.values().stream().noneMatch(path::startsWith)) {
                parts.put(base.relativize(path).toString(), path);
            }
        }
        String workload = target.workload().orElse("the workload");
        if (parts.isEmpty()) {
            throw KilnException.usage(
                    "the command of " + workload + " names no file in " + base + ", so there is nothing to send",
                    "leave 'directory' out beside the workload, and check the command in its workload.yaml");
        }
        return of(workload, "workload-", parts);
    }

    private static Optional<Path> folder(Path base, String text) {
        Path path = base.resolve(text.replaceFirst("/\\*$", "")).normalize();
        if (path.equals(base) || !path.startsWith(base) || !Files.exists(path)) {
            return Optional.empty();
        }
        return Files.isDirectory(path) || base.equals(path.getParent())
                ? Optional.of(path)
                : Optional.ofNullable(path.getParent());
    }

    private static Shipment of(String what, String prefix, SortedMap<String, Path> parts) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            write(parts, new DigestOutputStream(OutputStream.nullOutputStream(), digest));
            String hash = HexFormat.of().formatHex(digest.digest()).substring(0, NAME_DIGITS);
            return new Shipment(what, parts, prefix + hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        } catch (IOException e) {
            throw KilnException.machine(e, "cannot read the files of " + what, "build it again");
        }
    }

    private static Path home(Class<?> of) {
        try {
            return Path.of(
                    of.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Writes the shipment as a tar file. */
    void writeTo(OutputStream out) throws IOException {
        write(parts, out);
    }

    /** Returns the class path, relative to the folder of the unpacked files. */
    List<String> classPath() {
        return List.copyOf(parts.keySet());
    }

    private static void write(SortedMap<String, Path> parts, OutputStream out) throws IOException {
        TarArchiveOutputStream tar = new TarArchiveOutputStream(out);
        tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
        for (Map.Entry<String, Path> part : parts.entrySet()) {
            try (Stream<Path> files = Files.walk(part.getValue())) {
                for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                    String inside = part.getValue().relativize(file).toString();
                    entry(tar, inside.isEmpty() ? part.getKey() : part.getKey() + "/" + inside, file);
                }
            }
        }
        tar.finish();
        out.flush();
    }

    private static void entry(TarArchiveOutputStream tar, String name, Path file) throws IOException {
        // Without owner and time, so that the same files give the same hash.
        TarArchiveEntry entry = new TarArchiveEntry(name);
        entry.setSize(Files.size(file));
        entry.setModTime(0);
        entry.setMode(Files.isExecutable(file) ? EXECUTABLE : PLAIN);
        tar.putArchiveEntry(entry);
        Files.copy(file, tar);
        tar.closeArchiveEntry();
    }

    /** Scripts are the shell scripts for the other machine. Any POSIX shell runs them. */
    static final class Scripts {
        private static final String CACHE = "c=\"${XDG_CACHE_HOME:-$HOME/.cache}/kiln\"\n";

        /** The folder of a Java runtime that Kiln has sent. */
        static final String JAVA_HOME = "java";

        /** The script searches for JDKs where Kiln's own launcher does, then for a runtime that Kiln has sent. */
        private static final String JDKS = """
                onpath=$(command -v java) && onpath=$(dirname "$(dirname "$(readlink -f "$onpath")")")
                for j in "$KILN_JAVA_HOME" "$JAVA_HOME" "$onpath" /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* \\
                  "${SDKMAN_DIR:-$HOME/.sdkman}"/candidates/java/* "${MISE_DATA_DIR:-$HOME/.local/share/mise}"/installs/java/* \\
                  "${JBANG_DIR:-$HOME/.jbang}"/currentjdk "${JBANG_DIR:-$HOME/.jbang}"/cache/jdks/* "$c"/runtime-*/java; do
                  [ -n "$j" ] && [ -f "$j/release" ] && [ -x "$j/bin/java" ] || continue
                  v=$(sed -n 's/^JAVA_VERSION="\\([0-9]*\\).*/\\1/p' "$j/release")
                """;

        /** The script of {@link #start} ends with this code if there is no JDK. */
        static final int NO_JDK = 3;

        /** The script of {@link #fits} ends with this code if its input does not arrive. */
        static final int NO_INPUT = 4;

        static final String INPUT = "kiln\n";
        private static final String JAVAS = "java:";

        private Scripts() {}

        /** Returns a script that ends with 0 if the shipment is there. */
        static String isThere(Shipment shipment) {
            return CACHE + "test -f \"$c/" + shipment.folder() + "/complete\"\n";
        }

        /** Returns a script that reads the shipment, and deletes those that were not used for a month. */
        static String receive(Shipment shipment) {
            String folder = "\"$c/" + shipment.folder() + "\"";
            return CACHE
                    + "set -e\nmkdir -p \"$c\"\nfind \"$c\" -maxdepth 1 '(' -name 'agent-*' -o -name 'workload-*' -o -name 'kiln-*' -o -name 'runtime-*' -o -name 'part-*' ')' -mtime +30 -exec rm -rf {} +\n"
                    + "t=$(mktemp -d \"$c/part-XXXXXX\")\ntrap 'rm -rf \"$t\"' EXIT\ntar xf - -C \"$t\"\n"
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
                    + "  [ \"${v:-0}\" -lt 25 ] || exit 0\n"
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

        /** Returns a script that ends with 0 if a runtime that was sent runs. */
        static String runs(Shipment runtime) {
            return CACHE + "\"$c/" + runtime.folder() + "/" + JAVA_HOME + "/bin/java\" -version\n";
        }

        /** Returns the versions of Java that {@link #fits} found, in words. */
        static String javas(String said) {
            String last = FarShell.lastLine(said);
            return last.startsWith(JAVAS)
                    ? last.substring(JAVAS.length()).strip().replace(" ", ", ")
                    : "";
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
                    + "wait $p\ns=$?\nkill $w 2>/dev/null\necho \"" + FarCommand.VOUCHES + "$s\" >&2\nexit $s\n";
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
            return CACHE + "test -f \"$c/" + agent.folder() + "/complete\" || { echo \"" + gone + "\" >&2; exit 1; }\n"
                    + "unset " + String.join(" ", Launcher.JVM_OPTIONS) + "\ntouch \"$c/" + agent.folder() + "\"\n"
                    + workload.map(files -> "cd \"$c/" + files.folder() + "\" && touch . || exit 1\n")
                            .orElse("")
                    + JDKS
                    + "  if [ \"${v:-0}\" -ge 25 ]; then\n"
                    + "    exec \"$j/bin/java\" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xms32m -Djava.io.tmpdir=\"${TMPDIR:-/tmp}\" -Xlog:disable"
                    + " -Xlog:all=error:stderr --enable-native-access=ALL-UNNAMED -cp \"" + classPath + "\" "
                    + mainClass
                    + "\n  fi\ndone\necho 'no JDK 25 or later' >&2\nexit " + NO_JDK + "\n";
        }
    }
}
