package dev.kiln.importer;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;

/** Compressed files. krun packs its results with bzip2, which is unpacked on the way; others are named. */
final class Packed {
    private static final String BZIP2 = "BZh";

    /** Beginnings, in ISO 8859-1, and the program that unpacks what begins so. */
    private static final Map<String, String> OTHERS = Map.of(
            "\u001f\u008b", "gunzip", "PK\u0003\u0004", "unzip", "\u00fd7zXZ", "unxz", "(\u00b5/\u00fd", "unzstd");

    private Packed() {}

    /** The file's bytes, those of a bzip2 file unpacked. */
    static InputStream open(Path file) throws IOException {
        InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
        in.mark(BZIP2.length() + 1);
        boolean packed = new String(in.readNBytes(BZIP2.length()), StandardCharsets.ISO_8859_1).equals(BZIP2);
        in.reset();
        return packed ? new BZip2CompressorInputStream(in, true) : in;
    }

    /** What unpacks the file; empty for one that is not compressed. */
    static Optional<String> unpacker(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            String head = new String(in.readNBytes(8), StandardCharsets.ISO_8859_1);
            return head.startsWith(BZIP2)
                    ? Optional.of("bunzip2")
                    : OTHERS.entrySet().stream()
                            .filter(other -> head.startsWith(other.getKey()))
                            .map(Map.Entry::getValue)
                            .findFirst();
        } catch (IOException e) {
            throw Lines.unreadable(file.toString(), e);
        }
    }
}
