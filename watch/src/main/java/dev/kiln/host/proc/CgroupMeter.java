package dev.kiln.host.proc;

import dev.kiln.host.proc.ProcFs.HotFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** A CgroupMeter reads how much the CPU limits of the target's cgroup throttle it. One thread alone may use it. */
public final class CgroupMeter implements Closeable {
    private static final byte[] PERIODS = key("nr_periods ");
    private static final byte[] THROTTLED = key("nr_throttled ");
    private static final byte[] NANOS_V1 = key("throttled_time ");
    private static final byte[] MICROS_V2 = key("throttled_usec ");

    private static final CgroupThrottling NOTHING = new CgroupThrottling(0, 0, 0);

    /** Each file with what was read of it last. */
    private final Map<HotFile, CgroupThrottling> files = new LinkedHashMap<>();

    private final HotFile.Buffer buffer = new HotFile.Buffer();
    private CgroupThrottling counted = NOTHING;

    /** CgroupThrottling has counters, of which only differences tell: each cgroup counts since it was made. */
    public record CgroupThrottling(long periods, long throttledPeriods, long throttledNanos) {
        private CgroupThrottling plus(CgroupThrottling more) {
            return new CgroupThrottling(
                    periods + more.periods,
                    throttledPeriods + more.throttledPeriods,
                    throttledNanos + more.throttledNanos);
        }

        private CgroupThrottling minus(CgroupThrottling before) {
            return new CgroupThrottling(
                    periods - before.periods,
                    throttledPeriods - before.throttledPeriods,
                    throttledNanos - before.throttledNanos);
        }

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
     * Returns the sum of what the cgroup or an ancestor counted at most between two readings. A cgroup without a limit counts nothing. A
     * pod with a limit has it around a container with the same one: their periods are the same time, and half of their sum would be cut
     * short. The most that one counted since it was made would hide a younger one with its own limit.
     */
    public CgroupThrottling read() throws IOException {
        CgroupThrottling most = NOTHING;
        for (Map.Entry<HotFile, CgroupThrottling> file : files.entrySet()) {
            CgroupThrottling now = parse(file.getKey().read(buffer));
            most = most.orMore(now.minus(file.getValue()));
            file.setValue(now);
        }
        counted = counted.plus(most);
        return counted;
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
                files.put(file, NOTHING);
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
        files.keySet().forEach(HotFile::close);
    }
}
