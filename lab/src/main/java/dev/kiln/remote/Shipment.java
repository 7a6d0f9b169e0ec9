package dev.kiln.remote;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.kiln.model.IoReason;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
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
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.ObjectMapper;

/**
 * What an agent is made of: this Kiln and the libraries that its recorder needs, a few MB. It is sent once for each version
 * and kept in the cache of the user over there.
 *
 * @param parts jars or folders of classes, in the order of the class path
 * @param name tells versions apart: a hash of all bytes
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

    /** As a tar; each part has its number for a name. */
    void writeTo(OutputStream out) throws IOException {
        write(parts, out);
    }

    /** Relative to the folder it is unpacked into. */
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
        // Neither owner nor time: the same files are the same shipment.
        TarArchiveEntry entry = new TarArchiveEntry(name);
        entry.setSize(Files.size(file));
        entry.setModTime(0);
        tar.putArchiveEntry(entry);
        Files.copy(file, tar);
        tar.closeArchiveEntry();
    }
}
