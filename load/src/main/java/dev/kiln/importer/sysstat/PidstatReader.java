package dev.kiln.importer.sysstat;

import dev.kiln.importer.format.Cursor;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.sysstat.PidstatColumns.PidstatRole;
import dev.kiln.text.Show;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A PidstatReader reads the rows of a log of {@code pidstat -u -w -t} (also {@code -r}, {@code -h}, {@code -H}): 12- or 24-hour
 * times of day, or seconds since 1970. A block's header has the time of the sample before it, so it says what its rows cover.
 * Commands have spaces, {@code #} and {@code :} in them; they are the rest of the line.
 */
final class PidstatReader implements AutoCloseable {
    private static final String HEADER_END = "Command";

    private static final long DAY = 86_400;

    /** This is a million percent, in hundredths. */
    private static final long MOST_SHARE = 100_000_000;

    private static final long MOST = 1_000_000_000_000_000L;

    /** This many rows that were left out are named one by one. */
    private static final int NAMED = 5;

    private final Lines lines;
    private final Cursor cursor;
    private final Sysstat.DayClock clock = new Sysstat.DayClock();
    private final ThreadNames names = new ThreadNames();
    private Sysstat.SysstatHead head = Sysstat.SysstatHead.NONE;
    private Optional<PidstatColumns> columns = Optional.empty();
    private PidstatRole[] roles = new PidstatRole[0];
    private final long[] cells = new long[PidstatRole.values().length];
    private long begun = -1;
    private int process;
    /** The time is that of the row above, with the blanks after it. */
    private byte[] timeBytes = new byte[0];

    private long latestSecond;
    private boolean absolute;
    private boolean waits = true;

    /** Sizes had units. */
    private boolean units;

    private final List<String> leftOut = new ArrayList<>();
    private int more;

    PidstatReader(Lines lines) {
        this.lines = lines;
        cursor = new Cursor(lines);
    }

    /** Tells whether the line is the header of a block. */
    static boolean isHeader(String line) {
        return header(line).isPresent();
    }

    private static Optional<PidstatColumns> header(String line) {
        if (line.startsWith("#")) {
            String names = line.replaceFirst("^#\\s*Time", "");
            return names.length() == line.length() ? Optional.empty() : PidstatColumns.of(names);
        }
        return Sysstat.stamp(line).flatMap(time -> PidstatColumns.of(line.substring(time.length())));
    }

    /** Returns the next row; empty at the end of the log. */
    Optional<PidstatRow> next() {
        while (lines.next()) {
            if (lines.isBlank()) {
                continue;
            }
            if (!lines.whole() && !isProse()) {
                leave(lines.cutShort());
                return Optional.empty();
            }
            if (lines.startsWith("Linux ")) {
                head = Sysstat.SysstatHead.of(lines.text());
                clock.date(head);
            } else if (isProse()) {
                prose();
            } else if (!header()) {
                Optional<PidstatRow> row = row();
                if (row.isPresent()) {
                    return row;
                }
            }
        }
        return Optional.empty();
    }

    /**
     * Tells whether the line is no row: the means over the log, which end it, a command that was pasted with the log, a prompt.
     * Rows and headers begin with a digit, or with a sign of the header, or in some languages with the half of the day.
     */
    private boolean isProse() {
        byte[] bytes = lines.bytes();
        int at = lines.from();
        while (at < lines.to() && (bytes[at] == ' ' || bytes[at] == '\t')) {
            at++;
        }
        boolean plain = at < lines.to() && (bytes[at] == '#' || (bytes[at] >= '0' && bytes[at] <= '9'));
        if (plain) {
            return bytes[at] == '#' && header(lines.text()).isEmpty();
        }
        if (lines.startsWith("Linux ")) {
            return false;
        }
        return Sysstat.stamp(lines.text()).isEmpty();
    }

    /** Notes a line of no known form, unless it is before the first header or one of the means, which are no loss. */
    private void prose() {
        if (columns.isPresent() && !Sysstat.isMean(lines.text())) {
            leave(lines.place() + ": '" + Show.brief(lines.text().strip(), 40) + "' is no row and left out");
        }
    }

    private void leave(String what) {
        if (leftOut.size() < NAMED) {
            leftOut.add(what);
        } else {
            more++;
        }
    }

    Sysstat.SysstatHead head() {
        return head;
    }

    /** Tells whether the times are seconds since 1970. */
    boolean absolute() {
        return absolute;
    }

    /** Tells whether every header so far had a column for the wait. */
    boolean waits() {
        return waits;
    }

    /** Returns what was left out, and why. */
    List<String> leftOut() {
        List<String> all = new ArrayList<>(leftOut);
        if (units) {
            all.add(lines.file() + ": resident memory with a unit, as of --human, is not read");
        }
        if (more > 0) {
            all.add(lines.file() + ": " + more + " more rows with a figure that cannot be are left out");
        }
        return all;
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
        waits &= !found.get().has(PidstatRole.USR) || found.get().has(PidstatRole.WAIT);
        cursor.rewind();
        begun = cursor.peek() == '#'
                ? -1
                : clock.before(Sysstat.time(lines.text()).orElseThrow());
        process = 0;
        return true;
    }

    /** Reads the row; empty for one with an impossible figure, which says nothing of other rows. */
    private Optional<PidstatRow> row() {
        if (columns.isEmpty()) {
            throw lines.malformed("'" + Show.brief(lines.text(), 40) + "'", "a log of pidstat -u -w -t");
        }
        cursor.rewind();
        long second = time();
        Arrays.fill(cells, -1);
        Optional<String> impossible = Optional.empty();
        for (int i = 0; i < roles.length - 1; i++) {
            cursor.skipBlanks();
            switch (roles[i]) {
                case UNUSED -> skip();
                case TGID, TID, PID -> cells[roles[i].place()] = id(roles[i]);
                default -> {
                    int begin = cursor.at();
                    cells[roles[i].place()] = figure(roles[i]);
                    // A size with a unit, as of --human, is not read: it takes nothing from the row's other figures.
                    boolean size = roles[i] == PidstatRole.RESIDENT;
                    units |= size && cells[roles[i].place()] < 0;
                    if (cells[roles[i].place()] < 0 && impossible.isEmpty() && !size) {
                        impossible = Optional.of("'" + lines.text(begin, cursor.at()) + "' for " + roles[i]);
                    }
                }
            }
        }
        PidstatRow row = toRow(second);
        impossible.ifPresent(
                what -> leave(lines.place() + ": found " + what + ", which cannot be: the row is left out"));
        return impossible.isPresent() ? Optional.empty() : Optional.of(row);
    }

    /** Reads a figure; -1 where it is none, or more than machines have, which would not fit the sums. */
    private long figure(PidstatRole role) {
        if (cursor.atEnd()) {
            throw lines.malformed("too few columns", Integer.toString(roles.length));
        }
        long value = cursor.hundredthsOrNone();
        long most = switch (role) {
            case USR, SYSTEM, GUEST, WAIT -> MOST_SHARE;
            default -> MOST;
        };
        return value > most ? -1 : value;
    }

    private void skip() {
        if (cursor.atEnd()) {
            throw lines.malformed("too few columns", Integer.toString(roles.length));
        }
        cursor.skipWord();
    }

    /** A dash stands for the process's id in rows of threads, and for the thread's in rows of processes. */
    private long id(PidstatRole role) {
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
        int tid = (int) Math.max(0, cells[PidstatRole.TID.place()]);
        int own = (int) Math.max(cells[PidstatRole.TGID.place()], cells[PidstatRole.PID.place()]);
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
                new PidstatRow.ThreadFigures(
                        cells[PidstatRole.USR.place()] < 0 ? -1 : cpu(),
                        cells[PidstatRole.WAIT.place()],
                        cells[PidstatRole.VOLUNTARY.place()],
                        cells[PidstatRole.INVOLUNTARY.place()]),
                cells[PidstatRole.RESIDENT.place()] < 0 ? -1 : cells[PidstatRole.RESIDENT.place()] / 100 * 1024);
    }

    /** Guest time is part of the user's in the kernel's counters, and pidstat takes it off. */
    private long cpu() {
        return cells[PidstatRole.USR.place()]
                + Math.max(0, cells[PidstatRole.SYSTEM.place()])
                + Math.max(0, cells[PidstatRole.GUEST.place()]);
    }

    /** Reads the row's time; hundreds of rows have the same one, which is read once. */
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
        cursor.skipBlanks();
        int begin = cursor.at();
        int colon = begin + 2;
        boolean colons = colon < cursor.end() && lines.bytes()[colon] == ':';
        Optional<Sysstat.Stamp> stamp = colons ? Optional.empty() : Sysstat.stamp(lines.text(begin, cursor.end()));
        boolean ofDay = colons || stamp.filter(time -> time.seconds() < DAY).isPresent();
        absolute = !ofDay;
        long second;
        if (colons) {
            second = clock.forward(cursor.timeOfDay());
        } else if (stamp.isPresent() && ofDay) {
            String text =
                    lines.text(begin, cursor.end()).substring(0, stamp.get().length());
            cursor.move(text.getBytes(StandardCharsets.UTF_8).length);
            second = clock.forward(stamp.get().seconds());
        } else {
            second = clock.absolute(cursor.whole("the time"));
        }
        if (second < 0) {
            throw lines.malformed("a time before that of the row above", "times that grow");
        }
        return second;
    }

    /**
     * A PidstatRow is one row of a pidstat log. Figures are -1 where the row does not have them.
     *
     * @param second of the row, on the log's own clock
     * @param seconds that the row's figures cover; 0 where that is not known
     * @param tid 0 for the whole process
     * @param resident bytes
     */
    record PidstatRow(long second, long seconds, int tgid, int tid, String name, ThreadFigures figures, long resident) {
        /** ThreadFigures are a row's shares in hundredths of a percent of one CPU, and its switches in hundredths a second. */
        record ThreadFigures(long cpu, long waited, long voluntary, long involuntary) {}
    }
}
