package dev.kiln.importer;

import dev.kiln.importer.PidstatColumns.Role;
import java.util.Arrays;
import java.util.Optional;

/**
 * Rows of a log of {@code pidstat -u -w -t} (also {@code -r}, {@code -h}, {@code -H}): 12- or 24-hour times of day, or seconds since
 * 1970. A block's header bears the time of the sample before it, so it tells what its rows cover. Commands have spaces,
 * {@code #} and {@code :} in them; they are the rest of the line.
 */
final class PidstatReader implements AutoCloseable {
    private static final String HEADER_END = "Command";

    /** A million percent, in hundredths. */
    private static final long MOST_SHARE = 100_000_000;

    private static final long MOST = 1_000_000_000_000_000L;

    private final Lines lines;
    private final Cursor cursor;
    private final DayClock clock = new DayClock();
    private final ThreadNames names = new ThreadNames();
    private SysstatHead head = SysstatHead.NONE;
    private Optional<PidstatColumns> columns = Optional.empty();
    private Role[] roles = new Role[0];
    private final long[] cells = new long[Role.values().length];
    private long begun = -1;
    private int process;
    /** Of the row above, with blanks that stand behind it. */
    private byte[] timeBytes = new byte[0];

    private long latestSecond;
    private boolean absolute;
    private boolean waits = true;
    private Optional<String> cutShort = Optional.empty();

    PidstatReader(Lines lines) {
        this.lines = lines;
        cursor = new Cursor(lines);
    }

    /** Whether the line is the header of a block. */
    static boolean isHeader(String line) {
        return header(line).isPresent();
    }

    private static Optional<PidstatColumns> header(String line) {
        String names = line.replaceFirst("^#?\\s*(Time|\\d\\d:\\d\\d:\\d\\d( [AP]M)?)", "");
        return names.length() == line.length() ? Optional.empty() : PidstatColumns.of(names);
    }

    /** The next row; empty at the end of the log. */
    Optional<PidstatRow> next() {
        while (lines.next()) {
            if (lines.isBlank()) {
                continue;
            }
            if (!lines.whole()) {
                cutShort =
                        Optional.of(lines.file() + ":" + lines.number() + ": the last line is cut short and left out");
                return Optional.empty();
            }
            if (lines.startsWith("Average:")) {
                // The means over the log, which end it.
                continue;
            }
            if (lines.startsWith("Linux ")) {
                head = SysstatHead.of(lines.text());
                clock.date(head);
            } else if (!header()) {
                return Optional.of(row());
            }
        }
        return Optional.empty();
    }

    SysstatHead head() {
        return head;
    }

    /** Whether the times are seconds since 1970. */
    boolean absolute() {
        return absolute;
    }

    /** Whether every header so far had a column for the wait. */
    boolean waits() {
        return waits;
    }

    Optional<String> cutShort() {
        return cutShort;
    }

    @Override
    public void close() {
        lines.close();
    }

    private boolean header() {
        byte[] bytes = lines.bytes();
        int at = lines.to() - HEADER_END.length();
        if (at < lines.from() || bytes[at] != 'C' || bytes[lines.to() - 1] != 'd') {
            return false;
        }
        Optional<PidstatColumns> found = header(lines.text());
        if (found.isEmpty()) {
            return false;
        }
        columns = found;
        roles = found.get().roles();
        waits &= !found.get().has(Role.USR) || found.get().has(Role.WAIT);
        cursor.rewind();
        begun = cursor.peek() == '#' ? -1 : clock.before(timeOfDay());
        process = 0;
        return true;
    }

    private PidstatRow row() {
        if (columns.isEmpty()) {
            throw lines.malformed("'" + brief() + "'", "a log of pidstat -u -w -t");
        }
        cursor.rewind();
        long second = time();
        Arrays.fill(cells, -1);
        for (int i = 0; i < roles.length - 1; i++) {
            cursor.skipBlanks();
            switch (roles[i]) {
                case UNUSED -> skip();
                case TGID, TID, PID -> cells[roles[i].place()] = id(roles[i]);
                default -> cells[roles[i].place()] = figure(roles[i]);
            }
        }
        return toRow(second);
    }

    /** No machine has so many CPUs or switches: larger figures would not fit the sums. */
    private long figure(Role role) {
        int begin = cursor.at();
        long value = cursor.hundredths(role.name());
        long most = switch (role) {
            case USR, SYSTEM, GUEST, WAIT -> MOST_SHARE;
            default -> MOST;
        };
        if (value > most) {
            throw cursor.malformed(begin, role.name(), "a figure that can be true");
        }
        return value;
    }

