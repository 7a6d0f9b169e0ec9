package dev.kiln.jvm;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/** The file that tells a JVM to open its attach socket at SIGQUIT. Closing deletes it, whatever became of the JVM. */
final class AttachTrigger implements AutoCloseable {
    private final Path file;
    private final Path ownName;
    private final Optional<Object> key;

    private AttachTrigger(Path file, Path ownName, Optional<Object> key) {
        this.file = file;
        this.ownName = ownName;
        this.key = key;
    }

    /**
     * Makes the file. Leaves an existing file alone: another program is attaching, or was killed while it did.
     *
     * @param file below {@code /proc/PID/root}
     */
    static AttachTrigger make(Path file) throws IOException {
        Path ownName = Path.of("/tmp").resolve(file.getFileName());
        try {
            Files.createFile(file);
        } catch (FileAlreadyExistsException e) {
            return new AttachTrigger(file, ownName, Optional.empty());
        }
        return new AttachTrigger(file, ownName, key(file));
    }

    /** Whether the file existed already: another program has asked the JVM, or died before it could delete the file. */
    boolean isAnothers() {
        return key.isEmpty();
    }

    /** The root of a dead process cannot be reached. The file in Kiln's own /tmp may be another one. */
    @Override
    public void close() {
        if (key.isPresent() && !deleted(file) && key(ownName).equals(key)) {
            deleted(ownName);
        }
    }

    private static boolean deleted(Path file) {
        try {
            return Files.deleteIfExists(file);
        } catch (IOException e) {
            return false;
        }
    }

    /** Device and inode. */
    private static Optional<Object> key(Path file) {
        try {
            return Optional.ofNullable(
                    Files.readAttributes(file, BasicFileAttributes.class).fileKey());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
