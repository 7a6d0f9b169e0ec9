package dev.kiln.remote;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.kiln.host.process.Launcher;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.KilnException.IoReason;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.ObjectMapper;

/**
 * The files of an agent: this Kiln and the libraries that its recorder needs, a few MB. Kiln sends each version once,
 * and the other machine keeps it in the user's cache.
 *
 * @param parts jars or folders of classes, in the order of the class path
 * @param name a hash of all bytes, which tells versions apart
 */
record Shipment(List<Path> parts, String name) {
    private static final int NAME_DIGITS = 16;

    /** Of the Kiln that runs here. */
    static Shipment ofThisKiln() {
        List<Path> parts = Stream.of(Shipment.class, ObjectMapper.class, JsonParser.class, JsonTypeInfo.class)
                .map(Shipment::home)
                .toList();
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            write(parts, new DigestOutputStream(OutputStream.nullOutputStream(), digest));
            return new Shipment(parts, HexFormat.of().formatHex(digest.digest()).substring(0, NAME_DIGITS));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        } catch (IOException e) {
            throw new KilnException(
                    Exit.MACHINE, "cannot read Kiln's own files: " + IoReason.of(e), "build Kiln again", e);
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

    /** Writes it as a tar file. Each part is named by its number. */
    void writeTo(OutputStream out) throws IOException {
        write(parts, out);
    }

    /** The class path, relative to the folder of the unpacked files. */
    List<String> classPath() {
        return Stream.iterate(0, i -> i + 1)
                .limit(parts.size())
                .map(String::valueOf)
                .toList();
    }

    private static void write(List<Path> parts, OutputStream out) throws IOException {
        TarArchiveOutputStream tar = new TarArchiveOutputStream(out);
        tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
        for (int i = 0; i < parts.size(); i++) {
            Path part = parts.get(i);
            try (Stream<Path> files = Files.walk(part)) {
                for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                    String inside = part.relativize(file).toString();
                    entry(tar, inside.isEmpty() ? "" + i : i + "/" + inside, file);
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
        tar.putArchiveEntry(entry);
        Files.copy(file, tar);
        tar.closeArchiveEntry();
    }

    /** The scripts for the other machine. Any POSIX shell runs them. */
    static final class Scripts {
        private static final String CACHE = "c=\"${XDG_CACHE_HOME:-$HOME/.cache}/kiln\"\n";

        /** Searches for JDKs where Kiln's own launcher does. A JRE is enough here. */
        private static final String JDKS = """
                onpath=$(command -v java) && onpath=$(dirname "$(dirname "$(readlink -f "$onpath")")")
                for j in "$KILN_JAVA_HOME" "$JAVA_HOME" "$onpath" /usr/lib/jvm/* /usr/java/* /opt/java/* /opt/jdk* \\
                  "${SDKMAN_DIR:-$HOME/.sdkman}"/candidates/java/* "${MISE_DATA_DIR:-$HOME/.local/share/mise}"/installs/java/* \\
                  "${JBANG_DIR:-$HOME/.jbang}"/currentjdk "${JBANG_DIR:-$HOME/.jbang}"/cache/jdks/*; do
                  [ -n "$j" ] && [ -f "$j/release" ] && [ -x "$j/bin/java" ] || continue
                  v=$(sed -n 's/^JAVA_VERSION="\\([0-9]*\\).*/\\1/p' "$j/release")
                """;

        /** Exit code of {@link #start} if there is no JDK. */
        static final int NO_JDK = 3;

        private Scripts() {}

        /** Ends with 0 if the shipment is there. */
        static String isThere(Shipment shipment) {
            return CACHE + "test -f \"$c/agent-" + shipment.name() + "/complete\"\n";
        }

        /** Reads the shipment, and deletes those that were not used for a month. */
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

        /** Starts the agent in place of the shell. */
        static String start(Shipment shipment, String mainClass) {
            String classPath = shipment.classPath().stream()
                    .map(part -> "$c/agent-" + shipment.name() + "/" + part)
                    .collect(Collectors.joining(":"));
            return CACHE + "unset " + String.join(" ", Launcher.JVM_OPTIONS) + "\ntouch \"$c/agent-" + shipment.name()
                    + "\"\n" + JDKS
                    + "  if [ \"${v:-0}\" -ge 25 ]; then\n"
                    + "    exec \"$j/bin/java\" -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xms32m -Djava.io.tmpdir=\"${TMPDIR:-/tmp}\" -Xlog:disable"
                    + " -Xlog:all=error:stderr --enable-native-access=ALL-UNNAMED -cp \"" + classPath + "\" "
                    + mainClass
                    + "\n  fi\ndone\necho 'no JDK 25 or later' >&2\nexit " + NO_JDK + "\n";
        }
    }
}
