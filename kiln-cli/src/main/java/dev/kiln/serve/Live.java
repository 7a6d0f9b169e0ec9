package dev.kiln.serve;

import dev.kiln.evidence.RunReader;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.KilnException;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.RunInfo;
import dev.kiln.report.JsonOut;
import dev.kiln.report.Listed.StudyState;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A Live is an experiment while it is recorded, as events that all viewers share: a late viewer gets all from the
 * first. Its files are read once a second while somebody watches, and the run is not affected.
 */
final class Live {
    private static final long EVERY_MILLIS = 1000;
    private static final long LOOK_MILLIS = 50;
    private static final int IDLE_LOOKS = 60;

    /** A comment is sent after this time, so that a lost connection is noticed. */
    private static final long BEAT_MILLIS = 15_000;

    /** The folder is searched for the next run once in so many seconds while a run goes on. */
    private static final int WALK_EVERY = 5;

    private final Library library;
    private final Item item;
    private final Function<Item, ExperimentResult> judge;
    private final List<String> events = new ArrayList<>();
    private final Map<Path, Followed> runs = new LinkedHashMap<>();
    private int viewers;
    private boolean following;
    private boolean over;
    private StudyState state = StudyState.RUNNING;
    private int looks;

    /** A Followed is a run, and how much of it was sent. */
    private static final class Followed {
        private final Path folder;
        private final LiveRun live;
        private Optional<RunInfo> info = Optional.empty();
        private long changed = -1;
        private int phases;
        private boolean ended;

        Followed(Path folder, LiveRun live) {
            this.folder = folder;
            this.live = live;
        }

        /** Returns the description of the run, read again when it was written again: a few times in a run. */
        Optional<RunInfo> info() {
            long now = ItemReader.modified(folder.resolve("run.json"));
            if (now != changed) {
                Optional<RunInfo> read = Live.info(folder);
                changed = read.isPresent() ? now : -1;
                info = read.or(() -> info);
            }
            return info;
        }
    }

    /** @param judge of the experiment once it is finished */
    Live(Library library, Item item, Function<Item, ExperimentResult> judge) {
        this.library = library;
        this.item = item;
        this.judge = judge;
    }

    /** Writes all events from that number on, until the viewer leaves or the experiment is over. */
    void write(OutputStream out, int from) throws IOException {
        watch(1);
        try {
            out.write("retry: 1000\n\n".getBytes(StandardCharsets.UTF_8));
            out.flush();
            long until = System.nanoTime() + WebServer.LONGEST_STREAM_SECONDS * 1_000_000_000L;
            int next = Math.max(0, from);
            while (System.nanoTime() < until) {
                List<String> more = after(next);
                StringBuilder text = new StringBuilder();
                for (String event : more) {
                    text.append("id: ").append(++next).append('\n').append(event);
                }
                out.write((more.isEmpty() ? ":\n\n" : text.toString()).getBytes(StandardCharsets.UTF_8));
                out.flush();
                if (more.isEmpty() && isOver()) {
                    return;
                }
            }
        } finally {
            watch(-1);
        }
    }

    /** Waits until each viewer has the last event, or until that moment of {@link System#nanoTime}. */
    synchronized void awaitViewers(long until) throws InterruptedException {
        while (viewers > 0 && System.nanoTime() - until < 0) {
            wait(LOOK_MILLIS);
        }
    }

    private synchronized void watch(int one) {
        viewers += one;
        if (viewers > 0 && !following && !over) {
            following = true;
            Thread.ofVirtual().name("kiln-live").start(this::follow);
        }
    }

    synchronized boolean isWatched() {
        return viewers > 0;
    }

    /** Tells whether its last event was sent. */
    synchronized boolean isOver() {
        return over;
    }

