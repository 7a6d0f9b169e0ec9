package dev.kiln.runner;

import dev.kiln.evidence.StudyFile;
import dev.kiln.launch.Lab;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.StartupSpec;
import dev.kiln.model.experiment.StartupSpec.PlannedStart;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.run.StartupEvidence;
import dev.kiln.model.run.StartupEvidence.StartDesign;
import dev.kiln.model.run.StartupEvidence.StartMachine;
import dev.kiln.model.run.StartupEvidence.StartMeasure;
import dev.kiln.model.run.StartupEvidence.StartOrigin;
import dev.kiln.model.run.StartupEvidence.StartSample;
import dev.kiln.postgres.Postgres;
import dev.kiln.runner.Cancellation.Interrupted;
import dev.kiln.runner.RunControl.RunListener;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A StartupRunner starts commands in turn, and writes down after each start what it took. */
public final class StartupRunner {
    /** Even a program that does nothing may wait for a CPU for longer than what is measured may take. */
    private static final Duration REHEARSAL_LIMIT = Duration.ofMinutes(1);

    private static final int REHEARSALS = 10;

    private final Lab lab;
    private final StartupSpec spec;
    private final Optional<Experiment> experiment;
    private final Path directory;
    private final RunControl control;
    private final RunListener listener;
    private final Cancellation cancellation;
    private final long startedEpochMillis = System.currentTimeMillis();
    private final List<StartSample> samples = new ArrayList<>();
    private String unit = "ms";
    private long launchNanos;

    /**
     * @param experiment whose variants are compared; empty for commands that were typed
     * @param directory for the evidence
     * @param control its judge is that of the load that an AOT cache is trained with
     */
    public StartupRunner(
            Lab lab, StartupSpec spec, Optional<Experiment> experiment, Path directory, RunControl control) {
        this.lab = lab;
        this.spec = spec;
        this.experiment = experiment;
        this.directory = directory;
        this.control = control;
        listener = control.listener();
        cancellation = control.cancellation();
    }

    /** Runs all starts, or those up to the first that fails; then it returns false, and keeps the others. */
    public boolean run() {
        if (spec.cold()) {
            PageCache.drop();
        }
        experiment.ifPresent(asked -> Preflight.check(lab, asked, listener));
        lab.stepAside();
        try (StartupSides sides = sides()) {
            launchNanos = rehearsed(sides.nothing());
            return all(sides, sides.sides());
        }
    }

    private StartupSides sides() {
        if (experiment.isEmpty()) {
            return new StartupSides.TypedCommands(lab, spec.sides(), spec.directory());
        }
        Experiment asked = experiment.get();
        Optional<Postgres> database = RunContext.database(lab, asked, listener);
        try (HotDriver driver = new HotDriver(lab, asked.load(), listener, cancellation);
                HookRunner hooks = new HookRunner(lab.registry(), lab.allCpus(), directory, control)) {
            Map<String, AotMaking.Made> caches = AotMaking.all(
                    asked.variants(),
                    () -> new RunContext(lab, asked, driver.get(), database, Optional.empty(), control, hooks),
                    directory.resolve("aot"));
            return new StartupSides.OfVariants(lab, asked.variants(), spec.sides(), asked.database(), database, caches);
        } catch (RuntimeException e) {
            database.ifPresent(Postgres::close);
            throw e;
        }
    }

    private boolean all(StartupSides sides, List<StartupSpec.StartSide> told) {
        try {
            for (PlannedStart planned : spec.pairs().starts()) {
                cancellation.check();
                one(sides, told, planned);
            }
            return true;
        } catch (RunFailure e) {
            PlannedStart failed = spec.pairs().starts().get(samples.size());
            String what = told.get(failed.side()).name() + (told.size() == 2 ? ", pair " : ", round ") + failed.pair()
                    + ": it " + e.getMessage();
            write(told, Optional.of(what));
            listener.note("kiln: " + RunFailure.with(what, e.said()));
            return false;
        } catch (Interrupted e) {
            write(told, Optional.of("interrupted"));
            throw e;
        }
    }

