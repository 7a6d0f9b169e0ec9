package dev.kiln.host.proc;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A Topology is the CPUs that this process may use, with their cores and NUMA nodes. */
public record Topology(List<Cpu> cpus) {
    /** A Cpu is one logical CPU with its NUMA node; SMT siblings share a core, the lowest of them. */
    public record Cpu(int id, int core, int node) {}

    public Topology {
        cpus = cpus.stream().sorted(Comparator.comparingInt(Cpu::id)).toList();
    }

    /** Returns the topology of this machine. Read it before Kiln pins itself: a pinned process may use fewer CPUs. */
    public static Topology ofThisMachine() {
        return read(ProcFs.ofThisMachine());
    }

    static Topology read(ProcFs fs) {
        List<Integer> allowed = fs.text("proc/self/status")
                .map(status -> CpuLists.parse(ProcStatus.field(status, "Cpus_allowed_list")))
                .orElse(List.of());
        List<Integer> online =
                fs.text("sys/devices/system/cpu/online").map(CpuLists::parse).orElse(allowed);
        List<Cpu> cpus = new ArrayList<>();
        for (int id : allowed) {
            if (online.contains(id)) {
                cpus.add(new Cpu(id, core(fs, id), node(fs, id)));
            }
        }
        return new Topology(cpus);
    }

    public List<Integer> ids() {
        return cpus.stream().map(Cpu::id).toList();
    }

    private static int core(ProcFs fs, int id) {
        return fs.text("sys/devices/system/cpu/cpu" + id + "/topology/thread_siblings_list")
                .map(CpuLists::parse)
                .filter(siblings -> !siblings.isEmpty())
                .map(List::getFirst)
                .orElse(id);
    }

    private static int node(ProcFs fs, int id) {
        Path folder = fs.path("sys/devices/system/cpu/cpu" + id);
        try (DirectoryStream<Path> nodes = Files.newDirectoryStream(folder, "node[0-9]*")) {
            for (Path node : nodes) {
                return Integer.parseInt(node.getFileName().toString().substring("node".length()));
            }
        } catch (IOException | NumberFormatException e) {
            return 0;
        }
        return 0;
    }

    /** CpuLists are the kernel's notation for sets of CPUs: {@code 0-3,8,10-11}. */
    public static final class CpuLists {
        /** This is eight times what any kernel numbers. */
        private static final int LIMIT = 65_536;

        private CpuLists() {}

        /** Empty text is the empty set. Parts that are not numbers of CPUs are ignored. */
        public static List<Integer> parse(String text) {
            List<Integer> cpus = new ArrayList<>();
            for (String range : text.strip().split(",", -1)) {
                String[] ends = range.split("-", 2);
                try {
                    int first = Integer.parseInt(ends[0].strip());
                    int last = ends.length == 1 ? first : Integer.parseInt(ends[1].strip());
                    for (int cpu = first; cpu <= last && last < LIMIT; cpu++) {
                        cpus.add(cpu);
                    }
                } catch (NumberFormatException e) {
                    // No number, no CPU.
                }
            }
            return List.copyOf(cpus);
        }

        public static String format(List<Integer> cpus) {
            List<Integer> sorted = cpus.stream().distinct().sorted().toList();
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < sorted.size(); i++) {
                int first = sorted.get(i);
                int last = first;
                while (i + 1 < sorted.size() && sorted.get(i + 1) == last + 1) {
                    last = sorted.get(++i);
                }
                text.append(text.isEmpty() ? "" : ",").append(first);
                if (last > first) {
                    text.append('-').append(last);
                }
            }
            return text.toString();
        }
    }
}
