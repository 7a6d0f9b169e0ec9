package dev.kiln.host;

import dev.kiln.host.ContainerSpec.Bind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A root for a container that has this machine's own files, to be read: runc takes no machine's root as it is. */
final class LentRoot {
    /** A container has its own. */
    private static final Set<String> ITS_OWN = Set.of("proc", "sys", "dev", "run", "tmp", "lost+found");

    private LentRoot() {}

    /**
     * Makes folders for what is bound there, and links as they are.
     *
     * @param machine its root
     * @param root an empty folder
     * @return what is to be bound
     */
    static List<Bind> fill(Path machine, Path root) throws IOException {
        List<Bind> binds = new ArrayList<>();
        try (Stream<Path> entries = Files.list(machine)) {
            for (Path entry : entries.sorted().toList()) {
                String name = entry.getFileName().toString();
                if (Files.isSymbolicLink(entry)) {
                    Files.createSymbolicLink(root.resolve(name), Files.readSymbolicLink(entry));
                } else if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS) && !ITS_OWN.contains(name)) {
                    Files.createDirectory(root.resolve(name));
                    binds.add(new Bind(entry, "/" + name, false));
                }
            }
        }
        return binds;
    }
}
