package dev.kiln.host.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.ArrayList;
import java.util.List;

/** Trees are whole directories with all that is in them. */
public final class Trees {
    private Trees() {}

    /** Deletes a tree if it exists, and follows no link: it may be another user's, and Kiln may be root. */
    public static void delete(Path root) throws IOException {
        Path absolute = root.toAbsolutePath();
        try (DirectoryStream<Path> parent = Files.newDirectoryStream(absolute.getParent())) {
            deleteFrom((SecureDirectoryStream<Path>) parent, absolute.getFileName());
        } catch (NoSuchFileException gone) {
            return;
        }
    }

    private static void deleteFrom(SecureDirectoryStream<Path> folder, Path name) throws IOException {
        try {
            var view = folder.getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
            if (view.readAttributes().isDirectory()) {
                try (SecureDirectoryStream<Path> inner = folder.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
                    List<Path> children = new ArrayList<>();
                    inner.forEach(children::add);
                    for (Path child : children) {
                        deleteFrom(inner, child.getFileName());
                    }
                }
                folder.deleteDirectory(name);
            } else {
                folder.deleteFile(name);
            }
        } catch (NoSuchFileException gone) {
            // A server that shuts down removes its own files meanwhile.
            return;
        }
    }
}
