package dev.kiln.runner;

import dev.kiln.launch.AttachSearch.NothingThere;
import dev.kiln.launch.CpuBoost;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Modifier.BoostedStart;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.remote.PodResize;
import dev.kiln.runner.HookRunner.OwedHook;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A PodBoost gives the pods of a run another CPU limit while they are new. What puts the one back that each had is owed from before
 * the first change on.
 */
final class PodBoost implements CpuBoost.CpuLimit {
    /** The node changes what it was told within a second or two. */
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private static final Duration LOOK = Duration.ofMillis(500);

    private final BoostedStart asked;
    private final RunContext context;
    private final Path folder;
    private final List<Raised> pods = new ArrayList<>();
    private Optional<CpuBoost> lasting = Optional.empty();

    /** @param nanos the monotonic clock when the cluster had taken the limit */
    private record Raised(PodResize pod, OwedHook owed, long nanos) {}

    /** @param folder of the run */
    PodBoost(BoostedStart asked, RunContext context, Path folder) {
        this.asked = asked;
        this.context = context;
        this.folder = folder;
    }

    /**
     * Gives a pod that has just been found the limit of the start. A second call for the same pod does nothing. Pods that were
     * found before and are gone are forgotten: others took their places.
     *
     * @throws NothingThere if it is gone itself
     * @throws RunFailure if the cluster refuses
     */
    void raise(Where place) {
        try {
            PodResize pod = PodResize.of(place);
            if (pods.stream().anyMatch(raised -> raised.pod.words().equals(pod.words()))) {
                return;
            }
            pods.removeIf(this::forgotten);
            OwedHook owed = context.hooks().owe(Optional.of(pod.undo()), folder).orElseThrow();
            pods.add(new Raised(pod, owed, System.nanoTime()));
            if (!pod.had(asked.from())) {
                pod.set(asked.from());
                pods.set(pods.size() - 1, new Raised(pod, owed, System.nanoTime()));
            }
        } catch (NothingThere gone) {
            throw gone;
        } catch (KilnException e) {
            throw failure(String.valueOf(e.getMessage()), e.remedy());
        }
    }

    /** Tells whether a pod is gone: nothing is owed to it then. */
    private boolean forgotten(Raised raised) {
        boolean gone = raised.pod.isGone();
        if (gone) {
            context.hooks().forget(raised.owed);
        }
        return gone;
    }

    /**
     * Waits until the pods have it, and starts the clock of a boost that has a time.
     *
     * @param launchNanos of the first process
     * @throws RunFailure if a node does not give it
     */
    void begin(long launchNanos) {
        pods.removeIf(this::forgotten);
        for (Raised raised : pods) {
            long deadline = System.nanoTime() + LIMIT.toNanos();
            Optional<String> pending = raised.pod.pending(asked.from());
            while (pending.isPresent() && System.nanoTime() < deadline) {
                context.cancellation().sleep(LOOK.toNanos());
                context.cancellation().check();
                pending = raised.pod.pending(asked.from());
            }
            pending.filter(why -> !raised.pod.isGone()).ifPresent(why -> {
                throw failure(
                        "cpu-boost: " + raised.pod.words() + " did not get its limit within " + LIMIT.toSeconds()
                                + " s: " + why,
                        "its node may lack the CPU: ask for less");
            });
        }
        lasting = Optional.of(CpuBoost.of(this, asked, launchNanos));
    }

    @Override
    public void set(double cpus) throws IOException {
        for (Raised raised : pods) {
            try {
                raised.pod.set(cpus);
            } catch (NothingThere gone) {
                // It has no limit that could be lowered, and the run ends without it.
            } catch (KilnException e) {
                throw new IOException(e.getMessage(), e);
            }
        }
    }

    @Override
    public Optional<String> pending(double cpus) {
        return pods.stream()
                .flatMap(raised -> raised.pod.pending(cpus).map(why -> raised.pod.words() + ": " + why).stream())
                .findFirst();
    }

    /** Returns the boost, once it has begun. */
    Optional<CpuBoost> lasting() {
        return lasting;
    }

    BoostedStart asked() {
        return asked;
    }

    /**
     * Returns in words what each pod had, and since when it had more.
     *
     * @param launchNanos of the first process
     */
    List<String> notes(long launchNanos) {
        return pods.stream()
                .map(raised -> raised.pod.had(asked.from())
                        ? "cpu-boost: " + raised.pod.words() + " began with a CPU limit of " + raised.pod.cpus()
                        : String.format(
                                Locale.ROOT,
                                "cpu-boost: %s began with a CPU limit of %s, by which its JVM chose; Kiln asked for the limit of the"
                                        + " start %.1f s after the start of the process",
                                raised.pod.words(),
                                raised.pod.cpus(),
                                (raised.nanos - launchNanos) / 1e9))
                .toList();
    }

    /** Puts the limits back that the pods had. */
    void restore() {
        lasting.ifPresent(CpuBoost::close);
        for (Raised raised : pods) {
            boolean back = raised.pod.had(asked.to())
                    && lasting.filter(boost -> boost.endNanos().isPresent()).isPresent();
            if (back) {
                context.hooks().forget(raised.owed);
            } else {
                context.hooks().pay(raised.owed);
            }
        }
        pods.clear();
    }

    private static RunFailure failure(String what, String remedy) {
        return new RunFailure(Outcome.LAB_FAILED, what, remedy);
    }
}
