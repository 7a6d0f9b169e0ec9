package dev.kiln.jvm;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;

/** The file that tells a JVM that SIGQUIT means its attach socket. It goes when this is closed, whatever became of the JVM. */
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
     * Makes the file; leaves one alone that is there, for another is attaching, or was killed while it did.
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

    /** Whether it was there already: another has asked the JVM, or died before it could take the file away. */
    boolean isAnothers() {
        return key.isEmpty();
    }

    /** The way over the process is closed once it has died; in Kiln's own /tmp the file may be another's. */
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
