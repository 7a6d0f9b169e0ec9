import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/** Makes a series as Hyperfoil writes it, or a log as pidstat does, of so many MB. */
class Make {
    public static void main(String[] args) throws IOException {
        long bytes = Long.parseLong(args[2]) * 1_000_000;
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(Path.of(args[1])), 1 << 20)) {
            if (args[0].equals("series")) {
                series(out, bytes);
            } else {
                pidstat(out, bytes);
            }
        }
    }

    private static void series(OutputStream out, long bytes) throws IOException {
        Random random = new Random(1);
        String header = "Start,End,Requests,Responses,Mean,StdDev,Min,p50.0,p90.0,p99.0,p99.9,p99.99,Max,ConnectionErrors,"
                + "RequestTimeouts,InternalErrors,Invalid,BlockedTime,http.2xx,http.3xx,http.4xx,http.5xx,http.CacheHits,"
                + "http.OtherStatus\n";
        out.write(header.getBytes(StandardCharsets.US_ASCII));
        long written = header.length();
        for (long start = 1_700_000_000_000L; written < bytes; start += 1000) {
            int n = 14_000 + random.nextInt(1000);
            String row = start + "," + (start + 1000) + "," + n + "," + n + "," + (6_000_000 + random.nextInt(900_000))
                    + ",6217427,385024," + (5_000_000 + random.nextInt(900_000)) + ",14352383,"
                    + (29_000_000 + random.nextInt(900_000)) + ",60030975,91226111,114819071,0,0,0,0,0," + n + ",0,0,0,0,0\n";
            out.write(row.getBytes(StandardCharsets.US_ASCII));
            written += row.length();
        }
    }

    /** 150 threads, 40 of them busy. */
    private static void pidstat(OutputStream out, long bytes) throws IOException {
        Random random = new Random(1);
        out.write("Linux 5.14.0 (lab) \t06/02/2026 \t_x86_64_\t(64 CPU)\n\n".getBytes(StandardCharsets.US_ASCII));
        StringBuilder second = new StringBuilder();
        for (long at = 0; bytes > 0; at++) {
            second.setLength(0);
            String from = time(at);
            String to = time(at + 1);
            second.append(from).append("   UID      TGID       TID    %usr %system  %guest   %wait    %CPU   CPU  Command\n");
            row(second, to, "  1000   1935146         -", "  337.00   10.00    0.00    0.00  347.00     2  java\n");
            for (int i = 0; i < 150; i++) {
                int use = i < 40 ? random.nextInt(90) + 10 : 0;
                row(second, to, "  1000         -   " + (1935146 + i), "   " + (use == 0 ? " 0" : use)
                        + ".00    0.00    0.00    " + use % 10 + ".00   " + (use == 0 ? " 0" : use) + ".00     2  |__" + name(i) + "\n");
            }
            second.append('\n').append(from).append("   UID      TGID       TID   cswch/s nvcswch/s  Command\n");
            row(second, to, "  1000   1935146         -", "      0.00      0.00  java\n");
            for (int i = 0; i < 150; i++) {
                int switches = i < 40 ? random.nextInt(900) + 100 : 0;
                row(second, to, "  1000         -   " + (1935146 + i), "    " + (switches == 0 ? "  0" : switches)
                        + ".00      0.00  |__" + name(i) + "\n");
            }
            second.append('\n');
            out.write(second.toString().getBytes(StandardCharsets.US_ASCII));
            bytes -= second.length();
        }
    }

    private static void row(StringBuilder out, String time, String ids, String rest) {
        out.append(time).append(ids).append(rest);
    }

    private static String name(int i) {
        return i == 1 ? "C2 CompilerThre" : i == 2 ? "C1 CompilerThre" : i < 110 ? "http-nio-8080-e" : "GC Thread#" + i;
    }

    private static String time(long second) {
        long s = second % 86_400;
        return "%02d:%02d:%02d".formatted(s / 3600, s / 60 % 60, s % 60);
    }
}
