package dev.kiln.plan;

import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.ClosingLoad;
import dev.kiln.model.experiment.Experiment.PlannedRun;
import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.plan.text.DurationText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A TimeLeft estimates how long an experiment still takes. At first it knows the plan alone. Once a service has started it
 * expects the next ones to take as long to start, and once a run has ended it expects as much of those that follow: of the same
 * variant, or of all where that variant has not run yet. Of a run that goes on it expects the phases that follow, and of a
 * search for the peak fewer rounds while the compilers are quiet. The first run of a variant may have a closing load, which the
 * others have not. Moments are in nanoseconds, all on one clock.
 */
public final class TimeLeft {
    /** The time covers the end of the target and of its evidence. */
    private static final long AFTER_THE_LOAD = Duration.ofSeconds(3).toNanos();

    /**
     * The compilers are quiet, or at work again, once they have been so for this many seconds without a break: between two waves of
     * a warm-up they are quiet for a moment, and one method that is compiled late is no wave.
     */
    private static final int SETTLED_SECONDS = 10;

    private final Protocol protocol;
    private final Duration aroundARun;

    /** The variants whose first run is to end with a closing load. */
    private final Set<String> closings = new HashSet<>();

    /** The runs of each variant that have not begun. */
    private final Map<String, Integer> waiting = new HashMap<>();

    /** The runs of each variant that have ended, by how long they took. */
    private final Map<String, List<Long>> ended = new HashMap<>();

    /** The same from their first request on. */
    private final Map<String, List<Long>> loads = new HashMap<>();

    /** The times from the beginning of a run to its first request. */
    private final List<Long> starts = new ArrayList<>();

    private String variant = "";
    private long began;
    private long firstLoad;
    private boolean loaded;
    private int repeats;
    private boolean quiet;
    private int otherSeconds;
    private Optional<String> news = Optional.empty();

    private long left;
    private long at;

    /** Makes the estimate of an experiment that has not begun. */
    public TimeLeft(Experiment experiment, Schedule schedule) {
        this.protocol = experiment.protocol();
        this.aroundARun = Schedule.aroundARun(experiment);
        for (PlannedRun run : schedule.runs()) {
            boolean alone = !experiment.isDuet();
            String name = alone ? run.variant().name() : experiment.duetName();
            if (alone || run.variant().equals(experiment.variants().getFirst())) {
                waiting.merge(name, 1, Integer::sum);
            }
            if (ClosingLoad.follows(experiment, run)) {
                closings.add(name);
            }
        }
        left = schedule.estimate().toNanos();
    }

    /** Says that a run begins, from 1, of {@code total}, which has repeats that nobody planned. */
    public void runStarted(String name, int position, int total, long now) {
        if (!variant.isEmpty()) {
            ended.computeIfAbsent(variant, of -> new ArrayList<>()).add(now - began);
            closings.remove(variant);
        }
        if (loaded) {
            loads.computeIfAbsent(variant, of -> new ArrayList<>()).add(now - firstLoad);
        }
        waiting.computeIfPresent(name, (of, planned) -> Math.max(0, planned - 1));
        repeats = Math.max(
                0,
                total
                        - position
                        - waiting.values().stream().mapToInt(Integer::intValue).sum());
        variant = name;
        began = now;
        loaded = false;
        quiet = false;
        otherSeconds = 0;
        news = Optional.empty();
        set(expected(name) + (ended.isEmpty() ? closing() : 0) + later(), now);
    }

    /**
     * Says that so many seconds of a load have passed.
     *
     * @param idle whether it is seen that the compilers had nothing to do in the last one
     */
    public void tick(Phase.Load phase, double second, boolean idle, long now) {
        boolean turned = turned(idle);
        if (!loaded) {
            loaded = true;
            firstLoad = now - Math.round(second * 1e9);
            starts.add(firstLoad - began);
        }
        long ofPhase = phase.duration().toNanos() - Math.round(second * 1e9);
        List<Long> own = loads.getOrDefault(variant, List.of());
        news = turned && own.isEmpty() && protocol.reference().isPresent()
                ? news(FoundReference.round(phase.name()))
                : Optional.empty();
        long ofRun = own.isEmpty()
                ? ofPhase + after(phase) + AFTER_THE_LOAD + closing()
                : Math.max(ofPhase, mean(own) - (now - firstLoad));
        set(ofRun + later(), now);
    }

