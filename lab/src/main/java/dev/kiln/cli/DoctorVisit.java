package dev.kiln.cli;

import dev.kiln.doctor.Watch;
import dev.kiln.doctor.WatchSpec;
import dev.kiln.model.LiveProcess;
import dev.kiln.recorder.Pace;
import dev.kiln.report.DoctorSubject;
import dev.kiln.report.json.DoctorJson;
import dev.kiln.report.terminal.DoctorText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Looks at one JVM for a while, and tells what it is. */
final class DoctorVisit {
    private static final Duration TICK = Duration.ofMillis(100);

    private final Console console;
    private final Optional<Path> json;
    private final boolean ask;
    private final Optional<Path> save;

    DoctorVisit(Console console, Optional<Path> json, boolean ask, Optional<Path> save) {
        this.console = console;
        this.json = json;
        this.ask = ask;
        this.save = save;
    }

    int once(LiveProcess process, Duration length) {
        return tell(look(process, length));
    }

    /** Puts out what was found, and returns the exit code that says so. */
    int tell(DoctorSubject subject) {
        Answer.put(
                console,
                json,
                () -> DoctorJson.render(subject),
                () -> DoctorText.render(subject, console.style()) + DoctorText.now(subject, console.style()));
        return DoctorExit.of(subject.diagnosis().state());
    }

    DoctorSubject look(LiveProcess process, Duration length) {
        if (ask) {
            console.err()
                    .println(
                            "kiln: asks the JVM twice for its compile queues (a safepoint of some 0.1 ms, 1 to 2 ms when"
                                    + " starved) and its compiled methods (8 to 36 ms of one of its threads); --no-ask only looks");
            console.err().flush();
        }
        WatchSpec spec = new WatchSpec(Pace.visit(length), ask, length.plusSeconds(10), save, Main.Version.text());
        try (Watch watch = Watch.begin(process, spec)) {
            await(watch, length);
            watch.finish();
            return new DoctorSubject(process, watch.diagnosis(length.toMillis() / 1e3 + 1), watch.notRecorded());
        }
    }

    private static void await(Watch watch, Duration length) {
        long end = System.nanoTime() + length.toNanos();
        while (System.nanoTime() - end < 0 && !watch.hasEnded() && watch.isRecording() && Sleep.of(TICK)) {
            // Until the time is over, the process has died, or what is seen cannot be kept.
        }
    }
}
