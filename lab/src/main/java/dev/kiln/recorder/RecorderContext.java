package dev.kiln.recorder;

import dev.kiln.evidence.EvidenceSink;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.Sample;
import dev.kiln.recorder.RecorderSpec.Pace;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the parts of one recorder share: what they watch, where samples go, and what could not be recorded. */
final class RecorderContext {
    private final ProcFs fs;
    private final RecorderSpec spec;
    private final EvidenceSink writer;
    private final Map<String, NotRecorded> gaps = new LinkedHashMap<>();
    private volatile long pid;

    RecorderContext(ProcFs fs, RecorderSpec spec, EvidenceSink writer) {
        this.fs = fs;
        this.spec = spec;
        this.writer = writer;
        this.pid = spec.targetPid();
    }

    ProcFs fs() {
        return fs;
    }

    RecorderSpec spec() {
        return spec;
    }

    /** The process that is recorded in detail: the one that was launched, or the JVM that it launched. */
    long pid() {
        return pid;
    }

    void follow(long jvm) {
        pid = jvm;
    }

    Pace pace() {
        return spec.pace();
    }

    EvidenceSink writer() {
        return writer;
    }

    void append(Sample sample) {
        writer.append(sample);
    }

    /** Time since the launch, in ns. */
    long now() {
        return System.nanoTime() - spec.launchNanos();
    }

    /** Notes that something could not be recorded. The first reason stays. */
    void gap(String what, String why) {
        synchronized (gaps) {
            gaps.putIfAbsent(what, new NotRecorded(what, why));
        }
    }

    List<NotRecorded> gaps() {
        synchronized (gaps) {
            return List.copyOf(gaps.values());
        }
    }
}