    /** Says that nothing more is measured in this run. */
    public void loadEnded(long now) {
        set(AFTER_THE_LOAD + closing() + later(), now);
    }

    /** Tells whether the compilers have become quiet in this second, or no longer are. */
    private boolean turned(boolean idle) {
        otherSeconds = idle == quiet ? 0 : otherSeconds + 1;
        if (otherSeconds < SETTLED_SECONDS) {
            return false;
        }
        quiet = idle;
        otherSeconds = 0;
        return true;
    }

    /** Returns why less or more is left than was said before, where the last second changed it at once. */
    public Optional<String> news() {
        return news;
    }

    private Optional<String> news(int round) {
        int rounds = FoundReference.rounds(round, quiet);
        return rounds == FoundReference.rounds(round, !quiet)
                ? Optional.empty()
                : Optional.of("the compilers " + (quiet ? "are quiet" : "are no longer seen to be quiet")
                        + ", so the search for the peak is likely to take " + rounds + " rounds in all: "
                        + (quiet ? "less" : "more") + " time is left");
    }

    /** Returns how long the closing load of this run takes; 0 if it has none. */
    private long closing() {
        return closings.contains(variant) ? ClosingLoad.TAKES.toNanos() : 0;
    }

    /** Returns how long the phases behind this one are likely to take. */
    private long after(Phase.Load phase) {
        int round = FoundReference.round(phase.name());
        if (round > 0) {
            return FoundReference.likely(round, quiet).toNanos();
        }
        List<String> names = protocol.phases().stream().map(Phase::name).toList();
        long planned = protocol.phases().stream()
                .skip(names.indexOf(phase.name()) + 1L)
                .mapToLong(next -> next.duration().toNanos())
                .sum();
        return planned
                + (protocol.reference().isPresent()
                        ? FoundReference.likely(0, quiet).toNanos()
                        : 0);
    }

    private void set(long nanos, long now) {
        left = nanos;
        at = now;
    }

    /** Returns in words how long it still takes, such as {@code about 5 min left}. */
    public String words(long now) {
        return "about " + brief(now);
    }

    /** Returns the same in fewer words, such as {@code 5 min left}. */
    public String brief(long now) {
        return DurationText.about(left(now)) + " left";
    }

    Duration left(long now) {
        return Duration.ofNanos(Math.max(later(), left - (now - at)));
    }

    /** Returns how long the runs take that have not begun. */
    private long later() {
        long planned = waiting.entrySet().stream()
                .mapToLong(entry -> entry.getValue() * expected(entry.getKey()))
                .sum();
        long others = closings.stream().filter(name -> !name.equals(variant)).count();
        // What is known of a run has its closing load.
        return planned + repeats * ofAll() + (ended.isEmpty() ? others * ClosingLoad.TAKES.toNanos() : 0);
    }

    private long expected(String name) {
        List<Long> own = ended.getOrDefault(name, List.of());
        return own.isEmpty() ? ofAll() : mean(own);
    }

    /** Returns how long a run takes of which nothing else is known. */
    private long ofAll() {
        List<Long> all = ended.values().stream().flatMap(List::stream).toList();
        if (!all.isEmpty()) {
            return mean(all);
        }
        long phases = protocol.duration().toNanos();
        return starts.isEmpty() ? phases + aroundARun.toNanos() : mean(starts) + phases + AFTER_THE_LOAD;
    }

    private static long mean(List<Long> nanos) {
        return Math.round(nanos.stream().mapToLong(Long::longValue).average().orElseThrow());
    }
}
