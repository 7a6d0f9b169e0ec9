package dev.kiln.recorder;

import dev.kiln.evidence.EvidenceSink;
import dev.kiln.host.ProcFs;
import dev.kiln.jvm.JvmCounters;
import dev.kiln.jvm.JvmProbe;
import dev.kiln.model.RunInfo.JvmInfo;
import dev.kiln.model.Sample.HeapSample;
import java.util.Optional;

/** The JVM's own counters. A JVM needs a moment to set them up, a starved one needs seconds. */
final class RecorderJvm {
    private static final String WHAT = "JIT, collections and safepoints";

    /** After this many fruitless looks, 10 s, one look in ten goes on searching. */
    private static final int PATIENCE = 100;

    private final RecorderSpec spec;
    private final EvidenceSink writer;
    private final RecorderGaps gaps;
    private final JvmProbe probe;
    private volatile Optional<JvmCounters> counters = Optional.empty();
    private boolean compilers;
    private int fruitless;
    private long collections;
    private String whyNone = "the process had ended before it could be looked at";

    RecorderJvm(ProcFs fs, RecorderSpec spec, EvidenceSink writer, RecorderGaps gaps) {
        this.spec = spec;
        this.writer = writer;
        this.gaps = gaps;
        this.probe = new JvmProbe(fs, spec.targetPid());
    }

    void sample() {
        if (counters.isEmpty()) {
            search();
        }
        if (counters.isPresent()) {
            JvmCounters jvm = counters.get();
            compilers = compilers || jvm.hasCompilers();
            if (compilers) {
                writer.append(jvm.compilers(System.nanoTime() - spec.launchNanos()));
            }
            heap(jvm);
        }
    }

    /** Once a collection: in between the counters stand still. */
    private void heap(JvmCounters jvm) {
        long now = jvm.pauses().collections();
        if (now > collections) {
            collections = now;
            jvm.heapAfterCollection()
                    .ifPresent(
                            used -> writer.append(new HeapSample(System.nanoTime() - spec.launchNanos(), used, now)));
        }
    }

    Optional<JvmCounters.Pauses> pauses() {
        return counters.map(JvmCounters::pauses);
    }

    Optional<JvmInfo> info() {
        return counters.map(JvmCounters::info);
    }

    void end() {
        if (counters.isEmpty()) {
            gaps.add(WHAT, probe.isAlive() ? probe.whyNone() : whyNone);
        } else if (!compilers) {
            gaps.add("JIT", "the JVM counts no compilations: it only interprets");
        }
    }

    private void search() {
        fruitless++;
        if (fruitless <= PATIENCE || fruitless % 10 == 0) {
            counters = probe.counters();
        }
        if (counters.isEmpty() && fruitless % 10 == 0 && probe.isAlive()) {
            whyNone = probe.whyNone();
        }
    }
}
