package dev.kiln.host.process;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;

/** Whole directory trees. */
public final class Trees {
    private Trees() {}

    /** Deletes a tree if it exists. Does not follow links. */
    public static void delete(Path root) throws IOException {
        if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                // A server that shuts down removes its own files meanwhile.
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path dir, java.io.IOException e) throws IOException {
                Files.deleteIfExists(dir);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Copies files with their permissions and owner. */
    public static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) throws IOException {
                Path target = to.resolve(from.relativize(dir));
                Files.createDirectories(target);
                copyOwner(dir, target);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Path target = to.resolve(from.relativize(file));
                Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
                copyOwner(file, target);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static void copyOwner(Path from, Path to) throws IOException {
        Files.setPosixFilePermissions(to, Files.getPosixFilePermissions(from));
        Files.setOwner(to, Files.getOwner(from));
    }
}
