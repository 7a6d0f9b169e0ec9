import dev.kiln.jvm.flight.FlightRecording;
import dev.kiln.model.run.FlightDigest.FlightCompilations;
import dev.kiln.model.run.FlightDigest.TierShare;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Path;
import java.time.Instant;

/** Digests {@code args[0]}, and prints what it found and the most heap that was in use, in MB: garbage included, without. */
public class Digest {
    public static void main(String[] args) {
        Path file = Path.of(args[0]);
        Instant zero = FlightRecording.begin(file).orElseThrow();
        var digested = FlightRecording.digest(file, zero);
        var digest = digested.digest();
        long peak = 0;
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getType() == MemoryType.HEAP) {
                peak += pool.getPeakUsage().getUsed();
            }
        }
        System.gc();
        long kept = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        System.out.println((peak >> 20) + " " + (kept >> 20) + " "
                + digest.compilations().stream()
                        .mapToInt(FlightCompilations::count)
                        .sum() + " "
                + digest.tiers().stream()
                        .mapToInt(t -> t.interpreted() + t.c1() + t.c2() + t.inlined() + t.nativeCode())
                        .sum()
                + " " + digest.collector().pauses().size());
        digested.gaps().forEach(System.err::println);
        if (digest.tiers().stream().allMatch((TierShare t) -> t.c2() == 0)) {
            throw new IllegalStateException("no samples of C2: the recording is not what was meant");
        }
    }
}
