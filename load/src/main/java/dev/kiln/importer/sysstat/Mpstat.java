package dev.kiln.importer.sysstat;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource.Span;
import dev.kiln.importer.format.SystemLog;
import dev.kiln.importer.format.SystemLog.LogClock;
import dev.kiln.importer.format.SystemLog.LogContent;
import dev.kiln.importer.format.SystemLog.Sink;
import dev.kiln.model.run.Sample.CpuSample;
import dev.kiln.text.Show;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An Mpstat is {@code mpstat -P ALL 1} or {@code sar -P ALL}: each CPU's share, else that of all. */
public record Mpstat(long usualSeconds, boolean single) {
    public static final Format FORMAT = new Format(
            "mpstat -P ALL, sar -P ALL",
            head -> head.line(30, Mpstat::isHeader),
            new Format.OneLog((file, options) -> of(file), file -> Format.NO_RECORD));

    private static final long SECOND = 1_000_000_000L;

    /** This is a hundredth of a percent, for a second. */
    private static final long NANOS_PER_SHARE = SECOND / 10_000;

    /** A share has two decimals, or as many as {@code --dec} asks for. */
    private static final Pattern SHARE = Pattern.compile("(\\d{1,3})(?:[.,](\\d{1,2}))?");

    private static final Pattern ZERO = Pattern.compile("0(?:[.,]0{1,2})?");

    /** A row of figures ends with one of this form; a header of another table ends with a name. */
    private static final Pattern FIGURE = Pattern.compile("-?\\d+([.,]\\d+)?");

    /**
     * An MpstatRow is one row of the table of CPUs.
     *
     * @param cpu -1 for all together
     * @param idle hundredths of a percent
     * @param steal hundredths of a percent
     * @param softirq hundredths of a percent; empty where the table has no such column
     */
    record MpstatRow(long second, int cpu, long idle, long steal, OptionalLong softirq) {}

    private static boolean isHeader(String line) {
        List<String> words = Arrays.asList(line.strip().split("\\s+"));
        return words.contains("CPU")
                && (words.contains("%usr") || words.contains("%user"))
                && words.contains("%idle")
                && !line.contains("Command");
    }

    /** An Extent is what a first reading finds. */
    private static final class Extent {
        long first = Long.MIN_VALUE;
        long last;
        long usual = Long.MAX_VALUE;
        int rows;
        boolean single = true;

        void add(MpstatRow row) {
            first = rows++ == 0 ? row.second() : first;
            last = row.second();
            usual = last > first ? Math.min(usual, last - first) : usual;
            single &= row.cpu() < 0;
        }
    }

    /** MpstatInfo is what a log says of itself. */
    record MpstatInfo(Sysstat.SysstatHead head, LogClock clock) {}

    /** An MpstatSource reads a log from its beginning to its end. */
    interface MpstatSource {
        MpstatInfo read(Consumer<MpstatRow> rows, Consumer<String> gaps);
    }

    public static Optional<SystemLog> of(Path file) {
        Format.Head begin = Format.Head.of(file);
        boolean sar = begin.line(30, line -> isHeader(line) && columns(line).contains("%user"));
        boolean epoch = begin.line(30, line -> Sysstat.time(line).stream().anyMatch(Sysstat.DayClock::isAbsolute));
        return of(sar ? "sar" : "mpstat", (rows, gaps) -> {
            Sysstat.SysstatHead head = parse(Lines.of(file), rows, gaps);
            return new MpstatInfo(
                    head, epoch ? LogClock.EPOCH : head.date().isPresent() ? LogClock.LOCAL : LogClock.TIME_OF_DAY);
        });
    }

    static Optional<SystemLog> of(String what, MpstatSource source) {
        Extent extent = new Extent();
        MpstatInfo told = source.read(extent::add, gap -> {});
        if (extent.rows < 2) {
            return Optional.empty();
        }
        Mpstat log = new Mpstat(extent.last > extent.first ? extent.usual : 1, extent.single);
        return Optional.of(new SystemLog(
                what,
                told.clock(),
                new Span((extent.first - log.usualSeconds) * SECOND, extent.last * SECOND),
                extent.single ? LogContent.ALL_CPUS_TOGETHER : LogContent.EACH_CPU,
                true,
                told.head().machine(),
                (shift, sink) -> log.read(what, source, shift, sink)));
    }

