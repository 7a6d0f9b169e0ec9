package dev.kiln.recorder;

import dev.kiln.jvm.JvmCounters;
import dev.kiln.jvm.JvmCounters.Pauses;
import dev.kiln.jvm.JvmProbe;
import dev.kiln.model.run.Machine.JvmInfo;
import dev.kiln.model.run.Sample.ClassSample;
import dev.kiln.model.run.Sample.CollectionSample;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.FullCollections;
import dev.kiln.model.run.Sample.Generations;
import dev.kiln.model.run.Sample.HeapSample;
import java.util.Optional;
import java.util.OptionalLong;

/** RecorderJvm records the JVM's own counters. A JVM needs a moment to set them up, and a starved one needs seconds. */
final class RecorderJvm {
    private static final String WHAT = "JIT, collections and safepoints";

    /** Patience ends after this many failed looks, which take 10 s: then only one look in ten searches on. */
    private static final int PATIENCE = 100;

    private final RecorderContext context;
    private final JvmProbe probe;
    private volatile Optional<JvmCounters> counters = Optional.empty();
    private boolean compilers;
    private int fruitless;
    private long collectedNanos;
    private Optional<Pauses> seen = Optional.empty();
    private String whyNone = "the process ended before Kiln could look at it";

    private final Totals before;

    /** Totals are the counters of processes recorded before: the evidence goes on where they ended. */
    private record Totals(CompilerSample compilers, Pauses pauses, ClassSample classes) {
        static final Totals NONE =
                new Totals(new CompilerSample(0, 0, 0, 0, 0, 0, 0), Pauses.NONE, new ClassSample(0, 0, 0));

        ClassSample and(ClassSample now) {
            return new ClassSample(
                    now.timeNanos(), classes.loaded() + now.loaded(), classes.loadNanos() + now.loadNanos());
        }

        CompilerSample and(CompilerSample now) {
            return new CompilerSample(
                    now.timeNanos(),
                    compilers.compilations() + now.compilations(),
                    compilers.osrCompilations() + now.osrCompilations(),
                    compilers.compileNanos() + now.compileNanos(),
                    compilers.codeBytes() + now.codeBytes(),
                    compilers.bailouts() + now.bailouts(),
                    compilers.invalidations() + now.invalidations());
        }

        Pauses and(Pauses now) {
            Optional<Generations> both = pauses.generations()
                    .map(old -> now.generations()
                            .map(young -> new Generations(
                                    old.young() + young.young(),
                                    old.full() + young.full(),
                                    old.fullNanos() + young.fullNanos()))
                            .orElse(old))
                    .or(now::generations);
            return new Pauses(
                    pauses.collections() + now.collections(),
                    pauses.collectionNanos() + now.collectionNanos(),
                    pauses.safepoints() + now.safepoints(),
                    pauses.safepointNanos() + now.safepointNanos(),
                    now.toSafepointNanos().isPresent()
                            ? OptionalLong.of(now.toSafepointNanos().getAsLong()
                                    + pauses.toSafepointNanos().orElse(0))
                            : now.toSafepointNanos(),
                    both);
        }
    }

    RecorderJvm(RecorderContext context) {
        this(context, Totals.NONE);
    }

    private RecorderJvm(RecorderContext context, Totals before) {
        this.context = context;
        this.probe = new JvmProbe(context.fs(), context.pid());
        this.before = before;
        this.collectedNanos = before.pauses().collectionNanos();
    }

    /** Returns the recorder of the process that the context follows now. What was written of this one counts on. */
    RecorderJvm followed() {
        return new RecorderJvm(
                context,
                context.keeps()
                        ? counters.map(jvm -> new Totals(
                                        before.and(jvm.compilers(0)),
                                        before.and(jvm.pauses()),
                                        jvm.classes(0).map(before::and).orElse(before.classes())))
                                .orElse(before)
                        : Totals.NONE);
    }

    void sample() {
        if (counters.isEmpty()) {
            search();
        }
        if (counters.isPresent()) {
            JvmCounters jvm = counters.get();
            compilers = compilers || jvm.hasCompilers();
            if (compilers) {
                context.appendOfProcess(before.and(jvm.compilers(context.now())));
            }
            Pauses now = jvm.pauses();
            collected(now, jvm.collectionCause());
            heap(jvm, before.and(now));
        }
    }

    /** Samples what changes slowly enough to be looked at once a second. */
    void sampleSlowly() {
        counters.flatMap(jvm -> jvm.classes(context.now())).map(before::and).ifPresent(context::appendOfProcess);
    }

    /**
     * Counts the collections since the look before for the cause that the JVM names now, which is that of the last one.
     * Where several ended between two looks, this misses the causes of all but the last; and the time of a collection
     * that goes on at a look counts for the cause of the next one. What was collected before the first look is in no row.
     */
    private void collected(Pauses now, String cause) {
        seen.map(then -> since(then, now, cause))
                .filter(row -> row.collections() > 0 || row.collectionNanos() > 0)
                .ifPresent(context::appendOfProcess);
        seen = Optional.of(now);
    }

    private CollectionSample since(Pauses then, Pauses now, String cause) {
        return new CollectionSample(
                context.now(),
                cause,
                now.collections() - then.collections(),
                now.collectionNanos() - then.collectionNanos(),
                now.generations()
                        .flatMap(to -> then.generations().map(to::since))
                        .map(between -> new FullCollections(between.full(), between.fullNanos())));
    }

    /**
     * Records the heap once for each collection that has ended: the counters do not change in between. While one goes on they are
     * those of the one before.
     */
    private void heap(JvmCounters jvm, Pauses now) {
        if (now.collectionNanos() > collectedNanos) {
            collectedNanos = now.collectionNanos();
            jvm.heapAfterCollection()
                    .ifPresent(used -> context.appendOfProcess(new HeapSample(context.now(), used, now.collections())));
        }
    }

    Optional<Pauses> pauses() {
        return counters.map(jvm -> before.and(jvm.pauses()))
                .or(() -> before.equals(Totals.NONE) ? Optional.empty() : Optional.of(before.pauses()));
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
