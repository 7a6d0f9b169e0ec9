package dev.kiln.evidence;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.Locale;
import java.util.zip.Deflater;
import org.HdrHistogram.EncodableHistogram;

/**
 * Appends histograms to {@code latency.hlog}: the HdrHistogram log format V1.3, which its own tools read. Values are ns, time
 * stamps seconds since launch with all nine decimals, so that they fit {@code load.csv} to the nanosecond.
 */
public final class LatencyLogWriter implements Closeable {
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    /** The unit of the format's column Interval_Max is ms where values are ns. */
    private static final double NANOS_PER_MILLI = 1e6;

    private final OutputStream out;
    private final StringBuilder pending = new StringBuilder(16 * 1024);
    private ByteBuffer encoded = ByteBuffer.allocate(0);

    /**
     * Appends to the file if it exists.
     *
     * @param launchEpochMillis the wall clock at launch: it lets other tools show absolute times
     */
    public LatencyLogWriter(Path file, long launchEpochMillis) throws IOException {
        out = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        if (Files.size(file) == 0) {
            String launch = String.format(Locale.ROOT, "%.3f", launchEpochMillis / 1e3);
            pending.append("#[Latencies in ns by completion time; times in seconds since launch]\n")
                    .append("#[Histogram log format version 1.3]\n")
                    .append("#[StartTime: " + launch + " (seconds since epoch)]\n")
                    .append("#[BaseTime: " + launch + " (seconds since epoch)]\n")
                    .append("\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",")
                    .append("\"Interval_Compressed_Histogram\"\n");
        }
    }

    /** An interval's histogram. The phase's name must have passed {@link LoadWriter#isValidPhaseName}. */
    public void write(String phase, long startNanos, long endNanos, EncodableHistogram histogram) {
        int needed = histogram.getNeededByteBufferCapacity();
        if (encoded.capacity() < needed) {
            encoded = ByteBuffer.allocate(needed);
        }
        encoded.clear();
        int length = histogram.encodeIntoCompressedByteBuffer(encoded, Deflater.BEST_SPEED);
        byte[] bytes = new byte[length];
        encoded.get(0, bytes);
        pending.append("Tag=").append(phase).append(',');
        seconds(startNanos);
        seconds(endNanos - startNanos);
        pending.append(histogram.getMaxValueAsDouble() / NANOS_PER_MILLI).append(',');
        pending.append(Base64.getEncoder().encodeToString(bytes)).append('\n');
    }

    private void seconds(long nanos) {
        long whole = nanos / NANOS_PER_SECOND;
        long rest = nanos % NANOS_PER_SECOND;
        pending.append(whole).append('.');
        String decimals = Long.toString(rest);
        pending.repeat('0', 9 - decimals.length()).append(decimals).append(',');
    }

    public void flush() throws IOException {
        if (!pending.isEmpty()) {
            out.write(pending.toString().getBytes(StandardCharsets.UTF_8));
            pending.setLength(0);
        }
    }

    @Override
    public void close() throws IOException {
        try (out) {
            flush();
        }
    }
}
