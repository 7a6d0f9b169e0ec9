package dev.kiln.host.process;

import dev.kiln.files.InputFile;
import dev.kiln.files.OutputFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps what a process prints from filling the disk: of a log that is too long, the beginning and the end stay, with a note
 * between them. The process appends to the file, so it goes on behind the end.
 */
final class LogLimit {
    /** Of a log; a start takes some KB, and a stack trace for each request some MB. */
    private static final int MOST = 64 << 20;

    private static final int KEPT = 8 << 20;
    private static final long EVERY_NANOS = 500_000_000;

    private LogLimit() {}

    /** Looks at the log until the process has ended. */
    static void watch(PinnedProcess process, Path log) {
        Thread.ofPlatform().daemon().name("kiln-log").start(() -> {
            while (process.isAlive()) {
                LockSupport.parkNanos(EVERY_NANOS);
                shorten(log, MOST, KEPT);
            }
        });
    }

    /** @param kept bytes of the beginning, and as many of the end */
    static void shorten(Path log, long most, int kept) {
        try (FileChannel in = InputFile.open(log)) {
            long size = in.size();
            if (size <= most) {
                return;
            }
            in.position(size - kept);
            InputStream end = Channels.newInputStream(in);
            byte[] tail = end.readNBytes(kept);
            String note = "\n[kiln: " + (size - 2L * kept) + " bytes are left out here: the log was longer than " + most
                    + " bytes]\n";
            try (FileChannel out = OutputFile.growing(log)) {
                out.truncate(kept);
                write(out, note.getBytes(StandardCharsets.UTF_8));
                write(out, tail);
            }
        } catch (IOException e) {
            // It is a device, such as /dev/null, or the disk is full: the next look tries again.
            return;
        }
    }

    private static void write(FileChannel out, byte[] bytes) throws IOException {
        ByteBuffer left = ByteBuffer.wrap(bytes);
        while (left.hasRemaining()) {
            out.write(left);
        }
    }
}
