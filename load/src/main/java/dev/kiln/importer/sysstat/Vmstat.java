package dev.kiln.importer.sysstat;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource.Span;
import dev.kiln.importer.format.SystemLog;
import dev.kiln.model.run.Sample.CpuSample;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Vmstat is {@code vmstat -t 1}: all CPUs' shares in whole percent, in the first row since boot. */
public final class Vmstat {
    public static final Format FORMAT = new Format(
            "vmstat -t",
            head -> head.line(5, Vmstat::isHeader),
            new Format.OneLog(
                    (file, options) -> hasTimes(file) ? of(file) : Optional.empty(),
                    file -> hasTimes(file)
                            ? Format.NO_RECORD
                            : "its rows have no times, so Kiln cannot align it with the load: vmstat -t prints times"));

    private static final long SECOND = 1_000_000_000L;
    private static final Pattern STAMP = Pattern.compile("(\\d{4}-\\d\\d-\\d\\d) (\\d\\d:\\d\\d:\\d\\d)$");

    private Vmstat() {}

    /** A VmstatRow has seconds as if local time were UTC, and shares in percent. */
    record VmstatRow(long second, int idle, int steal) {}

    private static boolean isHeader(String line) {
        List<String> words = Arrays.asList(line.strip().split("\\s+"));
        return words.contains("swpd") && words.contains("us") && words.contains("id");
    }

    /** Rows without a time cannot be aligned with a load. */
    private static boolean hasTimes(Path file) {
        try (Lines lines = Lines.of(file)) {
            while (lines.next()) {
                String line = lines.text().strip();
                if (isRow(line)) {
                    return STAMP.matcher(line).find();
                }
            }
        }
        return true;
    }

    public static Optional<SystemLog> of(Path file) {
        long[] span = {Long.MIN_VALUE, Long.MIN_VALUE, 0};
        parse(
                Lines.of(file),
                row -> {
                    span[0] = span[2] == 0 ? row.second() : span[0];
                    span[1] = row.second();
                    span[2]++;
                },
                gap -> {});
        return span[2] < 2
                ? Optional.empty()
                : Optional.of(new SystemLog(
                        "vmstat",
                        SystemLog.LogClock.LOCAL,
                        new Span(span[0] * SECOND, span[1] * SECOND),
                        SystemLog.LogContent.ALL_CPUS_TOGETHER,
                        true,
                        SystemLog.LogMachine.UNKNOWN,
                        (shift, sink) -> read(file, shift, sink)));
    }

    public static void parse(Lines lines, Consumer<VmstatRow> rows, Consumer<String> gaps) {
        List<String> columns = List.of();
        long last = Long.MIN_VALUE;
        try (lines) {
            while (lines.next()) {
                String line = lines.text().strip();
                if (isHeader(line)) {
                    columns = List.of(line.split("\\s+"));
                } else if (!lines.whole()) {
                    gaps.accept(lines.cutShort());
                } else if (isRow(line)) {
                    VmstatRow row = row(lines, line, columns, last);
                    last = row.second();
                    rows.accept(row);
                }
            }
        }
    }

    private static boolean isRow(String line) {
        return !line.isEmpty() && !line.startsWith("procs") && !line.startsWith("--procs") && !isHeader(line);
    }

    private static VmstatRow row(Lines lines, String line, List<String> columns, long last) {
        Matcher stamp = STAMP.matcher(line);
        if (!stamp.find()) {
            throw lines.malformed("a row without a time", "the output of vmstat -t, which has times");
        }
        String[] cells = line.substring(0, stamp.start()).strip().split("\\s+", -1);
        int idle = columns.indexOf("id");
        int steal = columns.indexOf("st");
        if (idle < 0 || idle >= cells.length || steal >= cells.length) {
            throw lines.malformed(cells.length + " columns", Integer.toString(columns.size()));
        }
        long second;
        try {
            second = LocalDateTime.parse(stamp.group(1) + "T" + stamp.group(2)).toEpochSecond(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            throw lines.malformed("'" + stamp.group() + "'", "a date and a time");
        }
        if (second < last) {
            throw lines.malformed("a time before that of the row above", "times that grow");
        }
        return new VmstatRow(second, percent(lines, cells[idle]), steal < 0 ? 0 : percent(lines, cells[steal]));
    }

    private static int percent(Lines lines, String cell) {
        if (!cell.matches("\\d{1,3}") || Integer.parseInt(cell) > 100) {
            throw lines.malformed("'" + cell + "'", "a share in percent");
        }
        return Integer.parseInt(cell);
    }

    private static void read(Path file, long shiftNanos, SystemLog.Sink sink) {
        sink.gap("vmstat has only the sum of all CPUs: Kiln shows it as CPU 0");
        long[] total = new long[3];
        long[] last = {Long.MIN_VALUE};
        parse(
                Lines.of(file),
                row -> {
                    if (last[0] != Long.MIN_VALUE) {
                        long share = Math.max(1, row.second() - last[0]) * SECOND / 100;
                        total[0] += Math.max(0, 100 - row.idle() - row.steal()) * share;
                        total[1] += row.idle() * share;
                        total[2] += row.steal() * share;
                        sink.append(new CpuSample(
                                row.second() * SECOND + shiftNanos,
                                0,
                                total[0],
                                total[1],
                                total[2],
                                OptionalLong.empty()));
                    }
                    last[0] = row.second();
                },
                sink::gap);
    }
}
