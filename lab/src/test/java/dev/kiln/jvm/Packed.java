package dev.kiln.jvm;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipArchiveOutputStream;

/** Archives with a JDK in them that is none, written entry by entry. */
interface Packed extends AutoCloseable {
    Packed file(String name, int mode, String content) throws IOException;

    Packed symbolic(String name, String target) throws IOException;

    Packed hard(String name, String target) throws IOException;

    @Override
    void close() throws IOException;

    default Packed jdk(String folder, String version) throws IOException {
        return file(folder + "bin/java", 0755, "#!/bin/sh\necho " + version + "\n")
                .file(folder + "lib/modules", 0644, "modules")
                .file(folder + "release", 0644, "JAVA_VERSION=\"" + version + "\"\nIMPLEMENTOR=\"Packer\"\n");
    }

    static Packed tarGz(Path to) throws IOException {
        return tar(new GZIPOutputStream(Files.newOutputStream(to)));
    }

    static Packed tar(OutputStream to) {
        TarArchiveOutputStream tar = new TarArchiveOutputStream(to);
        return new Packed() {
            @Override
            public Packed file(String name, int mode, String content) throws IOException {
                byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
                TarArchiveEntry entry = new TarArchiveEntry(name, true);
                entry.setMode(mode);
                entry.setSize(bytes.length);
                tar.putArchiveEntry(entry);
                tar.write(bytes);
                tar.closeArchiveEntry();
                return this;
            }

            private Packed link(String name, String target, byte kind) throws IOException {
                TarArchiveEntry entry = new TarArchiveEntry(name, kind, true);
                entry.setLinkName(target);
                tar.putArchiveEntry(entry);
                tar.closeArchiveEntry();
                return this;
            }

            @Override
            public Packed symbolic(String name, String target) throws IOException {
                return link(name, target, TarConstants.LF_SYMLINK);
            }

            @Override
            public Packed hard(String name, String target) throws IOException {
                return link(name, target, TarConstants.LF_LINK);
            }

            @Override
            public void close() throws IOException {
                tar.close();
            }
        };
    }

    /** @param modes false for a zip as Windows makes it */
    static Packed zip(Path to, boolean modes) throws IOException {
        ZipArchiveOutputStream zip = new ZipArchiveOutputStream(to);
        return new Packed() {
            private Packed put(String name, int mode, String content) throws IOException {
                ZipArchiveEntry entry = new ZipArchiveEntry(name);
                if (modes) {
                    entry.setUnixMode(mode);
                }
                zip.putArchiveEntry(entry);
                zip.write(content.getBytes(StandardCharsets.UTF_8));
                zip.closeArchiveEntry();
                return this;
            }

            @Override
            public Packed file(String name, int mode, String content) throws IOException {
                return put(name, 0100000 | mode, content);
            }

            @Override
            public Packed symbolic(String name, String target) throws IOException {
                return put(name, 0120777, target);
            }

            @Override
            public Packed hard(String name, String target) {
                throw new UnsupportedOperationException("a zip has no hard links");
            }

            @Override
            public void close() throws IOException {
                zip.close();
            }
        };
    }
}
