package dev.kiln.host.process;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The CacheFolder is where Kiln keeps what is unpacked once. */
public final class CacheFolder {
    private static final Pattern SCRATCH = Pattern.compile("part-(\\d{1,10})-(\\d{1,18})-.*");

    /** Whoever shares the folder from another container is not seen here. Nobody takes so long. */
    private static final Duration LONGEST = Duration.ofHours(1);

    private CacheFolder() {}

    /** Root's home is closed to others, but a database that root starts runs as somebody else, so root's is the system's. */
    public static Path path() {
        XdgFolder folder = XdgFolder.of("XDG_CACHE_HOME");
        boolean root = "root".equals(System.getProperty("user.name"));
        return folder.named()
                .or(() -> root ? Optional.empty() : folder.inHome(".cache"))
                .orElse(Path.of("/var/cache/kiln"));
    }

    /** Makes a folder of the cache, where it is missing, that nobody else can write, whatever the umask: what is in it is run. */
    public static void make(Path folder) throws IOException {
        Files.createDirectories(
                folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    }

    /**
     * Makes a folder for what gets its place in the cache when it is whole. Its name has the process that makes it, so that
     * an old one of a process that was killed is told from others, and deleted.
     */
    public static Path scratch(Path cache) throws IOException {
        ProcFs fs = ProcFs.ofThisMachine();
        make(cache);
        List<Path> left;
        try (Stream<Path> all = Files.list(cache)) {
            left = all.filter(path -> isOfNobody(fs, path)).toList();
        }
        left.forEach(CacheFolder::deleteOld);
        long pid = ProcessHandle.current().pid();
        long start = fs.stat(pid).map(ProcStat::startTicks).orElse(0L);
        return Files.createTempDirectory(cache, "part-" + pid + "-" + start + "-");
    }

    private static boolean isOfNobody(ProcFs fs, Path path) {
        Matcher name = SCRATCH.matcher(String.valueOf(path.getFileName()));
        return name.matches() && !fs.isAlive(Long.parseLong(name.group(1)), Long.parseLong(name.group(2)));
    }

    private static void deleteOld(Path path) {
        try {
            if (Files.getLastModifiedTime(path)
                    .toInstant()
                    .isBefore(Instant.now().minus(LONGEST))) {
                Trees.delete(path);
            }
        } catch (IOException e) {
            // It is gone meanwhile, or another user's: it takes room, and is in nobody's way.
            return;
        }
    }
}