    /** Waits for events after that number; returns none if there are none for a while. */
    private synchronized List<String> after(int number) {
        // Not by the wall clock, which may be put back meanwhile.
        long until = System.nanoTime() + BEAT_MILLIS * 1_000_000;
        try {
            for (long left = BEAT_MILLIS;
                    events.size() <= number && !over && left > 0;
                    left = (until - System.nanoTime()) / 1_000_000) {
                wait(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            over = true;
        }
        return events.size() <= number ? List.of() : List.copyOf(events.subList(number, events.size()));
    }

    private void follow() {
        int idle = 0;
        looks = 0;
        try {
            while (idle < IDLE_LOOKS && look()) {
                Thread.sleep(EVERY_MILLIS);
                synchronized (this) {
                    idle = viewers > 0 ? 0 : idle + 1;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            end(StudyState.UNREADABLE.text());
        } finally {
            synchronized (this) {
                following = false;
                notifyAll();
            }
        }
    }

    /** Adds events for what is new; returns whether more is to come. */
    private boolean look() {
        if (looks++ % WALK_EVERY == 0 || runs.values().stream().allMatch(run -> run.ended)) {
            Optional<Item> now = library.again(item);
            if (now.isEmpty()) {
                // Before its first run there is a folder and nothing in it.
                boolean there = runs.isEmpty() && Files.isDirectory(item.folder());
                if (!there) {
                    end("gone");
                }
                return there;
            }
            found(now.get());
        }
        boolean all = true;
        for (Map.Entry<Path, Followed> run : runs.entrySet()) {
            all &= run.getValue().ended || tell(run.getKey(), run.getValue());
        }
        if (all && state != StudyState.RUNNING) {
            library.again(item).filter(now -> state == StudyState.FINISHED).ifPresent(this::times);
            end(state.text());
            return false;
        }
        return true;
    }

    private void found(Item now) {
        state = now.listed().state();
        record New(Path folder, RunInfo info) {}
        now.runs().stream()
                .filter(run -> !runs.containsKey(run))
                .flatMap(run -> info(run).map(info -> new New(run, info)).stream())
                .sorted(Comparator.comparingLong(run -> run.info().launchEpochMillis()))
                .forEach(run -> begin(run.folder(), run.info()));
    }

    /** Adds a run and its place among the others; the plan is sent with the first run. */
    private void begin(Path folder, RunInfo info) {
        if (runs.isEmpty()) {
            event("plan", out -> LiveRun.plan(info, out));
        }
        int number = runs.size();
        runs.put(
                folder,
                new Followed(
                        folder,
                        new LiveRun(
                                folder,
                                info.protocol(),
                                info.attached().isEmpty(),
                                (name, fields) -> event(name, out -> {
                                    out.integer("n", number);
                                    fields.accept(out);
                                }))));
        event("run", out -> {
            out.integer("n", number);
            out.text("variant", info.variant());
            out.integer("run", info.run());
        });
    }

    /** Adds events of a run; returns whether the run is over and complete. */
    private boolean tell(Path folder, Followed run) {
        int number = List.copyOf(runs.keySet()).indexOf(folder);
        Optional<RunInfo> info = run.info();
        info.ifPresent(now -> phases(number, run, now.phases()));
        boolean more = false;
        while (run.live.look()) {
            more = true;
        }
        boolean ended = !more
                && info.filter(now -> now.course().outcome() != Outcome.RUNNING).isPresent();
        if (ended || (!more && state == StudyState.BROKEN_OFF)) {
            run.ended = true;
            run.live.end();
            event("ended", out -> {
                out.integer("n", number);
                out.text(
                        "outcome", ended ? info.orElseThrow().course().outcome().name() : StudyState.BROKEN_OFF.text());
                out.text("why", info.flatMap(now -> now.course().outcomeDetail()));
            });
        }
        return run.ended;
    }

    /** Returns the description of a run; empty for a damaged one, which the list mentions. */
    private static Optional<RunInfo> info(Path folder) {
        try {
            return Optional.of(RunReader.info(folder));
        } catch (KilnException e) {
            return Optional.empty();
        }
    }

    private void phases(int number, Followed run, List<PhaseTime> phases) {
        for (PhaseTime phase : phases.stream()
                .sorted(Comparator.comparingLong(PhaseTime::startNanos))
                .skip(run.phases)
                .toList()) {
            run.phases++;
            event("phase", out -> {
                out.integer("n", number);
                out.text("name", phase.name());
                out.flag("load", phase.load());
                out.number("s", phase.startNanos() / 1e9, 3);
            });
        }
    }

    /** Adds the times that the report has. Where it cannot be made anew, those of the runs alone stay. */
    private void times(Item now) {
        try {
            List<Optional<RunInfo>> all =
                    runs.values().stream().map(Followed::info).toList();
            FinalTime.all(judge.apply(now), all).forEach(time -> event("reported", time::fields));
        } catch (RuntimeException e) {
            // The page ends with what it has, and it has to end: a folder may go while it is read.
        }
    }

    private synchronized void end(String how) {
        event("over", out -> out.text("state", how));
        over = true;
        notifyAll();
    }

    private synchronized void event(String name, Consumer<JsonOut> fields) {
        StringWriter data = new StringWriter();
        try (JsonOut out = JsonOut.compact(data)) {
            out.object(() -> fields.accept(out));
        }
        events.add("event: " + name + "\ndata: " + data + "\n\n");
        notifyAll();
    }
}
