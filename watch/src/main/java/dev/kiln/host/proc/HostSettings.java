package dev.kiln.host.proc;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Settings of a machine that decide how fast it runs, or how steadily. What cannot be read is left out. */
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
        put(found, "CPUs of interrupts", line("proc/irq/default_smp_affinity").map(mask -> "mask " + mask));
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
        return flagged ? Optional.of("yes" + type.map(name -> " (" + name + ")").orElse("")) : Optional.empty();
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

    /** Time that the hypervisor gave to others, as a share of all CPUs' time. */
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
