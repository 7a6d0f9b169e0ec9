package dev.kiln.host.process;

import java.nio.file.Path;

/** The CacheFolder is where Kiln keeps what is unpacked once. */
public final class CacheFolder {
    private CacheFolder() {}

    /** Root's home is closed to others, but a database that root starts runs as somebody else, so root's is the system's. */
    public static Path path() {
        String said = System.getenv().getOrDefault("XDG_CACHE_HOME", "");
        if (!said.isEmpty()) {
            return Path.of(said, "kiln");
        }
        return "root".equals(System.getProperty("user.name"))
                ? Path.of("/var/cache/kiln")
                : Path.of(System.getProperty("user.home"), ".cache", "kiln");
    }
}
