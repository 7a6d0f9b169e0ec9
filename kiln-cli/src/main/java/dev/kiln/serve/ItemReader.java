package dev.kiln.serve;

import dev.kiln.evidence.RunReader;
import dev.kiln.evidence.StudyFile;
import dev.kiln.model.KilnException;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.Machine;
import dev.kiln.model.run.Machine.HostInfo;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Summary;
import dev.kiln.model.run.Summary.OfRun;
import dev.kiln.model.run.Summary.VariantSummary;
import dev.kiln.report.Listed;
import dev.kiln.report.Listed.StudyKind;
import dev.kiln.report.Listed.StudyState;
import dev.kiln.report.html.HtmlReport;
import dev.kiln.text.Show;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** An ItemReader reads one folder for the list of a library. */
final class ItemReader {
    /** The silence after which a run is broken off: a recorder writes every second, but a database may start. */
    private static final long SILENT_MILLIS = 15_000;

    static final long BETWEEN_RUNS_MILLIS = 60_000;

    /** The limit of runs whose description is kept in memory. */
    private static final int KEPT = 5000;

    private final Path root;
    private final Map<Path, ReadInfo> told = new ConcurrentHashMap<>();

    /** A ReadInfo is the description that a run wrote, with the moment of its last change. */
    private record ReadInfo(RunInfo info, long changed) {}

    /** @param root of the library; folders are named from it */
    ItemReader(Path root) {
        this.root = root;
    }

    /** Returns an experiment or a soak, by its summary as far as it has one. */
    Item experiment(Path folder, Map<Path, Long> runs) {
        Optional<Summary> summary;
        String problem = "";
        try {
            summary = StudyFile.SUMMARY.find(folder);
        } catch (KilnException e) {
            summary = Optional.empty();
            problem = String.valueOf(e.getMessage());
        }
        Path newest = runs.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElseThrow();
        // A summary tells of all runs but of one that goes on.
        List<String> unread = new ArrayList<>();
        Map<Path, RunInfo> infos =
                infos(summary.isPresent() ? List.of(newest) : List.copyOf(runs.keySet()), runs, unread);
        problem = unread.isEmpty() ? problem : unread.getLast();
        if (summary.isEmpty() && infos.isEmpty()) {
            return unreadable(folder, List.copyOf(runs.keySet()), problem);
        }
        if (summary.isEmpty()) {
            // Copies of files may all have one time.
            newest = infos.entrySet().stream()
                    .max(Comparator.comparingLong(run -> run.getValue().launchEpochMillis()))
                    .map(Map.Entry::getKey)
                    .orElse(newest);
        }
        StudyState state = state(folder, summary, newest, Optional.ofNullable(infos.get(newest)), runs);
        List<VariantSummary> variants = summary.map(Summary::variants).orElseGet(() -> unjudged(infos.values()));
        long missing = runs.size()
                - variants.stream().mapToLong(one -> one.runs().size()).sum();
        if (problem.isEmpty() && missing > 0 && state == StudyState.FINISHED) {
            problem = Show.plural(missing, "run") + " came after its report; kiln report " + id(folder)
                    + " judges it again";
        }
        Listed listed = listed(
                folder,
                summary,
                infos.values().stream().findFirst(),
                state,
                variants,
                Optional.of(problem).filter(text -> !text.isEmpty()));
        return new Item(folder, listed, summary, List.copyOf(runs.keySet()));
    }

    private Listed listed(
            Path folder,
            Optional<Summary> summary,
            Optional<RunInfo> first,
            StudyState state,
            List<VariantSummary> variants,
            Optional<String> problem) {
        return new Listed(
                id(folder),
                StudyKind.SOAK.is(folder) ? StudyKind.SOAK : StudyKind.EXPERIMENT,
                summary.map(Summary::experiment)
                        .or(() -> first.map(info -> info.which().experiment()))
                        .orElse(id(folder)),
                variants.stream()
                        .flatMap(one -> one.runs().stream())
                        .mapToLong(OfRun::launchEpochMillis)
                        .min(),
                state,
                summary.map(Summary::host)
                        .or(() -> first.map(RunInfo::host).map(ItemReader::host))
                        .orElse(""),
                variants,
                summary.map(Summary::conclusion).orElse(""),
                problem);
    }

