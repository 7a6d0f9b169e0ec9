package dev.kiln.host.process;

import dev.kiln.files.InputFile;
import dev.kiln.files.OutputFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * A LogLimit keeps what a process prints from filling the disk: of a log that is too long, the beginning and the end
 * stay. While the process lives, its middle becomes a hole: no byte moves, so that nothing that is printed meanwhile is
 * lost, and whoever follows the log finds its place. Once it has ended, the hole goes too.
 */
public final class LogLimit {
    /** A log may take this many bytes: a start takes some KB, and a stack trace for each request some MB. */
    private static final int MOST = 64 << 20;

    private static final int KEPT = 8 << 20;
    private static final long EVERY_NANOS = 500_000_000;

    private final Path log;
    private final long most;
    private final int kept;
    private final Runnable unlimited;

    /** The hole that was punched into the log ends here. */
    private long left;

    /** Makes a limit of most bytes, kept ones at both ends; unlimited is told where the middle must stay. */
    LogLimit(Path log, long most, int kept, Runnable unlimited) {
        this.unlimited = unlimited;
        this.log = log;
        this.most = most;
        this.kept = kept;
        this.left = kept;
    }

    public LogLimit(Path log) {
        this(log, MOST, KEPT, () -> {});
    }

    /** Looks at the log until the process has ended. */
    static void watch(PinnedProcess process, Path log, Consumer<Path> unlimited) {
        LogLimit limit = new LogLimit(log, MOST, KEPT, () -> unlimited.accept(log));
        Thread.ofPlatform().daemon().name("kiln-log").start(() -> {
            while (process.isAlive()) {
                LockSupport.parkNanos(EVERY_NANOS);
                limit.look();
            }
        });
    }

    /** Leaves out the middle if it is too long. */
    public void look() {
        try {
            long size = size();
            if (kept + size - left <= most) {
                return;
            }
            String note = "\n[kiln: what follows is left out: the log has more than " + most + " bytes]\n";
            if (OutputFile.leaveOut(log, kept, size - kept, note.getBytes(StandardCharsets.UTF_8))) {
                left = size - kept;
            } else {
                unlimited.run();
            }
        } catch (IOException e) {
            // It is a device, such as /dev/null.
            return;
        }
    }

    /** Takes the middle out of a log that nobody writes any more, where it is too long. */
    public static void finish(Path log) {
        new LogLimit(log).finish();
    }

    void finish() {
        try {
            long size = size();
            if (size > most) {
                OutputFile.replace(log, out -> shortened(out, size));
            }
        } catch (IOException e) {
            // The disk is full: it stays as it is.
            return;
        }
    }

    private void shortened(OutputStream out, long size) throws IOException {
        try (FileChannel channel = InputFile.open(log);
                InputStream in = Channels.newInputStream(channel)) {
            out.write(in.readNBytes(kept));
            String note = "\n[kiln: " + (size - 2L * kept) + " bytes are left out here: the log has more than " + most
                    + " bytes]\n";
            out.write(note.getBytes(StandardCharsets.UTF_8));
            channel.position(size - kept);
            in.transferTo(out);
        }
    }

    private long size() throws IOException {
        try (FileChannel in = InputFile.open(log)) {
            return in.size();
        }
    }
}
