package dev.kiln.host.proc;

import dev.kiln.model.run.RunInfo.HostInfo;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Facts of this machine that do not depend on what runs on it. */
public final class HostFacts {
    /** The first kernel whose fair scheduler picks by deadline (EEVDF) instead of by the least virtual runtime (CFS). */
    private static final int EEVDF_MAJOR = 6;

    private static final int EEVDF_MINOR = 6;

    private HostFacts() {}

    public static HostInfo of(ProcFs fs) {
        String kernel = fs.text("proc/sys/kernel/osrelease").orElse("unknown").strip();
        int cpus = fs.text("sys/devices/system/cpu/online")
                .map(online -> CpuLists.parse(online).size())
                .filter(count -> count > 0)
                .orElseGet(() -> Runtime.getRuntime().availableProcessors());
        return new HostInfo(
                kernel, cpuModel(fs), cpus, memoryBytes(fs), scheduler(fs, kernel), new HostSettings(fs).read());
    }

    /** Says which settings of a machine cast doubt on a warm-up. */
    public static List<String> warnings(HostInfo host) {
        String governor = host.settings().getOrDefault(HostSettings.GOVERNOR, "performance");
        return governor.equals("performance")
                ? List.of()
                : List.of("the CPU frequency governor is " + governor
                        + ": the frequency may rise under load, which looks like a warm-up (performance keeps it up)");
    }

    /** Identifies the current boot of the machine; {@code ?} if it cannot be read. */
    public static String bootId(ProcFs fs) {
        return fs.text("proc/sys/kernel/random/boot_id").map(String::strip).orElse("?");
    }

    /** ARM kernels give numbers instead of a model name. */
    private static String cpuModel(ProcFs fs) {
        String info = fs.text("proc/cpuinfo").orElse("");
        return cpuField(info, "model name")
                .or(() -> cpuField(info, "Model"))
                .or(() -> cpuField(info, "CPU part")
                        .map(part -> "ARM implementer "
                                + cpuField(info, "CPU implementer").orElse("?") + " part " + part))
                .orElse("unknown");
    }

    private static Optional<String> cpuField(String info, String name) {
        return info.lines()
                .filter(line -> line.startsWith(name) && line.contains(":"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst();
    }

    private static long memoryBytes(ProcFs fs) {
        ProcText text = ProcText.of(fs.text("proc/meminfo").orElse(""));
        return text.seek("MemTotal:".getBytes(StandardCharsets.UTF_8)) ? text.nextLong() * 1024 : 0;
    }

    /** The kernel names a sched_ext scheduler, but not its fair scheduler: that follows from its version. */
    private static String scheduler(ProcFs fs, String kernel) {
        String ext = fs.text("sys/kernel/sched_ext/root/ops").orElse("").strip();
        if (!ext.isEmpty()) {
            return "sched_ext " + ext;
        }
        String[] parts = kernel.split("[.-]", 3);
        try {
            int major = Integer.parseInt(parts[0]);
            int minor = parts.length > 1 ? Integer.parseInt(parts[1]) : 0;
            boolean eevdf = major > EEVDF_MAJOR || (major == EEVDF_MAJOR && minor >= EEVDF_MINOR);
            String autogroup = fs.text("proc/sys/kernel/sched_autogroup_enabled")
                            .orElse("")
                            .startsWith("1")
                    ? ", autogroup on"
                    : "";
            return (eevdf ? "EEVDF" : "CFS") + autogroup;
        } catch (NumberFormatException e) {
            return "unknown";
        }
    }
}
