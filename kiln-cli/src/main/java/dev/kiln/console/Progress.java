package dev.kiln.console;

import dev.kiln.explain.Forecaster;
import dev.kiln.explain.Forecaster.Forecast;
import dev.kiln.load.LoadSession.Tick;
import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.plan.TimeLeft;
import dev.kiln.recorder.Recording.CompilerLoad;
import dev.kiln.report.terminal.LiveLine;
import dev.kiln.runner.RunControl.RunListener;
import dev.kiln.text.TerminalWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Progress is one live line on the error stream, rewritten on a terminal, every ten seconds for a file. */
public final class Progress implements RunListener {
    /**
     * The escape sequence goes to the beginning of the line. The cursor waits there: a terminal that becomes narrower
     * breaks the line in two, and keeps the cursor at its first character.
     */
    private static final String BACK = TerminalWriter.escape("[G");

    /** The escape sequence clears the line with all that it was broken into: nothing else stands below it. */
    private static final String CLEAR = BACK + TerminalWriter.escape("[J");

    private static final int PLAIN_EVERY_SECONDS = 10;
    private static final int RECENT = 60;

    private final Console console;
    private final Deque<Double> recent = new ArrayDeque<>();
    private String variant = "";
    private String position = "";
    private Forecaster forecaster = new Forecaster();
    private Optional<Phase.Load> firstLoad = Optional.empty();
    private boolean lineOpen;
    private Optional<TimeLeft> timeLeft = Optional.empty();
    private List<String> ahead = List.of();
    private List<String> told = List.of();

    public Progress(Console console) {
        this.console = console;
    }

    /** Has each line say how long all of it still takes. */
    public void expect(TimeLeft left) {
        timeLeft = Optional.of(left);
    }

    @Override
    public void stage(String text) {
        line(text, true);
    }

    /** Keeps lines to print at the beginning of the next run, if there is one; those told before are left out. */
    public void beforeRuns(List<String> lines) {
        ahead = lines.equals(told) ? List.of() : lines;
    }

    @Override
    public void runStarted(String name, int number, int total) {
        ahead.forEach(this::note);
        told = ahead.isEmpty() ? told : ahead;
        ahead = List.of();
        timeLeft.ifPresent(left -> left.runStarted(name, number, total, System.nanoTime()));
        variant = name;
        position = number + "/" + total;
        recent.clear();
        forecaster = new Forecaster();
        firstLoad = Optional.empty();
    }

    @Override
    public void doing(String what) {
        String left =
                timeLeft.map(some -> " (" + some.words(System.nanoTime()) + ")").orElse("");
        line(position + " " + variant + ": " + what + left, true);
    }

    @Override
    public void tick(Phase.Load phase, Tick tick, Optional<CompilerLoad> c2) {
        firstLoad = firstLoad.or(() -> Optional.of(phase));
        recent.addLast(tick.requestsPerSecond());
        if (recent.size() > RECENT) {
            recent.removeFirst();
        }
        long now = System.nanoTime();
        boolean quiet = c2.filter(load -> load.demand() <= CompilerLoad.QUIET).isPresent();
        timeLeft.ifPresent(left -> {
            left.tick(phase, tick.second(), quiet, now);
            left.news().ifPresent(this::note);
        });
        LiveLine.Status status = new LiveLine.Status(
                variant,
                position,
                new LiveLine.Status.LivePhase(
                        FoundReference.shown(phase.name()),
                        tick.second(),
                        phase.duration().toMillis() / 1e3),
                timeLeft.map(left -> new LiveLine.Status.LiveLeft(left.words(now), left.brief(now))),
                tick.requestsPerSecond(),
                tick.p99Nanos() > 0 ? OptionalDouble.of(tick.p99Nanos() / 1e6) : OptionalDouble.empty(),
                new LiveLine.Status.LiveC2(
                        share(c2.map(CompilerLoad::cpuShare)),
                        share(c2.map(CompilerLoad::waitShare)),
                        c2.filter(load -> firstLoad.equals(Optional.of(phase))).flatMap(this::forecast)),
                List.copyOf(recent));
        line(LiveLine.render(status, console.liveStyle()), tick.second() % PLAIN_EVERY_SECONDS == 0);
    }

    /** Returns the forecast of C2's work. C2's second is a little older than the load's, which does not matter. */
    private Optional<String> forecast(CompilerLoad c2) {
        forecaster.second(c2.cpuShare(), c2.waitShare());
        return forecaster.starved()
                ? forecaster.forecast().filter(Forecast::tells).map(Forecast::brief)
                : Optional.empty();
    }

    private static OptionalDouble share(Optional<Double> value) {
        return value.map(OptionalDouble::of).orElseGet(OptionalDouble::empty);
    }

    @Override
    public void loadEnded() {
        timeLeft.ifPresent(left -> left.loadEnded(System.nanoTime()));
    }

    @Override
    public void note(String text) {
        closeLine();
        console.note(text);
    }

    private void line(String text, boolean worthALine) {
        if (console.live()) {
            console.err().print(CLEAR + console.liveStyle().cut(text) + BACK);
            console.err().flush();
            lineOpen = true;
        } else if (worthALine) {
            console.err().println(text);
            console.err().flush();
        }
    }

    /** Clears the live line, so that the next text begins on a line of its own. */
    public void closeLine() {
        if (lineOpen) {
            console.err().print(CLEAR);
            console.err().flush();
            lineOpen = false;
        }
    }
}
