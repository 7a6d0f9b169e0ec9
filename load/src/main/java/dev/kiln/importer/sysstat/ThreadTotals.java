package dev.kiln.importer.sysstat;

import dev.kiln.importer.format.SystemLog;
import dev.kiln.importer.sysstat.PidstatReader.PidstatRow;
import dev.kiln.jvm.ThreadRoles;
import dev.kiln.model.KilnException;
import dev.kiln.model.run.Sample.MemorySample;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import dev.kiln.model.run.Sample.ThreadState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** ThreadTotals turns each second's shares into counters; a thread that did nothing gets no row. */
final class ThreadTotals {
    private static final long SECOND = 1_000_000_000L;

    /** This is a hundredth of a percent of one CPU, for a second. */
    private static final long NANOS_PER_SHARE = SECOND / 10_000;

    private static final String TARGET = "target";

    private static final class Thread {
        final int tid;
        final Process process;
        String name = "";
        ThreadRole role = ThreadRole.OTHER;
        long cpuNanos;
        long waitNanos;
        /** The count is in hundredths of a switch. */
        long voluntary;
        /** The count is in hundredths of a switch. */
        long involuntary;

        long toldSecond = Long.MIN_VALUE;
        boolean touched;
        boolean active;
        boolean hasCpu;

        /** The thread whose row followed this one's the last time: rows come in the same order every second. */
        Optional<Thread> next = Optional.empty();

        Thread(int tid, Process process) {
            this.tid = tid;
            this.process = process;
        }
    }

    private static final class Process {
        final int id;
        final String name;
        boolean jvm;
        long cpuNanos;
        long waitNanos;

        Process(int id, String name) {
            this.id = id;
            this.name = name;
        }
    }

    private final SystemLog.Sink sink;
    private final long shiftNanos;
    private final Map<Integer, Thread> threads = new HashMap<>();
    private final List<Thread> touched = new ArrayList<>();
    private final Map<Integer, Process> processes = new LinkedHashMap<>();
    private Process latest = new Process(0, "");
    private Optional<Thread> last = Optional.empty();
    private OptionalInt target;
    private boolean awaited;
    private long second = Long.MIN_VALUE;
    private long begun = Long.MIN_VALUE;
    private long lastSecond = Long.MIN_VALUE;
    private long usual;

    /** @param target id of the process to read; empty for the only JVM, or the only process */
    ThreadTotals(OptionalInt target, long usualSeconds, long shiftNanos, SystemLog.Sink sink) {
        this.target = target;
        this.usual = usualSeconds;
        this.shiftNanos = shiftNanos;
        this.sink = sink;
    }

    void add(PidstatRow row) {
        boolean ofThread = row.tid() != 0;
        Optional<Thread> known = ofThread ? known(row.tid()) : Optional.empty();
        boolean again = row.figures().cpu() >= 0 && known.isPresent() && known.get().hasCpu;
        if (row.second() != second || again) {
            flush();
            second = row.second();
            begun = Long.MIN_VALUE;
        }
        long seconds = covered(row.seconds());
        begun = Math.max(begun, row.second() - (row.seconds() == 0 ? seconds : row.seconds()));
        if (!ofThread) {
            process(row, seconds);
        } else if (known.isPresent() && known.get().process.id == row.tgid()) {
            thread(known.get(), row, seconds);
        } else {
            Thread thread = new Thread(row.tid(), of(row.tgid(), ""));
            threads.put(row.tid(), thread);
            thread(thread, row, seconds);
        }
    }

    private Optional<Thread> known(int tid) {
        Optional<Thread> known = last.flatMap(before -> before.next).filter(guess -> guess.tid == tid);
        if (known.isEmpty()) {
            known = Optional.ofNullable(threads.get(tid));
            Optional<Thread> found = known;
            last.ifPresent(before -> before.next = found);
        }
        last = known;
        return known;
    }

    /** Rows of one process follow one another. */
    private Process of(int id, String name) {
        if (latest.id != id) {
            latest = processes.computeIfAbsent(id, key -> new Process(key, name));
        }
        return latest;
    }

    /** Times are whole seconds, so a sample may seem to cover none or two; what covers nothing adds none. */
    private long covered(long told) {
        if (usual == 0) {
            usual = told;
        }
        return Math.abs(told - usual) <= 1 || told == 0 ? usual : told;
    }

    private void process(PidstatRow row, long seconds) {
        Process process = of(row.tgid(), row.name());
        if (row.figures().cpu() >= 0) {
            process.cpuNanos += row.figures().cpu() * NANOS_PER_SHARE * seconds;
        }
        if (row.resident() >= 0 && target.isPresent() && target.getAsInt() == row.tgid()) {
            sink.append(new MemorySample(
                    nanos(row.second()),
                    row.resident(),
                    0,
                    0,
                    0,
                    0,
                    0,
                    OptionalLong.empty(),
                    Optional.empty(),
                    Optional.empty()));
        }
    }

