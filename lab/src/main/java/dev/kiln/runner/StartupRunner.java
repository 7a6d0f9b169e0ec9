package dev.kiln.runner;

import dev.kiln.evidence.StudyFile;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.Programs;
import dev.kiln.launch.Lab;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.KilnException.IoReason;
import dev.kiln.model.experiment.StartupSpec;
import dev.kiln.model.experiment.StartupSpec.PlannedStart;
import dev.kiln.model.experiment.Target.Readiness;
import dev.kiln.model.run.StartupEvidence;
import dev.kiln.model.run.StartupEvidence.StartSample;
import dev.kiln.runner.Cancellation.Interrupted;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Starts two commands in turn, and writes down after each start what it took. */
public final class StartupRunner {
    private static final int REHEARSALS = 10;

    private final Lab lab;
    private final StartupSpec spec;
    private final Path directory;
    private final RunListener listener;
    private final Cancellation cancellation;
    private final long startedEpochMillis = System.currentTimeMillis();
    private final List<StartSample> samples = new ArrayList<>();
    private String unit = "ms";
    private long launchNanos;

    /** @param directory for the evidence */
    public StartupRunner(Lab lab, StartupSpec spec, Path directory, RunListener listener, Cancellation cancellation) {
        this.lab = lab;
        this.spec = spec;
        this.directory = directory;
        this.listener = listener;
        this.cancellation = cancellation;
    }

    /**
     * Runs all starts, or those up to the first that fails.
     *
     * @return false if one failed; what was measured before it is kept
     */
    public boolean run() {
        PageCache cache = new PageCache();
        if (spec.cold()) {
            cache.drop();
        }
        launchNanos = rehearsed();
        try {
            for (PlannedStart planned : spec.pairs().starts()) {
                cancellation.check();
                one(planned, cache);
            }
            return true;
        } catch (RunFailure e) {
            PlannedStart failed = spec.pairs().starts().get(samples.size());
            String what = spec.sides().get(failed.side()).name() + ", pair " + failed.pair() + ": it " + e.getMessage();
            write(Optional.of(what));
            listener.note("kiln: " + RunFailure.with(what, e.said()));
            return false;
        } catch (Interrupted e) {
            write(Optional.of("interrupted"));
            throw e;
        }
    }

    /**
     * Kiln's own first launches are slow, because its code is cold. So it first launches a program that does nothing,
     * several times. The fastest of these launches is the cost of launching.
     */
    private long rehearsed() {
        StartupSpec.Side nothing = new StartupSpec.Side("rehearsal", List.of("true"));
        StartupSpec rehearsal = new StartupSpec(
                List.of(nothing, nothing),
                new StartupSpec.End(
                        Optional.empty(), Optional.empty(), spec.end().timeout(), true),
                new StartupSpec.Pairs(REHEARSALS, 0, OptionalLong.empty(), List.of()),
                spec.cpus(),
                false,
                spec.directory());
        Path log = directory.resolve("rehearsal.log");
        long fastest = Long.MAX_VALUE;
        for (int i = 1; i <= REHEARSALS; i++) {
            cancellation.check();
            OneStart start = new OneStart(lab, rehearsal, directory, log, 0, cancellation);
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

    private void one(PlannedStart planned, PageCache cache) {
        String name = spec.sides().get(planned.side()).name();
        listener.runStarted(name, samples.size() + 1, spec.pairs().starts().size());
        if (spec.cold()) {
            cache.drop();
        }
        Path log = directory.resolve(
                String.format(Locale.ROOT, "%s-%02d.log", planned.side() == 0 ? "a" : "b", planned.pair()));
        OneStart.Result result = new OneStart(lab, spec, directory, log, launchNanos, cancellation).run(planned);
        if (!samples.isEmpty() && !result.unit().equals(unit)) {
            throw new KilnException(
                    Exit.PROBLEM,
                    "the starts log their number in different units: '" + unit + "' and '" + result.unit() + "'",
                    "name the right one, such as --unit ms");
        }
        unit = result.unit();
        samples.add(result.sample());
        write(Optional.empty());
        listener.doing(String.format(Locale.ROOT, "%.1f %s", result.sample().value(), unit));
    }

    private void write(Optional<String> failure) {
        StudyFile.STARTUP.write(
                directory,
                new StartupEvidence(
                        StartupEvidence.SCHEMA_VERSION,
                        lab.kilnVersion(),
                        startedEpochMillis,
                        spec.sides().stream()
                                .map(side -> new StartupSpec.Side(
                                        side.name(), lab.secrets().command(side.command())))
                                .toList(),
                        until(),
                        spec.end().number().map(number -> "number in the log").orElse("time"),
                        unit,
                        spec.pairs().counted(),
                        spec.pairs().discarded(),
                        spec.pairs().seed(),
                        spec.cold(),
                        launchNanos,
                        lab.host(),
                        lab.cpus(),
                        failure,
                        samples));
    }

    private String until() {
        String end = spec.end().readiness().map(StartupRunner::words).orElse("the process ends");
        return spec.end()
                .number()
                .map(number -> "the number of '" + number.regex() + "' in its output")
                .orElse(end);
    }

    private static String words(Readiness readiness) {
        return switch (readiness) {
            case Readiness.FirstResponse first -> "its first response";
            case Readiness.HttpStatus http -> http.url() + " answers " + http.status();
            case Readiness.TcpPort tcp ->
                "port " + (tcp.port().isPresent() ? tcp.port().getAsInt() : "${port}") + " accepts connections";
            case Readiness.LogPattern log -> "a line with '" + log.regex() + "'";
        };
    }

    /** The kernel's cache of files. */
    private static final class PageCache {
        private static final String DROP = "proc/sys/vm/drop_caches";

        private final ProcFs fs;

        PageCache() {
            this(ProcFs.ofThisMachine());
        }

        PageCache(ProcFs fs) {
            this.fs = fs;
        }

        /**
         * Forgets all files that no process has open, as after a reboot: pages, directory entries and inodes (proc(5)).
         * What stands in front of every command is read again, because it is no part of what is measured.
         *
         * @throws KilnException where this is not permitted
         */
        void drop() {
            Programs.run(List.of("sync"));
            try {
                Files.writeString(fs.path(DROP), "3");
                for (String program : List.of("setsid", "taskset", "setpriv")) {
                    Files.readAllBytes(Path.of(Programs.utilLinux(program)));
                }
            } catch (IOException e) {
                throw new KilnException(
                        Exit.MACHINE,
                        "cannot drop the page cache: /" + DROP + ": " + IoReason.of(e),
                        "run Kiln as root on the machine itself (in a container it needs --privileged), or leave --cold out",
                        e);
            }
        }
    }
}
