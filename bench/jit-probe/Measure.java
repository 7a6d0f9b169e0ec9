import dev.kiln.evidence.RunWriter;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.jvm.AttachSocket;
import dev.kiln.jvm.JvmCounters;
import dev.kiln.jvm.JvmProbe;
import dev.kiln.recorder.Recorder;
import dev.kiln.recorder.RecorderSpec;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What asking the JVM {@code args[0]} costs it and Kiln: each command {@code args[1]} times, by Kiln and by the jcmd of its
 * JDK {@code args[2]} in turns; then the recorder as a run has it, {@code args[3]} s without and with the questions, into
 * {@code args[4]}.
 */
public class Measure {
    private static final ProcFs FS = ProcFs.ofThisMachine();
    private static final List<String> COMMANDS =
            List.of("Compiler.queue", "Compiler.codelist", "Compiler.codecache", "VM.flags -all");

    private final long pid;
    private final JvmCounters counters;
    private final AttachSocket socket;
    private final String jcmd;

    /** Of one call: ns of CPU of the JVM's threads that answer, ns in safepoints, ns until the answer, ns of CPU of who asks. */
    record Cost(long target, long safepoint, long wall, long own, long bytes) {}

    Measure(long pid, String jcmd) {
        this.pid = pid;
        this.jcmd = jcmd;
        this.counters = new JvmProbe(FS, pid).counters().orElseThrow();
        this.socket = new AttachSocket(FS, pid, Duration.ofSeconds(10));
    }

    public static void main(String[] args) throws Exception {
        Measure measure = new Measure(Long.parseLong(args[0]), args[2] + "/bin/jcmd");
        int times = Integer.parseInt(args[1]);
        for (String command : COMMANDS) {
            List<Cost> kiln = new ArrayList<>();
            List<Cost> jcmd = new ArrayList<>();
            for (int i = 0; i < times; i++) {
                kiln.add(measure.kiln(command));
                Thread.sleep(50);
                if (i % 4 == 0) {
                    jcmd.add(measure.jcmd(command));
                    Thread.sleep(50);
                }
            }
            print(command, "kiln", kiln);
            print(command, "jcmd", jcmd);
        }
        int seconds = Integer.parseInt(args[3]);
        measure.record(seconds, false, Path.of(args[4], "without"));
        measure.record(seconds, true, Path.of(args[4], "with"));
    }

    private static void print(String command, String who, List<Cost> costs) {
        System.out.printf(
                Locale.ROOT,
                "%-20s %-5s %3d calls; medians: JVM %7.0f us CPU, safepoint %6.0f us; answer %7.2f ms, %7.0f bytes; asker %8.0f us CPU%n",
                command,
                who,
                costs.size(),
                median(costs, Cost::target) / 1e3,
                median(costs, Cost::safepoint) / 1e3,
                median(costs, Cost::wall) / 1e6,
                median(costs, Cost::bytes),
                // The kernel counts ended children in steps of 10 ms: only the mean of many says something.
                who.equals("jcmd") ? costs.stream().mapToLong(Cost::own).average().orElse(0) / 1e3 : median(costs, Cost::own) / 1e3);
    }

    private static double median(List<Cost> costs, ToDoubleFunction<Cost> figure) {
        double[] sorted = costs.stream().mapToDouble(figure).sorted().toArray();
        return sorted[sorted.length / 2];
    }

    private Cost kiln(String command) throws IOException {
        long target = answering();
        long safepoint = counters.pauses().safepointNanos();
        long own = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        long begin = System.nanoTime();
        int bytes = socket.ask("jcmd", command).told().orElseThrow().length;
        long wall = System.nanoTime() - begin;
        own = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - own;
        return new Cost(answering() - target, counters.pauses().safepointNanos() - safepoint, wall, own, bytes);
    }

    private Cost jcmd(String command) throws IOException {
        long target = answering();
        long safepoint = counters.pauses().safepointNanos();
        long own = children();
        long begin = System.nanoTime();
        List<String> words = new ArrayList<>(List.of(jcmd, Long.toString(pid)));
        words.addAll(List.of(command.split(" ", -1)));
        int bytes = new ProcessBuilder(words).start().getInputStream().readAllBytes().length;
        long wall = System.nanoTime() - begin;
        while (children() == own) {
            Thread.onSpinWait(); // until it has been waited for
        }
        own = children() - own;
        return new Cost(answering() - target, counters.pauses().safepointNanos() - safepoint, wall, own, bytes);
    }

    /** CPU time of the JVM's threads that answer: they do nothing else, but that the VM thread also leads collections. */
    private long answering() throws IOException {
        long sum = 0;
        for (int tid : FS.tids(pid)) {
            Path task = Path.of("/proc/" + pid + "/task/" + tid);
            try {
                String name = Files.readString(task.resolve("comm")).strip();
                if (name.equals("Attach Listener") || name.equals("VM Thread")) {
                    sum += Long.parseLong(Files.readString(task.resolve("schedstat")).split(" ", 2)[0]);
                }
            } catch (IOException e) {
                continue; // it has just ended
            }
        }
        return sum;
    }

    /** CPU time of the children that ended, in ns. */
    private static long children() throws IOException {
        String stat = Files.readString(Path.of("/proc/self/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return 10_000_000 * (Long.parseLong(fields[13]) + Long.parseLong(fields[14]));
    }

    private void record(int seconds, boolean ask, Path directory) throws Exception {
        long target = answering();
        long safepoint = counters.pauses().safepointNanos();
        try (RunWriter writer = new RunWriter(directory)) {
            Recorder recorder = Recorder.start(new RecorderSpec(pid, System.nanoTime(), Map.of(), ask), writer);
            Thread.sleep(seconds * 1000L);
            long own = cpu("kiln-jit");
            recorder.stop();
            System.out.printf(
                    Locale.ROOT,
                    "%s questions, a second: JVM's answering threads %.2f ms CPU, safepoints %.2f ms, Kiln's kiln-jit %.2f ms CPU%n",
                    ask ? "with" : "without",
                    (answering() - target) / 1e6 / seconds,
                    (counters.pauses().safepointNanos() - safepoint) / 1e6 / seconds,
                    own / 1e6 / seconds);
        }
    }

    private static long cpu(String thread) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long sum = 0;
        for (var info : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (info != null && info.getThreadName().equals(thread)) {
                sum += threads.getThreadCpuTime(info.getThreadId());
            }
        }
        return sum;
    }
}
