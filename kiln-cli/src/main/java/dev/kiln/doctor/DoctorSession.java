package dev.kiln.doctor;

import static dev.kiln.text.TerminalWriter.escape;

import dev.kiln.console.Installation;
import dev.kiln.console.ResultConsole;
import dev.kiln.console.ShutdownHook;
import dev.kiln.doctor.DoctorFeed.Ways;
import dev.kiln.doctor.DoctorVisit.DoctorExit;
import dev.kiln.doctor.DoctorVisit.Sleep;
import dev.kiln.doctor.LiveDiagnosis.LiveState;
import dev.kiln.doctor.Watch.DoctorSubject;
import dev.kiln.doctor.Watch.Pulse;
import dev.kiln.model.LiveProcess;
import dev.kiln.recorder.RecorderSpec.RecorderPace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** A DoctorSession watches one JVM until it is warm, its time is over, or it has died. */
final class DoctorSession {
    /** Judged at a time; long enough for the queue to be asked once within. */
    private static final int WINDOW_SECONDS = 10;

    /** Judging costs more than looking. */
    private static final int JUDGE_EVERY_SECONDS = 4;

    private static final int SHOW_EVERY_SECONDS = 2;
    private static final int PLAIN_EVERY_SECONDS = 10;

    private final ResultConsole console;
    private final DoctorOptions options;
    private final Optional<DoctorSubject> before;
    private final DoctorScreen.LastMinute history = new DoctorScreen.LastMinute();
    private volatile Optional<DoctorSubject> last = Optional.empty();
    private Optional<LiveState> told = Optional.empty();
    private volatile Readiness readiness = Readiness.NOT_YET;

    /**
     * @param untilWarm whether it ends when the JVM is warm
     * @param screen whether it shows a live screen
     * @param length after which it ends; empty for never
     * @param feed where its metrics go meanwhile
     */
    record DoctorOptions(
            boolean ask,
            boolean untilWarm,
            boolean screen,
            Optional<Duration> length,
            Ways feed,
            Optional<Path> save) {}

    /** @param before what it was before a remedy */
    DoctorSession(ResultConsole console, DoctorOptions options, Optional<DoctorSubject> before) {
        this.console = console;
        this.options = options;
        this.before = before;
    }

    @SuppressWarnings("try") // the hook and the feed are only held
    int run(LiveProcess process) {
        Watch.Spec spec = new Watch.Spec(
                RecorderPace.WATCH,
                options.ask(),
                false,
                Duration.ofSeconds(WINDOW_SECONDS + 2),
                options.save(),
                Installation.version());
        try (Watch watch = Watch.begin(process, spec)) {
            try (ShutdownHook hook = ShutdownHook.of("kiln-watch-end", () -> {
                        watch.finish();
                        showCursor();
                    });
                    DoctorFeed feed =
                            DoctorFeed.start(options.feed(), this::metrics, () -> readiness.ready(), console.err())) {
                watch(watch);
                watch.finish();
                judge(watch);
            } finally {
                showCursor();
            }
        }
        return end();
    }

    private void watch(Watch watch) {
        long begin = System.nanoTime();
        for (int second = 1; ; second++) {
            long due = begin + second * 1_000_000_000L;
            boolean interrupted = !Sleep.of(Duration.ofNanos(Math.max(0, due - System.nanoTime())));
            if (interrupted || watch.hasEnded() || !watch.isRecording()) {
                return;
            }
            pulse(watch.pulse());
            if (second == SHOW_EVERY_SECONDS || second % JUDGE_EVERY_SECONDS == 0) {
                judge(watch);
            }
            if (second % SHOW_EVERY_SECONDS == 0) {
                show(second);
            }
            boolean over = options.length().isPresent()
                    && second >= options.length().get().toSeconds();
            if (over || (options.untilWarm() && isWarm())) {
                return;
            }
        }
    }

    private void judge(Watch watch) {
        LiveDiagnosis diagnosis = watch.diagnosis(WINDOW_SECONDS);
        last = Optional.of(new DoctorSubject(
                watch.process().now(watch.ageSeconds(), watch.process().threads()), diagnosis, watch.notRecorded()));
        readiness = readiness.after(diagnosis.state(), isWhole(diagnosis));
    }

    private void pulse(Pulse pulse) {
        history.add(pulse.cpu(), pulse.c2Cpu(), pulse.c2Wait(), real(pulse.c2Queue()), real(pulse.level4()));
    }

    private static OptionalDouble real(OptionalInt value) {
        return value.isPresent() ? OptionalDouble.of(value.getAsInt()) : OptionalDouble.empty();
    }

    /** Lines are overwritten in place and cut off behind their end: nothing flickers. */
    private void show(int second) {
        DoctorSubject subject = last.orElseThrow();
        if (options.screen() && console.live()) {
            StringBuilder text = new StringBuilder(
                    second <= SHOW_EVERY_SECONDS ? escape("[2J") + escape("[?25l") + escape("[H") : escape("[H"));
            for (String line : DoctorScreen.lines(subject, history, console.liveStyle())) {
                text.append(line).append(escape("[K")).append('\n');
            }
            console.err().print(text.append(escape("[J")));
            console.err().flush();
            return;
        }
        boolean changed = !told.equals(Optional.of(subject.diagnosis().state()));
        if ((options.screen() && second % PLAIN_EVERY_SECONDS == 0) || (changed && second >= WINDOW_SECONDS)) {
            told = Optional.of(subject.diagnosis().state());
            console.err().println(DoctorScreen.line(subject));
            console.err().flush();
        }
    }

    private void showCursor() {
        if (options.screen() && console.live()) {
            console.err().print(escape("[?25h"));
            console.err().flush();
        }
    }

    private DoctorMetrics metrics() {
        return last.map(DoctorMetrics::of).orElseGet(DoctorMetrics::none);
    }

    private boolean isWarm() {
        return last.map(DoctorSubject::diagnosis)
                .filter(diagnosis -> diagnosis.state() == LiveState.WARM)
                .filter(DoctorSession::isWhole)
                .isPresent();
    }

    private static boolean isWhole(LiveDiagnosis diagnosis) {
        return diagnosis.figures().seconds() >= WINDOW_SECONDS - 1;
    }

    private int end() {
        DoctorSubject subject = last.orElseThrow();
        console.print(
                () -> before.map(earlier -> DoctorJson.render(subject, earlier))
                        .orElseGet(() -> DoctorJson.render(subject)),
                () -> before.map(earlier -> "before: " + DoctorScreen.line(earlier) + "\nafter:  "
                                        + DoctorScreen.line(subject) + "\n\n")
                                .orElse("")
                        + DoctorText.render(subject, console.style()));
        return DoctorExit.of(subject.diagnosis().state());
    }

    /**
     * A Readiness is what a readiness probe is told of a JVM: whether traffic may come. Each judgement changes it or
     * leaves it as it was.
     *
     * @param ready nothing is, before it was seen warm
     */
    record Readiness(boolean ready) {
        static final Readiness NOT_YET = new Readiness(false);

        /** Returns it after one more judgement; one that is not of a whole window proves nothing good. */
        Readiness after(LiveState state, boolean whole) {
            return switch (state) {
                // A warm JVM that nobody asks for anything is still warm.
                case IDLE, UNKNOWN -> this;
                case WARM -> new Readiness(ready || whole);
                case WARMING, STARVED -> NOT_YET;
            };
        }
    }
}
