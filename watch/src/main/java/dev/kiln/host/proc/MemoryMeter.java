package dev.kiln.host.proc;

import dev.kiln.host.proc.ProcFs.HotFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** A MemoryMeter reads the memory of one process. For use by one thread. */
public final class MemoryMeter implements Closeable {
    private static final byte[] PSS = "Pss:".getBytes(StandardCharsets.UTF_8);

    private final ProcFs fs;
    private final long pid;
    private final HotFile status;
    private final Optional<HotFile> stat;
    private final HotFile.Buffer buffer = new HotFile.Buffer();

    public MemoryMeter(ProcFs fs, long pid) throws IOException {
        this.fs = fs;
        this.pid = pid;
        this.status = new HotFile(fs.path("proc/" + pid + "/status"));
        this.stat = optional(fs.path("proc/" + pid + "/stat"));
    }

    private static Optional<HotFile> optional(Path file) {
        try {
            return Optional.of(new HotFile(file));
        } catch (IOException e) {
            // The memory itself is known without it.
            return Optional.empty();
        }
    }

    /** Returns the resident memory; shared pages count in full. */
    public long rssBytes() throws IOException {
        return ProcStatus.rssBytes(status.read(buffer));
    }

    /** Returns the page faults since the process began; empty where they cannot be read. */
    public Optional<ProcStat.PageFaults> faults() {
        try {
            return stat.isPresent() ? ProcStat.PageFaults.parse(stat.get().read(buffer)) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns the proportional memory: a page shared by n processes counts 1/n. The kernel walks all page tables for
     * it, so it costs milliseconds for a heap of some hundred MB; do not ask often.
     */
    public long pssBytes() throws IOException {
        try (HotFile rollup = new HotFile(fs.path("proc/" + pid + "/smaps_rollup"))) {
            ProcText text = rollup.read(buffer);
            if (!text.seek(PSS)) {
                throw new IOException("no Pss in smaps_rollup");
            }
            return text.nextLong() * 1024;
        }
    }

    @Override
    public void close() {
        status.close();
        stat.ifPresent(HotFile::close);
    }
}
