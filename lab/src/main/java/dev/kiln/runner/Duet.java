package dev.kiln.runner;

import dev.kiln.host.process.Pinning;
import dev.kiln.launch.Lab;
import dev.kiln.load.LoadSession.Tick;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.PlannedRun;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.RunInfo;
import dev.kiln.postgres.Postgres;
import dev.kiln.recorder.Recording.CompilerLoad;
import dev.kiln.runner.Cancellation.Interrupted;
import dev.kiln.runner.RunControl.RunListener;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * A Duet runs both variants of a block at once, each on its half of the CPUs, with a load driver and a database of its own
 * there: what disturbs the machine disturbs both in the same second (Bulej et al., Duet Benchmarking, ICPE 2020). The next
 * block swaps the halves. Kiln itself runs on the CPUs of both loads.
 */
final class Duet implements AutoCloseable {
    private final List<Lab> halves;
    private final Experiment experiment;
    private final RunControl control;
    private final HookRunner hooks;

    /** Each side is cut short by its own, as each has a load of its own that must end. */
    private final List<Cancellation> cuts = List.of(new Cancellation(), new Cancellation());

    private final List<Side> sides = new ArrayList<>();

    /** A Side is what one of the two runs has to itself. */
    private record Side(Lab lab, HotDriver driver, Optional<Postgres> database, Cancellation cut)
            implements AutoCloseable {
        @Override
        public void close() {
            try {
                driver.close();
            } finally {
                database.ifPresent(Postgres::close);
            }
        }
    }

    /** Halves the lab, or throws where that cannot be done; nothing is started yet. */
    Duet(Lab lab, Experiment experiment, RunControl control, HookRunner hooks) {
        this.halves = lab.halves(experiment.cpus());
        this.experiment = experiment;
        this.control = control;
        this.hooks = hooks;
    }

    /** Returns the lab of a half: both are alike. */
    Lab half() {
        return halves.getFirst();
    }

    /** Makes the databases, and moves Kiln itself to the CPUs of both loads. */
    void open() {
        control.cancellation().onCancel(() -> cuts.forEach(Cancellation::cutShort));
        Pinning.pinThisProcess(halves.stream()
                .flatMap(half -> half.cpus().load().stream())
                .sorted()
                .toList());
        for (int i = 0; i < halves.size(); i++) {
            Lab half = halves.get(i);
            HotDriver driver = new HotDriver(half, experiment.load(), control.listener(), cuts.get(i));
            sides.add(new Side(half, driver, RunContext.database(half, experiment, control.listener()), cuts.get(i)));
        }
    }

    /** Warms both drivers up, one after the other, before any target starts. */
    void warm() {
        sides.forEach(side -> side.driver().get());
    }

    /** Returns what a target has that is trained alone, on a half. */
    RunContext trains() {
        Side side = sides.getFirst();
        return context(side, new RunControl(control.listener(), side.cut(), control.judge()), Optional.empty());
    }

    private RunContext context(Side side, RunControl own, Optional<Beside> beside) {
        return new RunContext(
                side.lab(), experiment, side.driver().get(), side.database(), Optional.empty(), own, hooks, beside);
    }

    /** Runs both runs of a block at once, and returns how they ended, in their order. */
    List<Outcome> run(
            List<PlannedRun> block,
            Function<PlannedRun, Path> folder,
            Function<PlannedRun, Optional<AotMaking.Made>> cache) {
        // Once for each variant, and here: the two runs are two threads.
        block.forEach(run -> hooks.prepare(run.variant()));
        Phaser pace = new Phaser(block.size());
        AtomicBoolean lost = new AtomicBoolean();
        List<FutureTask<Outcome>> both = new ArrayList<>();
        for (PlannedRun own : block) {
            PlannedRun other = own.equals(block.getFirst()) ? block.getLast() : block.getFirst();
            int half = RunInfo.Duet.half(place(own.variant()), own.block());
            Beside beside = new Beside(new RunInfo.Duet(other.variant().name(), other.run(), half), pace, lost);
            Side side = sides.get(half - 1);
            Path in = folder.apply(own);
            Optional<AotMaking.Made> made = cache.apply(own);
            both.add(new FutureTask<>(() -> run(side, own, beside, in, made)));
        }
        both.forEach(run -> Thread.ofPlatform().name("kiln-duet").start(run));
        return ended(both);
    }

    private int place(Variant variant) {
        return experiment.variants().stream().map(Variant::name).toList().indexOf(variant.name());
    }

    private Outcome run(Side side, PlannedRun own, Beside beside, Path folder, Optional<AotMaking.Made> cache) {
        Outcome outcome = Outcome.LAB_FAILED;
        try {
            RunListener listener =
                    new SideListener(control.listener(), own.variant().name(), place(own.variant()) == 0);
            RunContext context =
                    context(side, new RunControl(listener, side.cut(), control.judge()), Optional.of(beside));
            outcome = context.withBackend(
                    own.variant().target(), folder, ready -> new RunFrame(ready, own, folder, cache, List.of()).run());
            return outcome;
        } catch (RuntimeException | Error e) {
            // It ends the experiment, so the other run need not go on.
            cuts.forEach(Cancellation::cutShort);
            throw e;
        } finally {
            beside.ended(outcome == Outcome.COMPLETED);
        }
    }

    /** Waits for both; throws what ended the experiment, the reason before what it cut short. */
    private List<Outcome> ended(List<FutureTask<Outcome>> both) {
        List<Outcome> outcomes = new ArrayList<>();
        List<RuntimeException> thrown = new ArrayList<>();
        for (FutureTask<Outcome> run : both) {
            try {
                outcomes.add(run.get());
            } catch (ExecutionException e) {
                thrown.add(
                        e.getCause() instanceof RuntimeException cause
                                ? cause
                                : new IllegalStateException("a run of two at once broke off", e));
            } catch (InterruptedException e) {
                cuts.forEach(Cancellation::cutShort);
                Thread.currentThread().interrupt();
                throw new Interrupted();
            }
        }
        thrown.stream()
                .filter(reason -> !(reason instanceof Interrupted))
                .findFirst()
                .or(() -> thrown.stream().findFirst())
                .ifPresent(reason -> {
                    throw reason;
                });
        return outcomes;
    }

    @Override
    public void close() {
        try {
            sides.stream().skip(1).forEach(Side::close);
        } finally {
            sides.stream().limit(1).forEach(Side::close);
        }
    }

    /**
     * A SideListener tells of one of two runs at once, one at a time. There is one live line: it shows the first variant.
     *
     * @param shown whether this is that of the first variant
     */
    private record SideListener(RunListener to, String variant, boolean shown) implements RunListener {
        @Override
        public void stage(String text) {
            synchronized (to) {
                to.stage(text);
            }
        }

        @Override
        public void runStarted(String name, int position, int total) {
            synchronized (to) {
                to.runStarted(name, position, total);
            }
        }

        @Override
        public void doing(String what) {
            synchronized (to) {
                to.doing(variant + ": " + what);
            }
        }

        @Override
        public void tick(Phase.Load phase, Tick tick, Optional<CompilerLoad> c2) {
            synchronized (to) {
                if (shown) {
                    to.tick(phase, tick, c2);
                }
            }
        }

        @Override
        public void loadEnded() {
            synchronized (to) {
                if (shown) {
                    to.loadEnded();
                }
            }
        }

        @Override
        public void note(String text) {
            synchronized (to) {
                to.note(text);
            }
        }
    }
}