    /** Passes on the rows; other tables of the same log, such as of interrupts, are skipped. */
    public static Sysstat.SysstatHead parse(Lines lines, Consumer<MpstatRow> rows, Consumer<String> gaps) {
        Sysstat.SysstatHead head = Sysstat.SysstatHead.NONE;
        Sysstat.DayClock clock = new Sysstat.DayClock();
        Optional<List<String>> columns = Optional.empty();
        boolean other = false;
        try (lines) {
            while (lines.next()) {
                String line = lines.text();
                if (!lines.whole()) {
                    gaps.accept(lines.cutShort());
                } else if (line.startsWith("Linux ")) {
                    head = Sysstat.SysstatHead.of(line);
                    clock.date(head);
                } else if (isHeader(line)) {
                    columns = Optional.of(columns(line));
                    other = false;
                } else if (Sysstat.time(line).isEmpty()) {
                    if (columns.isPresent() && !line.isBlank() && !Sysstat.isMean(line)) {
                        gaps.accept(lines.place() + ": '" + Show.brief(line.strip(), 40) + "' is no row and left out");
                    }
                } else if (isOtherHeader(afterTime(line).strip())) {
                    other = true;
                } else if (!other && !isOffline(columns.orElse(List.of()), line)) {
                    rows.accept(row(lines, line, columns.orElse(List.of()), clock));
                }
            }
        }
        return head;
    }

    /** A CPU that is offline has a row of zeros in sysstat up to 11: it was neither busy nor idle. */
    private static boolean isOffline(List<String> columns, String line) {
        String[] cells = afterTime(line).strip().split("\\s+", -1);
        int cpu = columns.indexOf("CPU");
        return cells.length == columns.size()
                && Arrays.stream(cells, cpu + 1, cells.length)
                        .allMatch(cell -> ZERO.matcher(cell).matches());
    }

    /** Tells whether the line begins another table, or none: sar writes a line without a table when the machine was started. */
    private static boolean isOtherHeader(String line) {
        String last = line.substring(line.lastIndexOf(' ') + 1);
        return !FIGURE.matcher(last).matches() && last.matches(".*\\p{L}.*");
    }

    private static List<String> columns(String header) {
        return List.of(afterTime(header).strip().split("\\s+"));
    }

    private static String afterTime(String line) {
        return line.substring(Sysstat.stamp(line).map(Sysstat.Stamp::length).orElse(0));
    }

    private static MpstatRow row(Lines lines, String line, List<String> columns, Sysstat.DayClock clock) {
        Optional<Long> time = Sysstat.time(line);
        String[] cells = afterTime(line).strip().split("\\s+", -1);
        int cpu = columns.indexOf("CPU");
        int idle = columns.indexOf("%idle");
        int steal = columns.indexOf("%steal");
        int soft = columns.indexOf("%soft");
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
        return new MpstatRow(
                second,
                all ? -1 : Integer.parseInt(cells[cpu]),
                share(lines, cells[idle]),
                steal < 0 ? 0 : share(lines, cells[steal]),
                soft < 0 ? OptionalLong.empty() : OptionalLong.of(share(lines, cells[soft])));
    }

    private static long share(Lines lines, String cell) {
        Matcher share = SHARE.matcher(cell);
        if (!share.matches()) {
            throw lines.malformed("'" + cell + "'", "a share in percent");
        }
        String decimals = share.group(2) == null ? "" : share.group(2);
        long hundredths = Long.parseLong(share.group(1) + decimals + "0".repeat(2 - decimals.length()));
        if (hundredths > 10_000) {
            throw lines.malformed("'" + cell + "'", "a share of at most 100.00");
        }
        return hundredths;
    }

    private void read(String what, MpstatSource source, long shiftNanos, Sink sink) {
        if (single) {
            sink.gap(what + " has only the sum of all CPUs: Kiln shows it as CPU 0");
        }
        Map<Integer, long[]> totals = new HashMap<>();
        source.read(row -> tell(row, totals, shiftNanos, sink), sink::gap);
    }

    private void tell(MpstatRow row, Map<Integer, long[]> totals, long shiftNanos, Sink sink) {
        if (row.cpu() >= 0 || single) {
            long[] total = totals.computeIfAbsent(row.cpu(), cpu -> new long[4]);
            total[0] += Math.max(0, 10_000 - row.idle() - row.steal()) * NANOS_PER_SHARE * usualSeconds;
            total[1] += row.idle() * NANOS_PER_SHARE * usualSeconds;
            total[2] += row.steal() * NANOS_PER_SHARE * usualSeconds;
            row.softirq().ifPresent(share -> total[3] += share * NANOS_PER_SHARE * usualSeconds);
            sink.append(new CpuSample(
                    row.second() * SECOND + shiftNanos,
                    Math.max(0, row.cpu()),
                    total[0],
                    total[1],
                    total[2],
                    row.softirq().isPresent() ? OptionalLong.of(total[3]) : OptionalLong.empty()));
        }
    }
}