    /** Returns the descriptions of these runs; those that cannot be read are left out, with the reasons. */
    private Map<Path, RunInfo> infos(List<Path> some, Map<Path, Long> changed, List<String> unread) {
        Map<Path, RunInfo> infos = new LinkedHashMap<>();
        for (Path run : some) {
            try {
                infos.put(run, info(run, Optional.ofNullable(changed.get(run)).orElse(0L)));
            } catch (KilnException e) {
                unread.add(String.valueOf(e.getMessage()));
            }
        }
        return infos;
    }

    private RunInfo info(Path run, long changed) {
        ReadInfo before = told.get(run);
        if (before != null && before.changed == changed) {
            return before.info;
        }
        RunInfo info = RunReader.info(run);
        if (told.size() > KEPT) {
            told.clear();
        }
        told.put(run, new ReadInfo(info, changed));
        return info;
    }

    static String host(HostInfo host) {
        return host.cpuModel() + ", " + host.cpus() + " CPUs";
    }

    private static List<VariantSummary> unjudged(Iterable<RunInfo> infos) {
        Map<String, List<RunInfo>> byVariant = new LinkedHashMap<>();
        for (RunInfo info : infos) {
            info.which().variants().forEach(name -> byVariant.computeIfAbsent(name, n -> new ArrayList<>()));
            byVariant.computeIfAbsent(info.variant(), n -> new ArrayList<>()).add(info);
        }
        List<VariantSummary> variants = new ArrayList<>();
        byVariant.forEach((name, runs) -> variants.add(new VariantSummary(
                name,
                "",
                runs.stream()
                        .flatMap(info -> info.jvm().stream())
                        .map(Machine.JvmInfo::version)
                        .findFirst(),
                Optional.empty(),
                false,
                Optional.empty(),
                runs.stream()
                        .map(info -> new OfRun(
                                info.run(),
                                info.launchEpochMillis(),
                                0,
                                info.course().outcome() == Outcome.COMPLETED,
                                "",
                                List.of(),
                                Map.of()))
                        .toList())));
        return variants;
    }

    private static StudyState state(
            Path folder, Optional<Summary> summary, Path newest, Optional<RunInfo> last, Map<Path, Long> runs) {
        if (last.isPresent() && last.get().course().outcome() == Outcome.RUNNING) {
            return isWritten(newest) ? StudyState.RUNNING : StudyState.BROKEN_OFF;
        }
        if (summary.isPresent()) {
            return StudyState.FINISHED;
        }
        // A soak has no summary.
        if (StudyKind.SOAK.is(folder) && Files.exists(folder.resolve(HtmlReport.FILE))) {
            return last.filter(info -> info.course().outcome() != Outcome.COMPLETED)
                            .isPresent()
                    ? StudyState.BROKEN_OFF
                    : StudyState.FINISHED;
        }
        long planned = last.map(info -> (long) info.which().variants().size()
                        * info.plan().runs().atLeast())
                .orElse(0L);
        boolean ended = runs.values().stream().noneMatch(changed -> isRecent(changed, BETWEEN_RUNS_MILLIS));
        return runs.size() < planned && !ended ? StudyState.RUNNING : StudyState.UNJUDGED;
    }

    private static boolean isWritten(Path run) {
        try (Stream<Path> files = Files.list(run)) {
            return files.anyMatch(file -> isRecent(modified(file), SILENT_MILLIS));
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Tells whether something was written so many ms ago at most. One that is to be written yet, as a clock leaves it that was
     * put back or is of another machine, says no more than one of long ago.
     */
    static boolean isRecent(long writtenMillis, long within) {
        long now = System.currentTimeMillis();
        return writtenMillis > now - within && writtenMillis < now + within;
    }

    /** Returns a folder that cannot be read, to be listed with the reason. */
    Item unreadable(Path folder, List<Path> runs, String why) {
        return new Item(
                folder,
                new Listed(
                        id(folder),
                        StudyKind.EXPERIMENT,
                        id(folder),
                        OptionalLong.empty(),
                        StudyState.UNREADABLE,
                        "",
                        List.of(),
                        "",
                        Optional.of(why)),
                Optional.empty(),
                runs);
    }

    String id(Path folder) {
        String id = root.relativize(folder).toString().replace('\\', '/');
        return id.isEmpty() ? "." : id;
    }

    static long modified(Path file) {
        try {
            return Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS).toMillis();
        } catch (IOException e) {
            return 0;
        }
    }
}
