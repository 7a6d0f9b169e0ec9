package dev.kiln.launch;

import dev.kiln.host.process.PinnedProcess;
import dev.kiln.host.process.TargetCgroup;
import dev.kiln.model.KilnException.IoReason;
import dev.kiln.model.experiment.Modifier;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A CpuBoost is a higher CPU quota at a target's start, lowered at its own time or by {@link #end}. */
public final class CpuBoost implements AutoCloseable {
    private final TargetCgroup cgroup;
    private final Modifier.BoostedStart asked;
    private final PinnedProcess process;
    private final CountDownLatch closed = new CountDownLatch(1);
    private OptionalLong endNanos = OptionalLong.empty();
    private Optional<String> failure = Optional.empty();

    private CpuBoost(TargetCgroup cgroup, Modifier.BoostedStart asked, PinnedProcess process) {
        this.cgroup = cgroup;
        this.asked = asked;
        this.process = process;
    }

    /** Starts the clock of a boost that has a time, in a cgroup with the quota of the start. */
    static CpuBoost of(TargetCgroup cgroup, Modifier.BoostedStart asked, PinnedProcess process) {
        CpuBoost boost = new CpuBoost(cgroup, asked, process);
        asked.time()
                .ifPresent(time -> Thread.ofPlatform()
                        .daemon()
                        .name("kiln-boost")
                        .start(() -> boost.endAt(process.launchNanos() + time.toNanos())));
        return boost;
    }

    public Modifier.BoostedStart asked() {
        return asked;
    }

    private void endAt(long nanos) {
        try {
            if (!closed.await(nanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                end();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Lowers the quota now. A second call does nothing. */
    public synchronized void end() {
        if (endNanos.isPresent() || failure.isPresent() || closed.getCount() == 0) {
            return;
        }
        try {
            cgroup.limitCpu(asked.to());
            endNanos = OptionalLong.of(System.nanoTime() - process.launchNanos());
        } catch (IOException e) {
            failure = Optional.of(IoReason.of(e));
        }
    }

    /** Returns when the quota was lowered, in ns since the launch; empty before that. */
    public synchronized OptionalLong endNanos() {
        return endNanos;
    }

    /** Returns why the quota could not be lowered; empty if it could, or if nobody has tried. */
    public synchronized Optional<String> failure() {
        return failure;
    }

    /** Leaves the quota as it is, because the cgroup is removed next. */
    @Override
    public void close() {
        closed.countDown();
        synchronized (this) {
            // One that ends just now has ended.
        }
    }
}
