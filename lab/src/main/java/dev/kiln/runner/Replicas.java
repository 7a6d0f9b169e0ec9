package dev.kiln.runner;

import dev.kiln.evidence.ReplicaFiles;
import dev.kiln.evidence.RunWriter;
import dev.kiln.host.process.TargetProcess;
import dev.kiln.launch.CpuBoost;
import dev.kiln.model.KilnException;
import dev.kiln.model.Secrets;
import dev.kiln.model.run.Attached;
import dev.kiln.model.run.Attached.Restarted;
import dev.kiln.model.run.Machine;
import dev.kiln.model.run.Machine.JvmInfo;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.recorder.Recording;
import dev.kiln.recorder.Recording.CompilerLoad;
import dev.kiln.recorder.Recording.DumpTimes;
import dev.kiln.remote.RemoteTarget;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Replicas are the processes of a service that serve behind one address, as one target. It lives as long as all of them do. The
 * first is recorded into the folder of the run, and each further one in the same way into a folder in it.
 */
final class Replicas implements Place.PlacedTarget {
    /** A note says how far apart the starts were only if they were further apart than this. */
    private static final double TOGETHER_SECONDS = 1;

    private final List<PlacedElsewhere> all;

    /** What came of the recordings, in the order of the processes; none before their end. */
    private List<Recording.RecordingResult> results = List.of();

    private Replicas(List<PlacedElsewhere> all) {
        this.all = List.copyOf(all);
    }

    /** Returns the target that some processes are together. */
    static Place.PlacedTarget of(List<PlacedElsewhere> processes) {
        return processes.size() == 1 ? processes.getFirst() : new Replicas(processes);
    }

    /**
     * Folders are where the processes of a run are recorded, by their numbers from 1.
     *
     * @param first writes the run
     * @param log of the first one
     */
    record Folders(RunWriter first, Path log, Secrets secrets, Map<Integer, RunWriter> made) {
        RunWriter writer(int number) {
            return number == 1
                    ? first
                    : made.computeIfAbsent(
                            number, n -> new RunWriter(ReplicaFiles.folder(first.directory(), n), secrets));
        }

        Path log(int number) {
            return number == 1 ? log : writer(number).directory().resolve(String.valueOf(log.getFileName()));
        }
    }

    private PlacedElsewhere first() {
        return all.getFirst();
    }

    private List<PlacedElsewhere> further() {
        return all.subList(1, all.size());
    }

    private List<RemoteTarget> targets() {
        return all.stream().map(PlacedElsewhere::target).toList();
    }

    @Override
    public TargetProcess process() {
        return new Processes(targets());
    }

    @Override
    public Optional<Attached> attached() {
        return first().attached();
    }

    @Override
    public Optional<Restarted> restarted() {
        return first().restarted();
    }

    @Override
    public Optional<CpuBoost> boost() {
        return first().boost();
    }

    @Override
    public int replicas() {
        return all.size();
    }

    @Override
    public OptionalLong pid(Set<Integer> ports) {
        return OptionalLong.empty();
    }

    @Override
    public Place.LaunchFacts facts() {
        Place.LaunchFacts own = first().facts();
        String names = targets().stream().map(target -> target.remote().name()).collect(Collectors.joining(", "));
        String where = first().target().remote().name();
        List<String> notes = new ArrayList<>(own.notes());
        notes.add(all.size() + " replicas served behind the address: " + names
                + ". Throughput, response times, errors and the peak are those of all of them; curves and figures of compilers,"
                + " threads and memory are those of " + where);
        if (first().restart().isPresent()) {
            apart(targets().stream().map(RemoteTarget::launchNanos).toList(), where)
                    .ifPresent(notes::add);
        }
        List<NotRecorded> missing = new ArrayList<>(own.missing());
        String why = "the load generator cannot tell which replica answered";
        missing.add(new NotRecorded(
                "the time to its peak of each replica",
                why + "; to see it, send the load to one of them alone, by an address of its own"));
        missing.add(new NotRecorded("where the time of a request went", why));
        return new Place.LaunchFacts(
                own.environment(), own.modifiers(), own.cpus(), own.host(), own.remote(), notes, missing);
    }

