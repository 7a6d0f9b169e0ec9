package dev.kiln.plan;

import dev.kiln.model.experiment.ClosingLoad;
import dev.kiln.model.experiment.Experiment;
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
 * A TimeLeft estimates how long an experiment still takes. At first it knows the plan alone. Once a service has started
 * it expects the next ones to take as long to start, and once a run has ended it expects as much of those that follow:
 * of the same variant, or of all where that variant has not run yet. Of a run that goes on it expects the phases that
 * follow, and of a search for the peak one round if the compilers are quiet by then. The first run of a variant may
 * have a closing load, which the others have not. Moments are in nanoseconds, all on one clock.
 */
public final class TimeLeft {
    /** The time covers the end of the target and of its evidence. */
    private static final long AFTER_THE_LOAD = Duration.ofSeconds(3).toNanos();

    /** Between two waves of a warm-up the compilers are quiet for a moment. */
    private static final int QUIET_SECONDS = 10;

    private final Protocol protocol;

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
    private int quietSeconds;
    private boolean oneRound;
    private boolean told;

    private long left;
    private long at;

    /** Makes the estimate of an experiment that has not begun. */
    public TimeLeft(Experiment experiment, Schedule schedule) {
        this.protocol = experiment.protocol();
        for (PlannedRun run : schedule.runs()) {
            waiting.merge(run.variant().name(), 1, Integer::sum);
            if (ClosingLoad.follows(experiment, run)) {
                closings.add(run.variant().name());
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
        quietSeconds = 0;
        oneRound = false;
        told = false;
        set(expected(name) + (ended.isEmpty() ? closing() : 0) + later(), now);
    }

    /** Says that so many seconds of a load passed, and whether the compilers were seen quiet in the last. */
    public void tick(Phase.Load phase, double second, boolean quiet, long now) {
        quietSeconds = quiet ? quietSeconds + 1 : 0;
        if (!loaded) {
            loaded = true;
            firstLoad = now - Math.round(second * 1e9);
            starts.add(firstLoad - began);
        }
        long ofPhase = phase.duration().toNanos() - Math.round(second * 1e9);
        List<Long> own = loads.getOrDefault(variant, List.of());
        oneRound = own.isEmpty()
                && protocol.reference().isPresent()
                && FoundReference.round(phase.name()) == 0
                && quietSeconds >= QUIET_SECONDS;
        long ofRun = own.isEmpty()
                ? ofPhase + after(phase) + AFTER_THE_LOAD + closing()
                : Math.max(ofPhase, mean(own) - (now - firstLoad));
        set(ofRun + later(), now);
    }

    /** Says that nothing more is measured in this run. */
    public void loadEnded(long now) {
        set(AFTER_THE_LOAD + closing() + later(), now);
    }

    /** Returns why less is left than was said before, where it fell at once; once in a run. */
    public Optional<String> news() {
        if (!oneRound || told) {
            return Optional.empty();
        }
        told = true;
        return Optional.of(
                "the compilers are quiet, so the search for the peak is expected to take one round: less time is left");
    }

    /** Returns how long the closing load of this run takes; 0 if it has none. */
    private long closing() {
        return closings.contains(variant) ? ClosingLoad.TAKES.toNanos() : 0;
    }

    /** Returns how long the phases behind this one are likely to take. */
    private long after(Phase.Load phase) {
        boolean quiet = quietSeconds >= QUIET_SECONDS;
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
        return starts.isEmpty() ? phases + Schedule.AROUND_A_RUN.toNanos() : mean(starts) + phases + AFTER_THE_LOAD;
    }

    private static long mean(List<Long> nanos) {
        return Math.round(nanos.stream().mapToLong(Long::longValue).average().orElseThrow());
    }
}
