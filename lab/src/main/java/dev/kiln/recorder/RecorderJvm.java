package dev.kiln.recorder;

import dev.kiln.jvm.JvmCounters;
import dev.kiln.jvm.JvmProbe;
import dev.kiln.model.run.RunInfo.JvmInfo;
import dev.kiln.model.run.Sample.HeapSample;
import java.util.Optional;

/** Records the JVM's own counters. A JVM needs a moment to set them up, and a starved one needs seconds. */
final class RecorderJvm {
    private static final String WHAT = "JIT, collections and safepoints";

    /** After so many failed looks, which take 10 s, only one look in ten searches on. */
    private static final int PATIENCE = 100;

    private final RecorderContext context;
    private final JvmProbe probe;
    private volatile Optional<JvmCounters> counters = Optional.empty();
    private boolean compilers;
    private int fruitless;
    private long collections;
    private String whyNone = "the process ended before Kiln could look at it";

    RecorderJvm(RecorderContext context) {
        this.context = context;
        this.probe = new JvmProbe(context.fs(), context.pid());
    }

    void sample() {
        if (counters.isEmpty()) {
            search();
        }
        if (counters.isPresent()) {
            JvmCounters jvm = counters.get();
            compilers = compilers || jvm.hasCompilers();
            if (compilers) {
                context.append(jvm.compilers(context.now()));
            }
            heap(jvm);
        }
    }

    /** Once for each collection: the counters do not change in between. */
    private void heap(JvmCounters jvm) {
        long now = jvm.pauses().collections();
        if (now > collections) {
            collections = now;
            jvm.heapAfterCollection().ifPresent(used -> context.append(new HeapSample(context.now(), used, now)));
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
            context.gap(WHAT, probe.isAlive() ? probe.whyNone() : whyNone);
        } else if (!compilers) {
            context.gap("JIT", "the JVM counts no compilations: it only interprets");
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
