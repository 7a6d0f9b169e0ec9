package dev.kiln.runner;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.Programs;
import dev.kiln.model.KilnException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** PageCache empties the kernel's cache of files. */
final class PageCache {
    private static final String DROP = "proc/sys/vm/drop_caches";

    private PageCache() {}

    /**
     * Forgets all files that no process has open, as after a reboot: pages, directory entries and inodes (proc(5)). What
     * stands in front of every command is read again, because it is no part of what is measured.
     *
     * @throws KilnException where this is not permitted
     */
    static void drop() {
        Programs.run(List.of("sync"));
        try {
            Files.writeString(ProcFs.ofThisMachine().path(DROP), "3");
            for (String program : List.of("setsid", "taskset", "setpriv")) {
                Files.readAllBytes(Path.of(Programs.utilLinux(program)));
            }
        } catch (IOException e) {
            throw KilnException.machine(
                    e,
                    "cannot drop the page cache: /" + DROP,
                    "run Kiln as root on the machine itself (in a container it needs --privileged), or leave --cold and"
                            + " 'cold: true' out");
        }
    }
}