    private void skip() {
        if (cursor.atEnd()) {
            throw lines.malformed("too few columns", Integer.toString(roles.length));
        }
        cursor.skipWord();
    }

    /** A dash stands for the process's id in rows of threads, and for the thread's in rows of processes. */
    private long id(Role role) {
        if (cursor.eat((byte) '-')) {
            return 0;
        }
        long id = cursor.whole(role.name());
        if (id > Integer.MAX_VALUE) {
            throw lines.malformed("'" + id + "' for " + role, "an id");
        }
        return id;
    }

    private PidstatRow toRow(long second) {
        int tid = (int) Math.max(0, cells[Role.TID.place()]);
        int own = (int) Math.max(cells[Role.TGID.place()], cells[Role.PID.place()]);
        if (tid == 0) {
            process = own;
        }
        if (process <= 0) {
            throw lines.malformed("a thread of no process", "a row of the process before those of its threads");
        }
        cursor.skipBlanks();
        if (cursor.atEnd()) {
            throw lines.malformed("no command", "a command in the last column");
        }
        int from = cursor.at();
        boolean thread = cursor.end() - from > 3 && lines.bytes()[from] == '|';
        return new PidstatRow(
                second,
                begun < 0 ? 0 : Math.max(0, second - begun),
                process,
                tid,
                names.of(tid == 0 ? -process : tid, lines, thread ? from + 3 : from, cursor.end()),
                cells[Role.USR.place()] < 0 ? -1 : cpu(),
                cells[Role.WAIT.place()],
                cells[Role.VOLUNTARY.place()],
                cells[Role.INVOLUNTARY.place()],
                cells[Role.RESIDENT.place()] < 0 ? -1 : cells[Role.RESIDENT.place()] / 100 * 1024);
    }

    /** Guest time is part of the user's in the kernel's counters, and pidstat takes it off. */
    private long cpu() {
        return cells[Role.USR.place()]
                + Math.max(0, cells[Role.SYSTEM.place()])
                + Math.max(0, cells[Role.GUEST.place()]);
    }

    /** Hundreds of rows bear one time: it is read once. */
    private long time() {
        int begin = cursor.at();
        int stop = begin + timeBytes.length;
        if (stop > begin
                && stop < cursor.end()
                && (lines.bytes()[stop] == ' ' || timeBytes[timeBytes.length - 1] == ' ')
                && Arrays.equals(lines.bytes(), begin, stop, timeBytes, 0, timeBytes.length)) {
            cursor.move(timeBytes.length);
            return latestSecond;
        }
        latestSecond = newTime();
        timeBytes = Arrays.copyOfRange(lines.bytes(), begin, cursor.at());
        return latestSecond;
    }

    private long newTime() {
        int begin = cursor.at();
        int colon = begin + 2;
        boolean ofDay = colon < cursor.end() && lines.bytes()[colon] == ':';
        absolute = !ofDay;
        long second = ofDay ? clock.forward(timeOfDay()) : clock.absolute(cursor.whole("the time"));
        if (second < 0) {
            throw lines.malformed("a time before that of the row above", "times that grow");
        }
        return second;
    }

    private long timeOfDay() {
        int begin = cursor.at();
        long time = twoDigits(23) * 3600;
        cursor.eat((byte) ':');
        time += twoDigits(59) * 60;
        cursor.eat((byte) ':');
        time += twoDigits(59);
        cursor.skipBlanks();
        byte half = cursor.peek();
        if (half == 'A' || half == 'P') {
            long hour = time / 3600;
            if (hour < 1 || hour > 12) {
                throw cursor.malformed(begin, "the time", "a 12-hour time");
            }
            cursor.skipWord();
            return time - hour * 3600 + (hour % 12 + (half == 'P' ? 12 : 0)) * 3600;
        }
        return time;
    }

    private long twoDigits(int most) {
        byte[] b = lines.bytes();
        int at = cursor.at();
        int value = at + 1 < cursor.end() ? (b[at] - '0') * 10 + (b[at + 1] - '0') : -1;
        if (value < 0 || value > most || b[at] < '0' || b[at + 1] < '0' || b[at + 1] > '9') {
            throw cursor.malformed(at, "the time", "a time such as 17:01:16");
        }
        cursor.move(2);
        return value;
    }

    private String brief() {
        String text = lines.text();
        return text.length() <= 40 ? text : text.substring(0, 40) + "...";
    }
}
