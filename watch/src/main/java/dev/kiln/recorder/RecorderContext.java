package dev.kiln.recorder;

import dev.kiln.evidence.EvidenceSink;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.Sample;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.recorder.RecorderSpec.RecorderPace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A RecorderContext is what a recorder's parts share: what is watched, where samples go, what failed. */
final class RecorderContext {
    private final ProcFs fs;
    private final RecorderSpec spec;
    private final EvidenceSink writer;
    private final Map<String, NotRecorded> gaps = new LinkedHashMap<>();
    private final List<Sample> held = new ArrayList<>();

    /** These samples are of all processes of the target together, whichever of them serves. */
    private final List<Sample> heldOfAll = new ArrayList<>();

    private final List<String> notes = new ArrayList<>();
    private SampleState state;
    private volatile long pid;

    /** A SampleState says what becomes of the samples of the process that is recorded in detail. */
    private enum SampleState {
        /** It is kept in memory: it is not known yet whether it is the one that serves. */
        HELD,
        WRITTEN,
        /** The samples are left out, because what serves is out of sight. */
        DROPPED
    }

    RecorderContext(ProcFs fs, RecorderSpec spec, EvidenceSink writer) {
        this.fs = fs;
        this.spec = spec;
        this.writer = writer;
        this.pid = spec.targetPid();
        this.state = spec.pace().lab() && !spec.ports().isEmpty() ? SampleState.HELD : SampleState.WRITTEN;
    }

    ProcFs fs() {
        return fs;
    }

    RecorderSpec spec() {
        return spec;
    }

    /** Returns the process that is recorded in detail: the one that serves, or what is taken for it so far. */
    long pid() {
        return pid;
    }

    /** Tells whether that process lives: what cannot be read of one that has ended is no gap. */
    boolean lives() {
        return fs.stat(pid).filter(stat -> !stat.isDead()).isPresent();
    }

    /** Records another process from now on. What is held is of the one before. */
    void follow(long other) {
        synchronized (held) {
            held.clear();
            pid = other;
        }
    }

    /** Writes what is held, and all that follows. */
    void keep() {
        synchronized (held) {
            if (state == SampleState.HELD) {
                state = SampleState.WRITTEN;
                held.forEach(writer::append);
                heldOfAll.forEach(writer::append);
                held.clear();
                heldOfAll.clear();
            }
        }
    }

    /** Forgets what is held, and all that follows. */
    void drop() {
        synchronized (held) {
            held.clear();
            heldOfAll.clear();
            state = SampleState.DROPPED;
        }
    }

    /** Writes what follows, after all: what was dropped stays out. */
    void resume() {
        synchronized (held) {
            state = SampleState.WRITTEN;
        }
    }

    boolean keeps() {
        synchronized (held) {
            return state == SampleState.WRITTEN;
        }
    }

    boolean drops() {
        synchronized (held) {
            return state == SampleState.DROPPED;
        }
    }

    /** Appends a sample of the process that is recorded in detail. */
    void appendOfProcess(Sample sample) {
        append(sample, held);
    }

    /** Appends a sample of all processes of the target. */
    void appendOfTarget(Sample sample) {
        append(sample, heldOfAll);
    }

    private void append(Sample sample, List<Sample> waiting) {
        synchronized (held) {
            switch (state) {
                case HELD -> waiting.add(sample);
                case WRITTEN -> writer.append(sample);
                case DROPPED -> {}
            }
        }
    }

    RecorderPace pace() {
        return spec.pace();
    }

    EvidenceSink writer() {
        return writer;
    }

    void append(Sample sample) {
        writer.append(sample);
    }

    /** Returns a sink for what records several parts of the lab: the target is one of them. */
    EvidenceSink sink() {
        return new EvidenceSink() {
            @Override
            public void append(Sample sample) {
                if (sample instanceof PartSample part && part.part().equals(RecorderSpec.TARGET)) {
                    appendOfTarget(sample);
                } else {
                    writer.append(sample);
                }
            }

            @Override
            public void flush() {
                writer.flush();
            }
        };
    }

    /** Returns the time since the launch, in ns. */
    long now() {
        return System.nanoTime() - spec.launchNanos();
    }

    /** Notes that something could not be recorded. The first reason stays. */
    void gap(String what, String why) {
        synchronized (gaps) {
            gaps.putIfAbsent(what, new NotRecorded(what, why));
        }
    }

    /** Notes the same, in place of a reason before. */
    void gapIsNow(String what, String why) {
        synchronized (gaps) {
            gaps.put(what, new NotRecorded(what, why));
        }
    }

    /** Notes what a reader of the figures must know. */
    void note(String text) {
        synchronized (notes) {
            notes.add(text);
        }
    }

    List<String> notes() {
        synchronized (notes) {
            return List.copyOf(notes);
        }
    }

    List<NotRecorded> gaps() {
        synchronized (gaps) {
            return List.copyOf(gaps.values());
        }
    }
}