    private void thread(Thread thread, PidstatRow row, long seconds) {
        PidstatRow.ThreadFigures figures = row.figures();
        if (!thread.touched) {
            thread.touched = true;
            touched.add(thread);
        }
        if (!thread.name.equals(row.name())) {
            thread.name = row.name();
            thread.role = ThreadRoles.of(row.name());
            thread.process.jvm |= isJvms(thread.role);
        }
        boolean active =
                figures.cpu() > 0 || figures.waited() > 0 || figures.voluntary() > 0 || figures.involuntary() > 0;
        if (active) {
            beforeUse(thread);
        }
        if (figures.cpu() >= 0) {
            thread.hasCpu = true;
            thread.cpuNanos += figures.cpu() * NANOS_PER_SHARE * seconds;
            long waited = Math.max(0, figures.waited()) * NANOS_PER_SHARE * seconds;
            thread.waitNanos += waited;
            thread.process.waitNanos += waited;
        }
        thread.voluntary += Math.max(0, figures.voluntary()) * seconds;
        thread.involuntary += Math.max(0, figures.involuntary()) * seconds;
        thread.active |= active;
    }

    private static boolean isJvms(ThreadRole role) {
        return role == ThreadRole.C1 || role == ThreadRole.C2 || role == ThreadRole.GC;
    }

    /** The counters as they were when the interval began: without them its use would spread over the time before. */
    private void beforeUse(Thread thread) {
        if (thread.toldSecond < begun && isTarget(thread.process)) {
            tell(begun, thread);
            thread.toldSecond = begun;
        }
    }

    /** Ends the sample that rows were added to. */
    void flush() {
        if (second == Long.MIN_VALUE) {
            return;
        }
        boolean known = target.isPresent();
        choose();
        if (lastSecond != Long.MIN_VALUE && begun > lastSecond + Math.max(1, usual)) {
            sink.unseen(nanos(lastSecond), nanos(begun));
        }
        lastSecond = second;
        for (Thread thread : touched) {
            if (isTarget(thread.process) && (thread.active || thread.tid == thread.process.id)) {
                if (!known) {
                    tellZero(thread);
                }
                tell(second, thread);
                thread.toldSecond = second;
            }
            thread.touched = false;
            thread.active = false;
            thread.hasCpu = false;
        }
        touched.clear();
        target.ifPresent(this::part);
    }

    /** The process had to be found first, so what came before its first sample is reported now. */
    private void tellZero(Thread thread) {
        sink.append(new ThreadSample(
                nanos(begun), thread.tid, thread.name, thread.role, 0, 0, 0, 0, 0, ThreadState.NOT_RECORDED));
    }

    private void part(int id) {
        Process process = processes.get(id);
        if (process == null) {
            awaited = true;
            return;
        }
        if (awaited) {
            // It began after the log did.
            sink.append(new PartSample(nanos(begun), TARGET, 0, 0, Optional.empty()));
            awaited = false;
        }
        // pidstat's own wait of a process is that of its first thread.
        sink.append(new PartSample(nanos(second), TARGET, process.cpuNanos, process.waitNanos, Optional.empty()));
    }

    private boolean isTarget(Process process) {
        return target.isPresent() && target.getAsInt() == process.id;
    }

    private void choose() {
        if (target.isPresent()) {
            return;
        }
        List<Integer> jvms = processes.entrySet().stream()
                .filter(entry -> entry.getValue().jvm)
                .map(Map.Entry::getKey)
                .toList();
        if (jvms.size() > 1) {
            String all = jvms.stream().map(id -> id + " (" + nameOf(id) + ")").collect(Collectors.joining(", "));
            throw KilnException.usage("the log has several JVMs: " + all, "name the target with --pid NUMBER");
        }
        if (jvms.size() == 1) {
            target = OptionalInt.of(jvms.getFirst());
        } else if (processes.size() == 1) {
            target = OptionalInt.of(processes.keySet().iterator().next());
        }
    }

    private String nameOf(int process) {
        Process known = processes.get(process);
        return known == null ? "" : known.name;
    }

    /** Ends the log, with its last sample. */
    void end() {
        flush();
        if (target.isEmpty() && !processes.isEmpty()) {
            sink.gap("none of the " + processes.size()
                    + " processes in the log has threads of a JVM: name the target with --pid NUMBER");
        } else if (target.isPresent() && !processes.containsKey(target.getAsInt())) {
            sink.gap("the log has no process " + target.getAsInt() + ", which --pid names");
        }
    }

    private void tell(long at, Thread thread) {
        sink.append(new ThreadSample(
                nanos(at),
                thread.tid,
                thread.name,
                thread.role,
                thread.cpuNanos,
                thread.waitNanos,
                (thread.voluntary + thread.involuntary) / 100,
                thread.voluntary / 100,
                thread.involuntary / 100,
                ThreadState.NOT_RECORDED));
    }

    private long nanos(long seconds) {
        return seconds * SECOND + shiftNanos;
    }
}
