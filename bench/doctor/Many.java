import com.sun.management.OperatingSystemMXBean;
import dev.kiln.doctor.Watch;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.jvm.LiveJvms;
import dev.kiln.model.LiveProcess;
import dev.kiln.recorder.RecorderSpec.RecorderPace;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a round over many JVMs costs, as {@code kiln doctor --all} makes it, on a fake /proc below {@code args[0]}: for each number
 * of JVMs in {@code args[2]} and so on the CPU time of listing and looking, in ms for each JVM. Median of {@code args[1]} rounds.
 */
public class Many {
    private static final String[] THREADS = {
        "java",
        "main",
        "GC Thread#0",
        "VM Thread",
        "Reference Handl",
        "Finalizer",
        "Signal Dispatch",
        "C2 CompilerThre",
        "C1 CompilerThre",
        "Notification Th",
        "VM Periodic Tas",
        "Common-Cleaner",
        "http-1",
        "http-2",
        "http-3"
    };

    /** Looked at together; 1,000 in a round of 30 s make 74. */
    private static final int TOGETHER = 74;

    private static final Duration LOOK = Duration.ofMillis(500);

    public static void main(String[] args) throws Exception {
        Path root = Path.of(args[0]);
        int rounds = Integer.parseInt(args[1]);
        int[] counts = Arrays.stream(args).skip(2).mapToInt(Integer::parseInt).toArray();
        Map<Integer, LiveJvms> listed = new TreeMap<>();
        Map<Integer, List<Double>> costs = new TreeMap<>();
        for (int count : counts) {
            Path machine = root.resolve(Integer.toString(count));
            make(machine, count);
            listed.put(count, new LiveJvms(new ProcFs(machine)));
        }
        // The first round compiles Kiln's own code, and reads what a list keeps.
        for (int round = 0; round <= rounds; round++) {
            for (int count : counts) {
                double cost = round(listed.get(count), new ProcFs(root.resolve(Integer.toString(count))), count);
                if (round > 0) {
                    costs.computeIfAbsent(count, n -> new ArrayList<>()).add(cost);
                }
            }
        }
        costs.forEach((count, all) -> System.out.printf(
                Locale.ROOT,
                "%5d JVMs: %.2f ms of CPU each, %.0f ms in all%n",
                count,
                median(all) / count,
                median(all)));
    }

    private static double round(LiveJvms jvms, ProcFs fs, int count) throws InterruptedException {
        OperatingSystemMXBean self = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long before = self.getProcessCpuTime();
        List<LiveProcess> all = jvms.all();
        if (all.size() != count) {
            throw new IllegalStateException(all.size() + " of " + count + " JVMs were found");
        }
        Watch.Spec spec =
                new Watch.Spec(RecorderPace.GLANCE, false, false, LOOK.plusSeconds(5), Optional.empty(), "bench");
        for (int from = 0; from < count; from += TOGETHER) {
            List<Watch> watches = new ArrayList<>();
            for (LiveProcess process : all.subList(from, Math.min(count, from + TOGETHER))) {
                watches.add(Watch.begin(process, spec, fs));
            }
            Thread.sleep(LOOK);
            watches.forEach(watch -> watch.diagnosis(LOOK.toMillis() / 1e3));
            watches.forEach(Watch::close);
        }
        return (self.getProcessCpuTime() - before) / 1e6;
    }

    private static void make(Path root, int count) throws IOException {
        Files.createDirectories(root.resolve("proc"));
        Files.writeString(root.resolve("proc/uptime"), "90000.00 1.00\n");
        for (int pid = 100_000; pid < 100_000 + 20 * count; pid += 20) {
            Path process = Files.createDirectories(root.resolve("proc/" + pid));
            Files.writeString(process.resolve("stat"), stat(pid, "java"));
            Files.writeString(process.resolve("maps"), "7f00 r-xp 0 0:0 1 /opt/jdk/lib/server/libjvm.so\n");
            Files.writeString(process.resolve("status"), "Name:\tjava\nUid:\t0\t0\t0\t0\nNSpid:\t" + pid + "\n");
            Files.writeString(process.resolve("cmdline"), "java\0-jar\0service.jar\0");
            Files.writeString(process.resolve("cgroup"), "0::/system.slice/service-" + pid + ".service\n");
            for (int i = 0; i < THREADS.length; i++) {
                Path thread = Files.createDirectories(process.resolve("task/" + (pid + i)));
                Files.writeString(thread.resolve("stat"), stat(pid + i, THREADS[i]));
                Files.writeString(thread.resolve("comm"), THREADS[i] + "\n");
                Files.writeString(thread.resolve("schedstat"), "1000000000 1000000 1000\n");
                Files.writeString(
                        thread.resolve("status"), "voluntary_ctxt_switches:\t9\nnonvoluntary_ctxt_switches:\t9\n");
            }
        }
    }

    private static String stat(int id, String name) {
        return id + " (" + name + ") S" + " 1".repeat(49) + "\n";
    }

    private static double median(List<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
