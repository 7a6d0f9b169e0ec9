package dev.kiln.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * A Growth tells what files have gained: each look at one begins where the look before ended. Files
 * only grow, and no line is longer than one look.
 */
public final class Growth {
    private final int most;
    private final Map<Path, Long> taken = new HashMap<>();

    /** @param most the limit of one look, in bytes; the rest comes with the next */
    public Growth(int most) {
        this.most = most;
    }

    /** Returns the lines that a file has gained, whole ones only; empty if there are none. */
    public byte[] lines(Path file) {
        byte[] bytes = read(file);
        return take(file, Arrays.copyOf(bytes, afterLastLine(bytes)));
    }

    /** Returns the bytes that a file has gained; empty if there are none. */
    public byte[] bytes(Path file) {
        return take(file, read(file));
    }

    /** Tells whether nothing of a file was taken yet. */
    public boolean isNew(Path file) {
        return !taken.containsKey(file);
    }

    /** Forgets all files. */
    public void clear() {
        taken.clear();
    }

    private byte[] take(Path file, byte[] bytes) {
        if (bytes.length > 0) {
            taken.merge(file, (long) bytes.length, Long::sum);
        }
        return bytes;
    }

    private byte[] read(Path path) {
        try (FileChannel file = InputFile.open(path);
                InputStream in = Channels.newInputStream(file)) {
            file.position(taken.getOrDefault(path, 0L));
            return in.readNBytes(most);
        } catch (IOException e) {
            // Not there yet: the next look sees it.
            return new byte[0];
        }
    }

    private static int afterLastLine(byte[] bytes) {
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] != '\n') {
            end--;
        }
        return end;
    }
}
