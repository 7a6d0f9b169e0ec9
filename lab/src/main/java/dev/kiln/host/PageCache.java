package dev.kiln.host;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The kernel's cache of files. */
public final class PageCache {
    private static final String DROP = "proc/sys/vm/drop_caches";

    private final ProcFs fs;

    public PageCache() {
        this(ProcFs.ofThisMachine());
    }

    PageCache(ProcFs fs) {
        this.fs = fs;
    }

    /**
     * Forgets all files that no process has open, as after a reboot: pages, directory entries and inodes (proc(5)). What
     * stands in front of every command is read again, because it is no part of what is measured.
     *
     * @throws KilnException where this is not permitted
     */
    public void drop() {
        Commands.run(List.of("sync"));
        try {
            Files.writeString(fs.path(DROP), "3");
            for (String program : List.of("setsid", "taskset", "setpriv")) {
                Files.readAllBytes(Path.of(Commands.utilLinux(program)));
            }
        } catch (IOException e) {
            throw new KilnException(
                    Exit.MACHINE,
                    "cannot drop the page cache: /" + DROP + ": " + e.getMessage(),
                    "run Kiln as root on the machine itself (in a container it needs --privileged), or leave --cold out",
                    e);
        }
    }
}
