package dev.kiln.runner;

import dev.kiln.host.proc.MemoryMeter;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.LogLimit;
import dev.kiln.host.process.PinnedProcess;
import dev.kiln.host.process.Ports;
import dev.kiln.jvm.AotFlags;
import dev.kiln.jvm.Serving;
import dev.kiln.launch.CpuBoost;
import dev.kiln.launch.LaunchedTarget;
import dev.kiln.launch.TargetLaunch;
import dev.kiln.load.LoadSession;
import dev.kiln.load.PhaseResult;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Variant.SweepLevel;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.run.DensityStudy.MeasuredProcess;
import dev.kiln.postgres.Postgres;
import dev.kiln.runner.RunPhases.UntilSteady;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A Together is several processes of one variant under load together, on the CPUs that one of them has in a run. They
 * are started one after the other, and go through the experiment's protocol together.
 */
final class Together {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

    /** Memory is read only so often: the proportional memory of one process costs milliseconds of CPU. */
    private static final int MEMORY_EVERY_SECONDS = 5;

    private record Started(LaunchedTarget target, LoadSpec load, Path log, Serving serving) {}

    private final RunContext context;
    private final Variant variant;
    private final Path directory;
    private final Optional<AotMaking.Made> cache;
    private final List<Started> started = new ArrayList<>();
    private Optional<PhaseResult> last = Optional.empty();
    private long mostRss;
    private long mostPss;

    /** @param directory for their logs and what the driver records */
    Together(RunContext context, Variant variant, Path directory, Optional<AotMaking.Made> cache) {
        this.context = context;
        this.variant = variant;
        this.directory = directory;
        this.cache = cache;
    }

    MeasuredProcess run(SweepLevel level, int processes) {
        try {
            context.database().ifPresent(Postgres::startFresh);
            for (int i = 1; i <= processes; i++) {
                context.listener().doing("starting process " + i + " of " + processes);
                start(i);
            }
            return measure(level);
        } finally {
            started.forEach(each -> {
                each.target().stop(STOP_LIMIT);
                LogLimit.finish(each.log());
            });
            context.database().ifPresent(Postgres::stop);
        }
    }

    private void start(int number) {
        Path own = directory.resolve(Integer.toString(number));
        try {
            Files.createDirectories(own);
        } catch (IOException e) {
            throw KilnException.machine(e, "cannot make " + own, "check the disk's space");
        }
        int port = Ports.free();
        Placeholders values = context.values(port, RunContext.HERE, own);
        LoadSpec load = context.experiment().loadOf(variant).fill(values);
        context.requireFree(load);
        Path log = own.resolve("target.log");
        List<String> flags = cache.map(
                        made -> AotFlags.use(made.file(), variant.observe().flightRecorder()))
                .orElse(List.of());
        context.driver().prepare(load);
        LaunchedTarget target = new TargetLaunch(context.lab(), variant.target()).start(values, flags, log);
        PinnedProcess process = target.process();
        Set<Integer> ports = context.portsHere(load);
        target.serving(ports);
        started.add(new Started(target, load, log, new Serving(ProcFs.ofThisMachine(), process.pid(), ports)));
        try (LoadSession session = context.driver().open(load, own, process.launchNanos())) {
            context.cancellation().onCancel(session::cancel);
            new TargetStart(process, log, context.cancellation())
                    .await(variant.target().readiness(), values, port, session, TargetStart.UNTOLD);
        }
    }

    private MeasuredProcess measure(SweepLevel level) {
        Started first = started.getFirst();
        List<HttpCall> calls =
                started.stream().flatMap(each -> each.load().calls().stream()).toList();
        LoadSpec all = first.load().with(calls).withConnections(level.connections() * started.size());
        try (LoadSession session =
                context.driver().open(all, directory, first.target().process().launchNanos())) {
            context.cancellation().onCancel(session::cancel);
            List<Phase> phases = context.experiment().protocol().phasesWithOneRound();
            for (int i = 0; i < phases.size(); i++) {
                if (i == RunPhases.peakFrom(phases)) {
                    started.forEach(each -> each.target().boost().ifPresent(CpuBoost::end));
                }
                phase(phases.get(i), session);
                check();
            }
        }
        return measured(level);
    }

    private void phase(Phase phase, LoadSession session) {
        switch (phase) {
            case Phase.Load load -> {
                UntilSteady until = new UntilSteady(load, context.judge()::steady, session::finish);
                last = Optional.of(session.load(load, tick -> {
                    context.listener().tick(load, tick, Optional.empty());
                    until.tick(tick);
                    if (tick.second() % MEMORY_EVERY_SECONDS == 0) {
                        memory();
                    }
                }));
                memory();
            }
            case Phase.Pause pause -> {
                context.listener().doing("pausing " + pause.duration().toSeconds() + " s");
                session.pause(pause);
            }
        }
    }

    private void check() {
        context.cancellation().check();
        for (Started each : started) {
            if (!each.target().process().isAlive()) {
                throw new TargetStart(each.target().process(), each.log(), context.cancellation()).died();
            }
        }
    }

    /** Keeps the most memory that all had together; the proportional sum only while every process can be read. */
    private void memory() {
        long rss = 0;
        long pss = 0;
        boolean allPss = true;
        for (Started each : started) {
            long serves = each.serving().follow().orElse(each.target().process().pid());
            try (MemoryMeter meter = new MemoryMeter(ProcFs.ofThisMachine(), serves)) {
                rss += meter.rssBytes();
                pss += allPss ? meter.pssBytes() : 0;
            } catch (IOException e) {
                allPss = false;
            }
        }
        mostRss = Math.max(mostRss, rss);
        mostPss = allPss ? Math.max(mostPss, pss) : mostPss;
    }

    private MeasuredProcess measured(SweepLevel level) {
        PhaseResult result = last.orElseThrow();
        double seconds = (result.endNanos() - result.startNanos()) / 1e9;
        List<String> notes = new ArrayList<>(context.lab().cpus().notes());
        notes.addAll(result.warnings());
        return new MeasuredProcess(
                level.configuration(),
                started.size(),
                level.connections(),
                seconds,
                seconds > 0 ? result.requests().completed() / seconds : 0,
                result.requests().errors().total(),
                mostRss,
                mostPss,
                notes);
    }
}
