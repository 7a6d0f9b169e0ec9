package dev.kiln.runner;

import dev.kiln.host.proc.CpuMeter;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.model.run.RunInfo.QuietWait;
import dev.kiln.runner.RunControl.RunListener;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A QuietCpus waits until the target's CPUs have nothing else to do, but not for ever.
 *
 * @param cpus of the target; none stands for all of the machine
 */
record QuietCpus(List<Integer> cpus, RunListener listener, Cancellation cancellation) {
    /** A second is quiet up to this share of the CPUs: twice the difference that the analysis cares for. */
    private static final double QUIET = 0.1;

    private static final int QUIET_SECONDS = 3;
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final long LOOK_NANOS = 1_000_000_000;

    /** CpuShares are what the CPUs did between two reads of {@code /proc/stat}; zero where nothing was counted. */
    record CpuShares(double busy, double stolen) {
        static CpuShares between(List<CpuMeter.Times> before, List<CpuMeter.Times> now, List<Integer> cpus) {
            double busy = 0;
            double stolen = 0;
            double all = 0;
            for (CpuMeter.Times cpu : now) {
                Optional<CpuMeter.Times> same = before.stream()
                        .filter(earlier -> earlier.cpu() == cpu.cpu())
                        .findFirst();
                if (same.isPresent() && (cpus.isEmpty() || cpus.contains(cpu.cpu()))) {
                    busy += cpu.busyNanos() - same.get().busyNanos();
                    stolen += cpu.stealNanos() - same.get().stealNanos();
                    all += total(cpu) - total(same.get());
                }
            }
            return all > 0 ? new CpuShares(busy / all, stolen / all) : new CpuShares(0, 0);
        }

        private static double total(CpuMeter.Times cpu) {
            return cpu.busyNanos() + cpu.idleNanos() + cpu.stealNanos();
        }

        boolean quiet() {
            return busy + stolen <= QUIET;
        }

        String text() {
            return String.format(Locale.ROOT, "%.0f %% busy, %.0f %% stolen", 100 * busy, 100 * stolen);
        }

        private double taken() {
            return busy + stolen;
        }
    }

    /** A Wait keeps all seconds of one wait: its last second alone would not say why it went on. */
    static final class Wait {
        private final List<CpuShares> seconds = new ArrayList<>();

        void add(CpuShares second) {
            seconds.add(second);
        }

        /** Tells whether the last seconds were quiet, as many of them as a run needs. */
        boolean quiet() {
            return seconds.size() >= QUIET_SECONDS
                    && seconds.subList(seconds.size() - QUIET_SECONDS, seconds.size()).stream()
                            .allMatch(CpuShares::quiet);
        }

        /** Returns the last second where the wait ended in quiet, else the average of all seconds. */
        CpuShares use() {
            return quiet()
                    ? seconds.getLast()
                    : new CpuShares(
                            seconds.stream()
                                    .mapToDouble(CpuShares::busy)
                                    .average()
                                    .orElse(0),
                            seconds.stream()
                                    .mapToDouble(CpuShares::stolen)
                                    .average()
                                    .orElse(0));
        }

        /** Says how busy the CPUs were that kept the run waiting: on average, and in the busiest second. */
        String text() {
            CpuShares most = seconds.stream()
                    .max(Comparator.comparingDouble(CpuShares::taken))
                    .orElseThrow();
            return "on average " + use().text() + "; in the busiest second " + most.text();
        }
    }

    /** Waits, and returns for how long and in what state the CPUs were; empty where nobody counts that. */
    Optional<QuietWait> await() {
        try (CpuMeter meter = new CpuMeter(ProcFs.ofThisMachine())) {
            return Optional.of(await(meter));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private QuietWait await(CpuMeter meter) throws IOException {
        long begin = System.nanoTime();
        Wait wait = new Wait();
        boolean said = false;
        List<CpuMeter.Times> before = meter.read();
        while (true) {
            cancellation.sleep(LOOK_NANOS);
            List<CpuMeter.Times> now = meter.read();
            CpuShares use = CpuShares.between(before, now, cpus);
            before = now;
            wait.add(use);
            long waited = System.nanoTime() - begin;
            if (wait.quiet() || waited >= LIMIT.toNanos()) {
                if (!wait.quiet()) {
                    listener.note("the target's CPUs did not become quiet within " + LIMIT.toSeconds() + " s ("
                            + wait.text() + "): the run starts anyway");
                }
                return new QuietWait(
                        waited, wait.quiet(), wait.use().busy(), wait.use().stolen());
            }
            if (!use.quiet() && !said) {
                listener.doing("waiting until the target's CPUs are quiet (now " + use.text() + "), at most "
                        + LIMIT.toSeconds() + " s");
                said = true;
            }
        }
    }
}
