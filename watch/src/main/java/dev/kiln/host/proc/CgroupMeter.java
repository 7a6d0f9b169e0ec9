package dev.kiln.host.proc;

import dev.kiln.host.proc.ProcFs.HotFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A CgroupMeter reads how much the CPU limits of the target's cgroup throttle it. One thread alone may use it. */
public final class CgroupMeter implements Closeable {
    private static final byte[] PERIODS = key("nr_periods ");
    private static final byte[] THROTTLED = key("nr_throttled ");
    private static final byte[] NANOS_V1 = key("throttled_time ");
    private static final byte[] MICROS_V2 = key("throttled_usec ");

    private final List<HotFile> files = new ArrayList<>();
    private final HotFile.Buffer buffer = new HotFile.Buffer();

    /** CgroupThrottling has counters since the cgroup was made. */
    public record CgroupThrottling(long periods, long throttledPeriods, long throttledNanos) {
        CgroupThrottling orMore(CgroupThrottling other) {
            return new CgroupThrottling(
                    Math.max(periods, other.periods),
                    Math.max(throttledPeriods, other.throttledPeriods),
                    Math.max(throttledNanos, other.throttledNanos));
        }
    }

    private CgroupMeter() {}

    /** Opens the counters of a process's cgroup and ancestors, or says why throttling cannot be seen. */
    public static CgroupMeter open(ProcFs fs, long pid) throws IOException {
        String membership = fs.text("proc/" + pid + "/cgroup").orElse("");
        String mountinfo = fs.text("proc/self/mountinfo").orElse("");
        CgroupMeter meter = new CgroupMeter();
        for (Path directory : Cgroups.cpuDirectories(membership, mountinfo)) {
            meter.add(fs.path("." + directory.resolve("cpu.stat")));
        }
        if (meter.files.isEmpty()) {
            throw new IOException("no cgroup with CPU bandwidth control is visible for the target");
        }
        return meter;
    }

    /**
     * Returns the most that the cgroup or an ancestor counted. A cgroup without a limit counts nothing. A pod with a limit has it around a
     * container with the same one: their periods are the same time, and half of their sum would be cut short.
     */
    public CgroupThrottling read() throws IOException {
        CgroupThrottling most = new CgroupThrottling(0, 0, 0);
        for (HotFile file : files) {
            most = most.orMore(parse(file.read(buffer)));
        }
        return most;
    }

    static CgroupThrottling parse(ProcText text) {
        long periods = text.seek(PERIODS) ? text.nextLong() : 0;
        long throttled = text.seek(THROTTLED) ? text.nextLong() : 0;
        long nanos = text.seek(NANOS_V1) ? text.nextLong() : 0;
        long micros = text.seek(MICROS_V2) ? text.nextLong() : 0;
        return new CgroupThrottling(periods, throttled, nanos + micros * 1000);
    }

    /** A version 2 root, or a cgroup without the cpu controller, has a cpu.stat without throttling. */
    private void add(Path cpuStat) {
        try {
            HotFile file = new HotFile(cpuStat);
            if (file.read(buffer).seek(PERIODS)) {
                files.add(file);
            } else {
                file.close();
            }
        } catch (IOException e) {
            // Not visible from here.
        }
    }

    private static byte[] key(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        files.forEach(HotFile::close);
    }
}
