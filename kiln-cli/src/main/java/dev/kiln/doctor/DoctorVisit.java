package dev.kiln.doctor;

import dev.kiln.console.Installation;
import dev.kiln.console.NextStep;
import dev.kiln.console.ResultConsole;
import dev.kiln.doctor.LiveDiagnosis.LiveState;
import dev.kiln.doctor.Watch.DoctorSubject;
import dev.kiln.model.LiveProcess;
import dev.kiln.recorder.RecorderSpec.RecorderPace;
import dev.kiln.recorder.Recording.DumpTimes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** A DoctorVisit watches one JVM for a while, and says whether it is warm. */
record DoctorVisit(ResultConsole console, Questions asked, Optional<Path> save) {
    private static final Duration TICK = Duration.ofMillis(100);

    private static final int DUMPS = 3;

    /**
     * Questions are what the JVM is asked during a visit.
     *
     * @param jit its compile queues and compiled methods
     * @param threads what its threads do
     */
    record Questions(boolean jit, boolean threads) {}

    int once(LiveProcess process, Duration length) {
        return tell(look(process, length));
    }

    /** Puts out what was found, and returns the exit code that says so. */
    int tell(DoctorSubject subject) {
        console.print(
                () -> DoctorJson.render(subject),
                () -> DoctorText.render(subject, console.style()) + DoctorText.now(subject, console.style()));
        console.next(next(subject));
        return DoctorExit.of(subject.diagnosis().state());
    }

    private static NextStep next(DoctorSubject subject) {
        long pid = subject.process().pid();
        return switch (subject.diagnosis().state()) {
            case WARMING, STARVED -> new NextStep("kiln doctor " + pid + " --until-warm", "waits until it is warm");
            case WARM, IDLE, UNKNOWN -> NextStep.attach(pid, "URL");
        };
    }

    DoctorSubject look(LiveProcess process, Duration length) {
        if (asked.jit) {
            console.note("kiln: asks the JVM twice for its compile queues (a safepoint of about 0.1 ms, 1 to 2 ms when"
                    + " starved) and its compiled methods (8 to 36 ms of one of its threads)"
                    + (asked.threads
                            ? ", and three times what its threads do (a safepoint of about 0.05 ms a"
                                    + " thread; --no-thread-dumps leaves that out)"
                            : "")
                    + "; --no-ask only watches");
        }
        Watch.Spec spec = new Watch.Spec(
                RecorderPace.visit(length),
                asked.jit,
                asked.threads,
                length.plusSeconds(10),
                save,
                Installation.version());
        try (Watch watch = Watch.begin(process, spec)) {
            watch.dumpThreads(DumpTimes.within(System.nanoTime(), length, DUMPS));
            await(watch, length);
            watch.finish();
            return watch.subject(length.toMillis() / 1e3 + 1);
        }
    }

    private static void await(Watch watch, Duration length) {
        long end = System.nanoTime() + length.toNanos();
        while (System.nanoTime() - end < 0 && !watch.hasEnded() && watch.isRecording() && Sleep.of(TICK)) {
            // Until the time is over, the process has died, or what is seen cannot be kept.
        }
    }

    /** Sleep says false when it was interrupted. */
    static final class Sleep {
        private Sleep() {}

        static boolean of(Duration duration) {
            try {
                Thread.sleep(duration);
                return true;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
    }

    /** A DoctorExit is an exit code of {@code kiln doctor}, which tells a script what was found: docs/reference/exit-codes.md. */
    static final class DoctorExit {
        static final int NOT_WARM = 6;
        static final int STARVED = 7;
        static final int CANNOT_TELL = 8;

        private DoctorExit() {}

        static int of(LiveState state) {
            return switch (state) {
                case WARM -> 0;
                case WARMING -> NOT_WARM;
                case STARVED -> STARVED;
                case IDLE, UNKNOWN -> CANNOT_TELL;
            };
        }
    }
}
