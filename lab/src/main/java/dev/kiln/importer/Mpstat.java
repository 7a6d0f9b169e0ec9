package dev.kiln.importer;

import dev.kiln.model.CpuSample;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** A log of {@code mpstat -P ALL 1}: shares of each CPU. The mean of all CPUs is read only where there are no others. */
record Mpstat(Path file, Clock clock, Span span, long usualSeconds, SysstatHead head, boolean single)
        implements SystemLog {
    private static final long SECOND = 1_000_000_000L;

    /** A hundredth of a percent, for a second. */
    private static final long NANOS_PER_SHARE = SECOND / 10_000;

    /**
     * One row.
     *
     * @param cpu -1 for all together
     * @param idle hundredths of a percent
     * @param steal hundredths of a percent
     */
    record Row(long second, int cpu, long idle, long steal) {}

    /** All rows, and the first line. */
    record Rows(SysstatHead head, List<Row> rows, List<String> gaps) {}

    static boolean isHeader(String line) {
        List<String> words = Arrays.asList(line.strip().split("\\s+"));
        return words.contains("CPU") && words.contains("%usr") && words.contains("%idle") && !line.contains("Command");
    }

    static Optional<Mpstat> of(Path file) {
        Rows parsed = parse(Lines.of(file));
        List<Row> rows = parsed.rows();
        if (rows.size() < 2) {
            return Optional.empty();
        }
        long first = rows.getFirst().second();
        long usual = rows.stream()
                .mapToLong(row -> row.second() - first)
                .filter(seconds -> seconds > 0)
                .min()
                .orElse(1);
        Clock clock = parsed.head().date().isPresent() ? Clock.LOCAL : Clock.TIME_OF_DAY;
        return Optional.of(new Mpstat(
                file,
                clock,
                new Span((first - usual) * SECOND, rows.getLast().second() * SECOND),
                usual,
                parsed.head(),
                rows.stream().noneMatch(row -> row.cpu() >= 0)));
    }

    static Rows parse(Lines lines) {
        List<Row> rows = new ArrayList<>();
        List<String> gaps = new ArrayList<>();
        SysstatHead head = SysstatHead.NONE;
        DayClock clock = new DayClock();
        List<String> columns = List.of();
        try (lines) {
            while (lines.next()) {
                String line = lines.text();
                if (!lines.whole()) {
                    gaps.add(lines.file() + ":" + lines.number() + ": the last line is cut short and left out");
                } else if (line.startsWith("Linux ")) {
                    head = SysstatHead.of(line);
                    clock.date(head);
                } else if (isHeader(line)) {
                    columns = columns(line);
                } else if (!line.isBlank() && !line.startsWith("Average:")) {
                    rows.add(row(lines, line, columns, clock));
                }
            }
        }
        return new Rows(head, rows, gaps);
    }

    private static List<String> columns(String header) {
        String plain = header.replaceFirst("^\\d\\d:\\d\\d:\\d\\d( [AP]M)?", "").strip();
        return List.of(plain.split("\\s+"));
    }

    private static Row row(Lines lines, String line, List<String> columns, DayClock clock) {
        Optional<Long> time = SysstatTime.of(line);
        String[] cells =
                line.replaceFirst("^\\d\\d:\\d\\d:\\d\\d( [AP]M)?", "").strip().split("\\s+", -1);
        int cpu = columns.indexOf("CPU");
        int idle = columns.indexOf("%idle");
        int steal = columns.indexOf("%steal");
        if (time.isEmpty() || cpu < 0 || idle < 0 || cells.length != columns.size()) {
            throw lines.malformed("'" + line.strip() + "'", "a row of mpstat");
        }
        long second = clock.forward(time.get());
        if (second < 0) {
            throw lines.malformed("a time before that of the row above", "times that grow");
        }
        boolean all = cells[cpu].equals("all");
        if (!all && !cells[cpu].matches("\\d{1,5}")) {
            throw lines.malformed("'" + cells[cpu] + "' for CPU", "a number or all");
        }
        return new Row(
                second,
                all ? -1 : Integer.parseInt(cells[cpu]),
                share(lines, cells[idle]),
                steal < 0 ? 0 : share(lines, cells[steal]));
    }

    private static long share(Lines lines, String cell) {
        if (!cell.matches("\\d{1,3}[.,]\\d{2}")) {
            throw lines.malformed("'" + cell + "'", "a share in percent");
        }
        long hundredths = Long.parseLong(cell.replaceAll("[.,]", ""));
        if (hundredths > 10_000) {
            throw lines.malformed("'" + cell + "'", "a share of at most 100.00");
        }
        return hundredths;
    }

    @Override
    public String what() {
        return "mpstat";
    }

    @Override
    public long resolutionNanos() {
        return SECOND;
    }

    @Override
    public String kernel() {
        return head.kernel();
    }

    @Override
    public OptionalInt cpus() {
        return head.cpus();
    }

    @Override
    public boolean waits() {
        return true;
    }

    @Override
    public void read(long shiftNanos, SystemSink sink) {
        Rows parsed = parse(Lines.of(file));
        parsed.gaps().forEach(sink::gap);
        if (single) {
            sink.gap("mpstat tells of all CPUs together: they are shown as CPU 0");
        }
        Map<Integer, long[]> totals = new HashMap<>();
        for (Row row : parsed.rows()) {
            if (row.cpu() >= 0 || single) {
                long[] total = totals.computeIfAbsent(row.cpu(), cpu -> new long[3]);
                total[0] += Math.max(0, 10_000 - row.idle() - row.steal()) * NANOS_PER_SHARE * usualSeconds;
                total[1] += row.idle() * NANOS_PER_SHARE * usualSeconds;
                total[2] += row.steal() * NANOS_PER_SHARE * usualSeconds;
                sink.cpu(new CpuSample(
                        row.second() * SECOND + shiftNanos,
                        Math.max(0, row.cpu()),
                        Math.max(0, total[0]),
                        total[1],
                        total[2]));
            }
        }
    }
}
