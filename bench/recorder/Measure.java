import com.sun.management.OperatingSystemMXBean;
import dev.kiln.evidence.RunWriter;
import dev.kiln.recorder.Recorder;
import dev.kiln.recorder.RecorderSpec;
import dev.kiln.recorder.Recording;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;

/**
 * Rehearses as Kiln does, then records process {@code args[0]} twice, {@code args[1]} seconds each, into {@code args[2]}. Of
 * each recording it prints: ms of CPU a second of the recorder's thread, and of the whole process, JIT and collector included.
 */
public class Measure {
    public static void main(String[] args) throws InterruptedException {
        long pid = Long.parseLong(args[0]);
        int seconds = Integer.parseInt(args[1]);
        Recorder.rehearse(Path.of(args[2], "rehearsal"));
        String first = record(pid, seconds, Path.of(args[2], "first"));
        System.out.println(first + " " + record(pid, seconds, Path.of(args[2], "second")));
    }

    private static String record(long pid, int seconds, Path directory) throws InterruptedException {
        OperatingSystemMXBean self = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long before = self.getProcessCpuTime();
        try (RunWriter writer = new RunWriter(directory)) {
            Map<String, Long> parts = Map.of("kiln", ProcessHandle.current().pid());
            Recorder recorder = Recorder.start(new RecorderSpec(pid, System.nanoTime(), parts, false), writer);
            Thread.sleep(seconds * 1000L);
            Recording.RecordingResult result = recorder.stop();
            result.failure().ifPresent(e -> {
                throw e;
            });
            long process = self.getProcessCpuTime() - before;
            return String.format(Locale.ROOT, "%.2f %.2f", result.cpuNanos() / 1e6 / seconds, process / 1e6 / seconds);
        }
    }
}
