package dev.kiln.host;

import dev.kiln.model.RunInfo.HostInfo;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What this machine is. */
public final class HostFacts {
    private static final Pattern MODEL = Pattern.compile("^model name\\s*:\\s*(.+)$", Pattern.MULTILINE);
    private static final Pattern PROCESSOR = Pattern.compile("^processor\\s*:", Pattern.MULTILINE);
    private static final Pattern MEMORY = Pattern.compile("^MemTotal:\\s*(\\d+) kB", Pattern.MULTILINE);
    private static final Pattern RELEASE = Pattern.compile("^(\\d+)\\.(\\d+)");

    private HostFacts() {}

    public static HostInfo of(ProcFs fs) {
        String kernel = fs.text("proc/sys/kernel/osrelease").map(String::strip).orElse("unknown");
        String cpuinfo = fs.text("proc/cpuinfo").orElse("");
        Matcher model = MODEL.matcher(cpuinfo);
        int cpus = (int) PROCESSOR.matcher(cpuinfo).results().count();
        Matcher memory = MEMORY.matcher(fs.text("proc/meminfo").orElse(""));
        return new HostInfo(
                kernel,
                model.find() ? model.group(1).strip() : "unknown",
                cpus,
                memory.find() ? Long.parseLong(memory.group(1)) * 1024 : 0,
                scheduler(kernel).orElse("unknown"));
    }

    /** By the kernel's release: EEVDF took the place of CFS in Linux 6.6; distributions may have carried it further back. */
    static Optional<String> scheduler(String kernel) {
        Matcher release = RELEASE.matcher(kernel);
        if (!release.find()) {
            return Optional.empty();
        }
        int major = Integer.parseInt(release.group(1));
        int minor = Integer.parseInt(release.group(2));
        return Optional.of(major > 6 || (major == 6 && minor >= 6) ? "EEVDF" : "CFS");
    }
}
