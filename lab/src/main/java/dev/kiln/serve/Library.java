package dev.kiln.serve;

import dev.kiln.report.Listed.State;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The experiments below a folder of results. Their summaries are read, not their evidence, and again only where something has
 * changed. Links are not followed: nothing outside the folder is shown.
 */
public final class Library {
    /** A folder of results by date or branch holds experiments, those variants, those runs. */
    private static final int DEPTH = 6;

    private static final int EXPERIMENT_DEPTH = 3;

    private final Path root;
    private final ItemReader reader;
    private Map<Path, Known> known = new HashMap<>();

    /** An experiment with the moment of the last change that it was read after. */
    private record Known(Item item, long changed) {}

    /** @param root the folder given to {@code --results}, one that contains such, or one experiment */
    public Library(Path root) {
        this.root = root.toAbsolutePath().normalize();
        this.reader = new ItemReader(this.root);
    }

    Path root() {
        return root;
    }

    Optional<Item> find(String id) {
        return all().stream().filter(item -> item.listed().id().equals(id)).findFirst();
    }

    /** The experiment as it is now, without a look at any other; empty if it is gone. */
    synchronized Optional<Item> again(Item item) {
        return Optional.ofNullable(found(item.folder(), EXPERIMENT_DEPTH).runs.get(item.folder()))
                .map(runs -> known(item.folder(), runs).item);
    }

    /** A visitor passes over what it cannot read; the folder itself may be gone. */
    private Found found(Path from, int depth) {
        Found found = new Found();
        try {
            Files.walkFileTree(from, EnumSet.noneOf(FileVisitOption.class), depth, found);
        } catch (IOException e) {
            return found;
        }
        return found;
    }

    /** All experiments, the newest first; those without a time last. */
    synchronized List<Item> all() {
        Found found = found(root, DEPTH);
        Map<Path, Known> now = new HashMap<>();
        found.runs.forEach((folder, runs) -> now.put(folder, known(folder, runs)));
        found.starts.forEach((folder, changed) -> now.put(
                folder,
                Optional.ofNullable(known.get(folder))
                        .filter(before -> before.changed == changed
                                && before.item.listed().state() != State.RUNNING)
                        .orElseGet(() -> new Known(reader.startup(folder, changed), changed))));
        found.others()
                .forEach(folder -> now.put(
                        folder,
                        new Known(
                                reader.unreadable(folder, List.of(), "there is no run of Kiln in it, or not yet"), 0)));
        known = now;
        return now.values().stream()
                .map(Known::item)
                .sorted(Comparator.comparingLong(
                                (Item item) -> -item.listed().startedMillis().orElse(Long.MIN_VALUE + 1))
                        .thenComparing(item -> item.listed().id()))
                .toList();
    }

    private Known known(Path folder, Map<Path, Long> runs) {
        long changed = Math.max(
                Math.max(
                        ItemReader.modified(folder.resolve("summary.json")),
                        ItemReader.modified(folder.resolve("report.html"))),
                runs.values().stream().mapToLong(Long::longValue).max().orElse(0));
        return Optional.ofNullable(known.get(folder))
                .filter(before -> before.changed == changed
                        && before.item.runs().size() == runs.size()
                        && before.item.listed().state() != State.RUNNING)
                .orElseGet(() -> new Known(reader.experiment(folder, runs), changed));
    }

    /** Folders of runs by their experiment, each with the last change of its {@code run.json}. */
    private final class Found extends SimpleFileVisitor<Path> {
        private final Map<Path, Map<Path, Long>> runs = new LinkedHashMap<>();
        private final Map<Path, Long> starts = new LinkedHashMap<>();
        private final Set<Path> top = new TreeSet<>();

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            Path name = folder.getFileName();
            if (name != null && name.toString().startsWith(".") && !folder.equals(root)) {
                return FileVisitResult.SKIP_SUBTREE;
            }
            if (root.equals(folder.getParent())) {
                top.add(folder);
            }
            Path startup = folder.resolve("startup.json");
            if (Files.isRegularFile(startup, LinkOption.NOFOLLOW_LINKS)) {
                starts.put(folder, ItemReader.modified(startup));
                return FileVisitResult.SKIP_SUBTREE;
            }
            Path info = folder.resolve("run.json");
            Path variant = folder.getParent();
            Path experiment = variant == null ? null : variant.getParent();
            if (!Files.isRegularFile(info, LinkOption.NOFOLLOW_LINKS) || experiment == null) {
                return FileVisitResult.CONTINUE;
            }
            if (experiment.startsWith(root)) {
                runs.computeIfAbsent(experiment, e -> new LinkedHashMap<>()).put(folder, ItemReader.modified(info));
            }
            return FileVisitResult.SKIP_SUBTREE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException why) {
            return FileVisitResult.CONTINUE;
        }

        /** Folders beside the experiments that hold none; parts of an experiment are none of them. */
        List<Path> others() {
            return runs.containsKey(root) || starts.containsKey(root)
                    ? List.of()
                    : top.stream()
                            .filter(folder -> Stream.concat(runs.keySet().stream(), starts.keySet().stream())
                                    .noneMatch(one -> one.startsWith(folder)))
                            .toList();
        }
    }

    /** Why a folder cannot be served; empty if it can. */
    public static Optional<String> refusal(Path root) {
        if (!Files.isDirectory(root)) {
            return Optional.of("no such folder: " + root);
        }
        return Files.isReadable(root) && Files.isExecutable(root)
                ? Optional.empty()
                : Optional.of("cannot read " + root + ": permission denied");
    }
}