    /**
     * Says that replicas did not start together.
     *
     * @param launches of them on one clock, that of the first one first
     * @param where the first one ran
     */
    static Optional<String> apart(List<Long> launches, String where) {
        double seconds = (Collections.max(launches) - Collections.min(launches)) / 1e9;
        return seconds <= TOGETHER_SECONDS
                ? Optional.empty()
                : Optional.of(String.format(
                        Locale.ROOT,
                        "the replicas started within %.1f s; the times of the run, such as that to the peak, count from the start of %s",
                        seconds,
                        where));
    }

    @Override
    public Recording record(Map<String, Long> parts, Set<Integer> ports) {
        Recording recording = first().record(parts, ports);
        further().forEach(one -> one.target().record());
        return new Recordings(recording);
    }

    @Override
    public synchronized void alsoWrite(RunInfo run) {
        for (int i = 1; i < all.size(); i++) {
            PlacedElsewhere one = all.get(i);
            Optional<Recording.RecordingResult> result =
                    results.isEmpty() ? Optional.empty() : Optional.of(results.get(i));
            Place.LaunchFacts facts = one.facts();
            one.writer()
                    .writeReplica(new RunInfo(
                            run.kilnVersion(),
                            run.which(),
                            new RunInfo.Launch(
                                    one.target().launchNanos(),
                                    one.target().launchEpochMillis(),
                                    one.target().command(),
                                    facts.environment(),
                                    run.treatment(),
                                    Optional.empty(),
                                    Optional.empty(),
                                    one.attached(),
                                    one.restarted(),
                                    1),
                            new Machine(one.target().jvm(), facts.host(), facts.cpus(), facts.remote()),
                            run.plan(),
                            run.course(),
                            new RunInfo.Limits(
                                    result.map(Recording.RecordingResult::notRecorded)
                                            .orElse(List.of()),
                                    Stream.concat(
                                                    facts.notes().stream(),
                                                    result.stream().flatMap(end -> end.notes().stream()))
                                            .toList(),
                                    Optional.empty())));
        }
    }

    @Override
    public void stop(Duration grace) {
        further().forEach(one -> one.target().stop(grace));
        first().stop(grace);
        further().forEach(one -> one.writer().close());
    }

    /**
     * Returns the load of the compilers that asked for most, with the longest queue of any process; empty where one of them was not
     * seen. The queue is empty where one of them was not told.
     */
    static Optional<CompilerLoad> busiest(List<Optional<CompilerLoad>> each) {
        List<CompilerLoad> seen = each.stream().flatMap(Optional::stream).toList();
        if (seen.size() < each.size()) {
            return Optional.empty();
        }
        boolean told = seen.stream().allMatch(load -> load.c2Queue().isPresent());
        OptionalInt queue =
                told ? seen.stream().mapToInt(load -> load.c2Queue().getAsInt()).max() : OptionalInt.empty();
        return seen.stream()
                .max(Comparator.comparingDouble(CompilerLoad::demand))
                .map(load -> load.withQueue(queue));
    }

    private synchronized void ended(List<Recording.RecordingResult> each) {
        results = each;
    }

    /** Recordings are those of the replicas. The result is the first one's: the others have theirs in their own folders. */
    private final class Recordings implements Recording {
        private final Recording own;

        Recordings(Recording own) {
            this.own = own;
        }

        @Override
        public Optional<JvmInfo> jvm() {
            return own.jvm();
        }

        @Override
        public int processes() {
            return all.size();
        }

        @Override
        public Optional<CompilerLoad> c2LastSecond() {
            return busiest(targets().stream().map(RemoteTarget::c2LastSecond).toList());
        }

        @Override
        public void dumpThreads(DumpTimes times) {
            targets().forEach(target -> target.dumpThreads(times));
        }

        @Override
        public RecordingResult stop() {
            RecordingResult result = own.stop();
            List<RecordingResult> each = new ArrayList<>(List.of(result));
            further().forEach(one -> each.add(one.target().stop()));
            ended(each);
            Optional<KilnException> failure =
                    each.stream().flatMap(end -> end.failure().stream()).findFirst();
            return new RecordingResult(result.notRecorded(), result.notes(), result.jvm(), result.cpuNanos(), failure);
        }

        @Override
        public void close() {
            stop();
        }
    }
}
