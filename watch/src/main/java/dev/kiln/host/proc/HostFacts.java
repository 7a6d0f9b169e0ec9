package dev.kiln.host.proc;

import dev.kiln.host.proc.Topology.CpuLists;
import dev.kiln.model.run.Machine.HostInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** HostFacts are those of this machine that do not depend on what runs on it. */
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

    /** HostSettings decide how fast or steadily a machine runs; what cannot be read is left out. */
    record HostSettings(ProcFs fs) {
        static final String GOVERNOR = "governor";
        private static final String CPUS = "sys/devices/system/cpu/";

        Map<String, String> read() {
            Map<String, String> found = new LinkedHashMap<>();
            put(found, "os", field("etc/os-release", "PRETTY_NAME=").map(name -> name.replace("\"", "")));
            put(found, "virtual", virtual());
            put(found, GOVERNOR, line(CPUS + "cpu0/cpufreq/scaling_governor"));
            put(found, "turbo", turbo());
            put(found, "SMT", line(CPUS + "smt/active").map(active -> active.equals("1") ? "on" : "off"));
            put(found, "NUMA nodes", numaNodes());
            put(found, "automatic NUMA balancing", onOff("proc/sys/kernel/numa_balancing"));
            put(
                    found,
                    "transparent huge pages",
                    line("sys/kernel/mm/transparent_hugepage/enabled").map(HostSettings::chosen));
            put(
                    found,
                    "CPUs of interrupts",
                    line("proc/irq/default_smp_affinity").map(mask -> "mask " + mask));
            put(found, "stolen since boot", stolen());
            put(found, "network card", network());
            return found;
        }

        private static void put(Map<String, String> found, String name, Optional<String> value) {
            value.filter(text -> !text.isEmpty()).ifPresent(text -> found.put(name, text));
        }

        private Optional<String> line(String file) {
            return fs.text(file).map(String::strip);
        }

        private Optional<String> field(String file, String name) {
            return fs.text(file)
                    .flatMap(text ->
                            text.lines().filter(line -> line.startsWith(name)).findFirst())
                    .map(line -> line.substring(name.length()).strip());
        }

        private Optional<String> onOff(String file) {
            return line(file).map(value -> value.equals("0") ? "off" : "on");
        }

        /** A hypervisor tells its guest, on x86 by a flag of the CPU. */
        private Optional<String> virtual() {
            Optional<String> type = line("sys/hypervisor/type").or(() -> line("sys/class/dmi/id/product_name"));
            boolean flagged = fs.text("proc/cpuinfo").orElse("").contains(" hypervisor");
            return flagged
                    ? Optional.of("yes" + type.map(name -> " (" + name + ")").orElse(""))
                    : Optional.empty();
        }

        private Optional<String> turbo() {
            return line(CPUS + "intel_pstate/no_turbo")
                    .map(no -> no.equals("0") ? "on" : "off")
                    .or(() -> onOff(CPUS + "cpufreq/boost"));
        }

        private Optional<String> numaNodes() {
            return line("sys/devices/system/node/online")
                    .map(nodes -> Integer.toString(CpuLists.parse(nodes).size()));
        }

        /** The kernel puts the choice in brackets: {@code always [madvise] never}. */
        private static String chosen(String choices) {
            return choices.replaceAll(".*\\[(.*)].*", "$1");
        }

        /** Returns the time that the hypervisor gave to others, as a share of all CPUs' time. */
        private Optional<String> stolen() {
            return field("proc/stat", "cpu ").map(text -> {
                String[] ticks = text.strip().split(" ", -1);
                double all = 0;
                for (int i = 0; i < Math.min(8, ticks.length); i++) {
                    all += Double.parseDouble(ticks[i]);
                }
                double stolen = ticks.length > 7 ? Double.parseDouble(ticks[7]) : 0;
                return all == 0 ? "" : String.format(Locale.ROOT, "%.1f %%", 100 * stolen / all);
            });
        }

        /** Describes the network card of the default route, with its driver and its speed. */
        private Optional<String> network() {
            return fs.text("proc/net/route")
                    .flatMap(routes -> routes.lines()
                            .map(line -> line.split("\\s+", 3))
                            .filter(fields -> fields.length > 1 && fields[1].equals("00000000"))
                            .map(fields -> card(fields[0]))
                            .findFirst());
        }

        private String card(String name) {
            String folder = "sys/class/net/" + name;
            String speed = line(folder + "/speed")
                    .filter(mbits -> mbits.matches("\\d{1,9}"))
                    .map(mbits -> ", " + mbits + " Mbit/s")
                    .orElse("");
            try (DirectoryStream<Path> driver = Files.newDirectoryStream(fs.path(folder + "/device"), "driver")) {
                for (Path link : driver) {
                    return name + ", " + link.toRealPath().getFileName() + speed;
                }
            } catch (IOException e) {
                // A card without a device, such as a bridge.
                return name + speed;
            }
            return name + speed;
        }
    }
}