    /**
     * Returns the cost of a launch, in ns. Kiln's own first launches are slow, because its code is cold. So it first
     * launches a program that does nothing, several times. The fastest of these launches is the cost of launching.
     */
    private long rehearsed(StartupSides nothing) {
        StartupSpec rehearsal = new StartupSpec(
                nothing.sides(),
                new StartupSpec.StartEnd(Optional.empty(), Optional.empty(), REHEARSAL_LIMIT, true),
                new StartupSpec.StartPairs(REHEARSALS, 0, OptionalLong.empty(), List.of()),
                spec.cpus(),
                false,
                spec.directory());
        Path log = directory.resolve("rehearsal.log");
        long fastest = Long.MAX_VALUE;
        for (int i = 1; i <= REHEARSALS; i++) {
            cancellation.check();
            OneStart start = new OneStart(nothing, rehearsal, directory, log, 0, cancellation);
            fastest =
                    Math.min(fastest, start.run(new PlannedStart(i, 0)).sample().readyNanos());
        }
        try {
            Files.deleteIfExists(log);
        } catch (IOException e) {
            // It is empty and in the way of nothing.
        }
        return fastest;
    }

    private void one(StartupSides sides, List<StartupSpec.StartSide> told, PlannedStart planned) {
        String name = told.get(planned.side()).name();
        listener.runStarted(name, samples.size() + 1, spec.pairs().starts().size());
        sides.fresh();
        if (spec.cold()) {
            PageCache.drop();
        }
        Path log = directory.resolve(String.format(Locale.ROOT, "%c-%02d.log", 'a' + planned.side(), planned.pair()));
        OneStart.StartResult result = new OneStart(sides, spec, directory, log, launchNanos, cancellation).run(planned);
        if (!samples.isEmpty() && !result.unit().equals(unit)) {
            throw KilnException.problem(
                    "the starts log their number in different units: '" + unit + "' and '" + result.unit() + "'",
                    "name the right one, such as --unit ms");
        }
        unit = result.unit();
        samples.add(result.sample());
        write(told, Optional.empty());
        listener.doing(String.format(Locale.ROOT, "%.1f %s", result.sample().value(), unit));
    }

    private void write(List<StartupSpec.StartSide> told, Optional<String> failure) {
        StudyFile.STARTUP.write(
                directory,
                new StartupEvidence(
                        new StartOrigin(StartupEvidence.SCHEMA_VERSION, lab.kilnVersion(), startedEpochMillis),
                        told.stream()
                                .map(side -> side.with(lab.secrets().command(side.command())))
                                .toList(),
                        new StartMeasure(
                                lab.secrets().text(until()),
                                spec.end()
                                        .number()
                                        .map(number -> "number in the log")
                                        .orElse(StartupEvidence.TIME),
                                unit),
                        new StartDesign(
                                spec.pairs().counted(),
                                spec.pairs().discarded(),
                                spec.pairs().seed(),
                                spec.cold()),
                        new StartMachine(launchNanos, lab.host(), lab.cpus()),
                        failure.map(lab.secrets()::text),
                        samples));
    }

    private String until() {
        String end = spec.end().readiness().map(StartupRunner::words).orElse("the process ends");
        return spec.end()
                .number()
                .map(number -> "the number of '" + number.regex() + "' in its output")
                .orElse(end);
    }

    private static String words(ReadySign readiness) {
        return switch (readiness) {
            case ReadySign.FirstResponse first -> "its first response";
            case ReadySign.HttpStatus http -> http.url() + " answers " + http.status();
            case ReadySign.TcpPort tcp ->
                "port " + (tcp.port().isPresent() ? tcp.port().getAsInt() : "${port}") + " accepts connections";
            case ReadySign.LogPattern log -> "a line with '" + log.regex() + "'";
        };
    }
}
