package dev.kiln.runner;

import dev.kiln.host.process.ExitCode;
import dev.kiln.host.process.Launcher.LaunchSpec;
import dev.kiln.host.process.PinnedProcess;
import dev.kiln.host.process.Ports;
import dev.kiln.launch.Lab;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target.ReadySign;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An AotTrainer makes an AOT cache that no experiment is to use.
 *
 * @param folder for the cache and the logs
 */
public record AotTrainer(Lab lab, Path folder, RunControl control) {
    private static final long POLL_NANOS = 50_000_000;
    private static final String LOAD_LOG = "load.log";

    /** Makes a cache under load, as that of the experiment's only variant is made; returns its file. */
    public Path byLoad(Experiment experiment) {
        Preflight.check(lab, experiment, control.listener());
        lab.stepAside();
        try (HotDriver driver = new HotDriver(lab, experiment.load(), control.listener(), control.cancellation());
                HookRunner hooks = new HookRunner(lab.registry(), lab.allCpus(), folder, control)) {
            return AotMaking.all(
                            experiment.variants(),
                            () -> new RunContext(
                                    lab, experiment, driver.get(), Optional.empty(), Optional.empty(), control, hooks),
                            folder)
                    .values()
                    .iterator()
                    .next()
                    .file();
        }
    }

    /**
     * An OwnTraining says how a program is trained without a load of Kiln's.
     *
     * @param ready what shows that it has started; what follows begins then, and without anything that follows it is
     *     asked to end
     * @param load a command of the shell that exercises it, after which it is asked to end
     * @param length after which it is asked to end
     */
    public record OwnTraining(Optional<ReadySign> ready, Optional<String> load, Optional<Duration> length) {
        private String text() {
            String what = ready.isPresent() ? "a start" : "a run of the command";
            return what
                    + load.map(" and the load of '%s'"::formatted)
                            .or(() -> length.map(
                                    time -> (ready.isPresent() ? " and " : " for ") + time.toSeconds() + " s"))
                            .orElse(
                                    ready.isPresent()
                                            ? ""
                                            : " until it ends by itself (--for or --ready end it sooner)");
        }
    }

    /**
     * Makes a cache by what the program does by itself, or is made to do by another command. {@code ${port}} in all of
     * it is a free port.
     *
     * @param command begins with the path of a {@code java}
     * @return the cache
     */
    public Path byItself(List<String> command, OwnTraining own) {
        Placeholders values = new Placeholders(Map.of(Placeholders.PORT, Integer.toString(Ports.free())));
        own.ready().ifPresent(ready -> ReadinessProbe.requireFree(ready, values));
        List<String> filled = command.stream().map(values::fillOnlyKnown).toList();
        AotSteps steps = new AotSteps(
                folder,
                (message, lines) -> KilnException.problem("the AOT cache " + message, lines),
                control.cancellation());
        control.listener().stage("AOT cache, 1 of 2: recording " + own.text());
        steps.forget();
        folder.resolve(LOAD_LOG).toFile().delete();
        AotSteps.Starting start = (flags, log) -> start(with(filled, flags), log);
        try {
            steps.record(start, process -> exercise(process, own, values, steps));
            control.listener().stage("AOT cache, 2 of 2: creating it");
            steps.create(start);
        } finally {
            steps.forgetRecording();
        }
        return steps.cache();
    }

    private void exercise(PinnedProcess process, OwnTraining own, Placeholders values, AotSteps steps) {
        try {
            own.ready().ifPresent(ready -> ready(process, ready, values, steps.recordLog()));
        } catch (RunFailure e) {
            // A program may have done all it does before it was seen to be ready.
            if (own.load().isEmpty() && process.exitCode().orElse(-1) == 0) {
                return;
            }
            throw steps.failed(String.valueOf(e.getMessage()), steps.recordLog());
        }
        if (own.load().isPresent()) {
            load(process, values.fillOnlyKnown(own.load().get()), steps);
        } else if (own.ready().isEmpty() || own.length().isPresent()) {
            steps.await(process, own.length());
        }
    }

    private void ready(PinnedProcess process, ReadySign ready, Placeholders values, Path log) {
        String port = values.fill("${port}");
        Placeholders known = new Placeholders(Map.of(Placeholders.PORT, port, Placeholders.HOST, RunContext.HERE));
        new TargetStart(process, log, control.cancellation())
                .ready(ready, known, Integer.parseInt(port), System.nanoTime());
    }

    private void load(PinnedProcess process, String shell, AotSteps steps) {
        Path log = folder.resolve(LOAD_LOG);
        PinnedProcess load = lab.launcher().start(new LaunchSpec("load", List.of("sh", "-c", shell), log));
        try {
            while (load.isAlive()) {
                Optional<ExitCode> ended = process.exit().filter(exit -> exit.code() != 0);
                if (ended.isPresent()) {
                    throw steps.failed("the program " + ended.get().text() + " under the load", steps.recordLog());
                }
                control.cancellation().sleep(POLL_NANOS);
            }
            Optional<ExitCode> exit = load.exit().filter(code -> code.code() != 0);
            if (exit.isPresent()) {
                throw steps.failed("the command of --load " + exit.get().text(), log);
            }
        } finally {
            load.stop(Duration.ZERO);
        }
    }

    private AotSteps.Started start(List<String> command, Path log) {
        PinnedProcess process = lab.launcher()
                // Not pinned: with half of the CPUs the JVM might choose another collector than in production.
                .start(new LaunchSpec("target", command, log));
        return new AotSteps.Started(process, process::stop);
    }

    private static List<String> with(List<String> command, List<String> flags) {
        List<String> words = new ArrayList<>(command);
        words.addAll(1, flags);
        return words;
    }
}
