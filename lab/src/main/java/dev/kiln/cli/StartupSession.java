package dev.kiln.cli;

import dev.kiln.evidence.StudyFile;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.StartupSpec;
import dev.kiln.runner.Cancellation;
import dev.kiln.runner.Interrupted;
import dev.kiln.runner.Lab;
import dev.kiln.runner.StartupRunner;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/** A start-up comparison from the first start to the printed result, whatever ends it. */
final class StartupSession {
    /** 128 + SIGINT, as shells have it. */
    private static final int INTERRUPTED = 130;

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

    private final StartupRendering rendering;
    private final Path directory;
    private final Console console;
    private final Progress progress;
    private final Cancellation cancellation = new Cancellation();

    StartupSession(Console console, Outputs outputs, StartupRendering rendering) {
        this.console = console;
        this.rendering = rendering;
        directory = outputs.results()
                .resolve("startup-" + LocalDateTime.now(ZoneId.systemDefault()).format(TIME));
        progress = new Progress(console);
    }

    int run(StartupSpec spec) {
        Thread hook = new Thread(cancellation::cancel, "kiln-interrupt");
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return runToEnd(spec);
        } finally {
            cancellation.finished();
            Hooks.remove(hook);
        }
    }

    private int runToEnd(StartupSpec spec) {
        boolean completed = false;
        boolean interrupted = false;
        try (Lab lab = new Lab(Main.Version.text(), Installation.cache(), spec.cpus(), progress::note)) {
            lab.swept().forEach(progress::note);
            StartupRunner.prepare(directory);
            completed = new StartupRunner(lab, spec, directory, progress, cancellation).run();
        } catch (Interrupted e) {
            interrupted = true;
        } finally {
            progress.closeLine();
        }
        if (interrupted) {
            console.err().println("kiln: interrupted; what was recorded is in " + directory);
        }
        if (StudyFile.STARTUP.exists(directory)) {
            rendering.recorded(directory);
        }
        return interrupted ? INTERRUPTED : completed ? 0 : Exit.PROBLEM.code();
    }
}
