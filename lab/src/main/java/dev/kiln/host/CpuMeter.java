package dev.kiln.host;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/** What each CPU of the machine did. For use by one thread. */
public final class CpuMeter implements Closeable {
    private final HotFile file;
    private final HotFile.Buffer buffer = new HotFile.Buffer();

    public CpuMeter(ProcFs fs) throws IOException {
        file = new HotFile(fs.path("proc/stat"));
    }

    public List<CpuTimes> read() throws IOException {
        return CpuTimes.parse(file.read(buffer));
    }

    @Override
    public void close() {
        file.close();
    }
}
