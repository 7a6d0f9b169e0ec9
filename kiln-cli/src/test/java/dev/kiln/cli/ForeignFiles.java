package dev.kiln.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Locale;

/** Result files of other programs, as they write them. */
public final class ForeignFiles {
    /** 3 s after 17:01:26 in New York, which is 21:01:26 UTC. */
    public static final long LOAD_START = 1_780_434_089_300L;

    public static final LocalDateTime PIDSTAT_START = LocalDateTime.of(2026, 6, 2, 17, 1, 26);

    private ForeignFiles() {}

    /** Hyperfoil's statistics of a run: 120 s of warm-up, 30 s of pause, 30 s of load. */
    public static void hyperfoil(Path run, long start, int requests) throws IOException {
        Path stats = Files.createDirectories(run.resolve("stats"));
        Files.writeString(stats.resolve("warmup.get.0.series.csv"), series(start, 120, requests));
        Files.writeString(stats.resolve("load.get.1.series.csv"), series(start + 150_000, 30, requests + 10));
    }

    public static String series(long start, int seconds, int requests) {
        StringBuilder text = new StringBuilder("Start,End,Requests,Responses,p50.0,p99.0,Max\n");
        for (int i = 0; i < seconds; i++) {
            int count = requests + (i * 7 % 5) * 10;
            text.append(start + 1000L * i)
                    .append(',')
                    .append(start + 1000L * (i + 1))
                    .append(',')
                    .append(count)
                    .append(',')
                    .append(count)
                    .append(",2000000,9000000,9500000\n");
        }
        return text.toString();
    }

    /** @param start in the afternoon, by the clock on the wall */
    public static String pidstat(LocalDateTime start, int seconds) {
        StringBuilder text =
                new StringBuilder("Linux 5.14.0 (lab) \t" + start.toLocalDate() + " \t_x86_64_\t(64 CPU)\n\n");
        for (int i = 0; i < seconds; i++) {
            String from = time(start.plusSeconds(i));
            String to = time(start.plusSeconds(i + 1));
            text.append(from)
                    .append("   UID      TGID       TID    %usr %system  %guest   %wait    %CPU   CPU  Command\n");
            text.append(to).append("  1000        10         -  300.00    0.00    0.00    0.00  300.00     2  java\n");
            text.append(to)
                    .append(
                            "  1000         -        11   30.00   10.00    0.00  120.00   40.00     2  |__C2 CompilerThre\n\n");
        }
        return text.toString();
    }

    private static String time(LocalDateTime time) {
        return String.format(Locale.ROOT, "%02d:%02d:%02d PM", time.getHour() - 12, time.getMinute(), time.getSecond());
    }
}
