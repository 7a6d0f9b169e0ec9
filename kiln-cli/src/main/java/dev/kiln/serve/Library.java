package dev.kiln.serve;

import dev.kiln.model.KilnException;
import dev.kiln.report.Listed;
import dev.kiln.report.Listed.StudyKind;
import dev.kiln.report.Listed.StudyState;
import dev.kiln.report.html.HtmlReport;
import dev.kiln.serve.FoundFolders.TopFolders;
import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A Library is the experiments below a folder of results. It reads their summaries and not their evidence, and only
 * again where something has changed. Links are not followed: nothing outside the folder is shown.
 */
public final class Library {
    /** The depth of the search: folders by date or branch, experiments, variants, runs. */
    private static final int DEPTH = 6;

    private static final int EXPERIMENT_DEPTH = 3;

    /** The number of folders below the root that make one page of the list. Reading one costs some milliseconds. */
    static final int PAGE = 100;

    /** The limit of experiments that are kept in memory. */
    private static final int KEPT = 1000;

    private final Path root;
    private final ItemReader reader;
    private final DocumentReader documents;

    /** The least recently used experiment is removed first. */
    private final Map<Path, KnownItem> known = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Path, KnownItem> eldest) {
            return size() > KEPT;
        }
    });

    /** A KnownItem is an experiment with the moment of its last change when it was read. */
    private record KnownItem(Item item, long changed) {}

    /**
     * A Page is a part of the list.
     *
     * @param items the newest first; those without a time last
     * @param number from 1
     */
    record Page(List<Item> items, int number, int pages) {
        Page {
            items = List.copyOf(items);
        }
    }

    /** @param root the folder given to {@code --results}, one that contains such, or one experiment */
    public Library(Path root) {
        this.root = root.toAbsolutePath().normalize();
        this.reader = new ItemReader(this.root);
        this.documents = new DocumentReader(reader);
    }

    Path root() {
        return root;
    }

    /** Returns what is in a folder, by its id; an unknown one is refused. */
    public Item item(String id) {
        return find(id).orElseThrow(
                        () -> KilnException.usage("there is no experiment " + id + " here", "the list is at /"));
    }

    /** Returns the experiment of this id; reads that folder alone. */
    Optional<Item> find(String id) {
        Path folder = root;
        // A browser leaves a dot out of an address.
        for (String name : id.equals(".") || id.isEmpty() ? new String[0] : id.split("/", -1)) {
            if (name.isEmpty() || name.startsWith(".")) {
                return Optional.empty();
            }
            try {
                folder = folder.resolve(name);
            } catch (InvalidPathException e) {
                return Optional.empty();
            }
            if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                return Optional.empty();
            }
        }
        FoundFolders found = found(folder, depth(folder));
        Path wanted = folder;
        return items(found).stream()
                .filter(item -> item.folder().equals(wanted))
                .findFirst()
                .or(() -> root.equals(wanted.getParent())
                                && items(found(wanted, DEPTH - 1)).isEmpty()
                        ? Optional.of(empty(wanted))
                        : Optional.empty());
    }

    /** Returns the depth that an experiment takes, or a search with its experiments. */
    private static int depth(Path folder) {
        return FoundFolders.isThere(folder.resolve(StudyKind.SEARCH.file())) ? EXPERIMENT_DEPTH + 1 : EXPERIMENT_DEPTH;
    }

    /** Returns the experiments in the folder of a search. */
    public List<Item> inside(Item search) {
        return inside(search.folder(), items(found(search.folder(), EXPERIMENT_DEPTH + 1)));
    }

    private static List<Item> inside(Path folder, List<Item> items) {
        return items.stream()
                .filter(item -> folder.equals(item.folder().getParent()))
                .toList();
    }

    /** Tells whether the root is the folder of a search. */
    boolean isSearch() {
        return FoundFolders.isThere(root.resolve(StudyKind.SEARCH.file()));
    }

    /** Returns the experiment as it is now, and reads no other; empty if it is gone. */
    Optional<Item> again(Item item) {
        return Optional.ofNullable(found(item.folder(), EXPERIMENT_DEPTH).runs.get(item.folder()))
                .map(runs -> known(item.folder(), runs).item);
    }

    /** Walks through the folders below, and skips those that cannot be read; the folder itself may be gone. */
    private FoundFolders found(Path from, int depth) {
        FoundFolders found = new FoundFolders(root);
        try {
            Files.walkFileTree(from, EnumSet.noneOf(FileVisitOption.class), depth, found);
        } catch (IOException e) {
            return found;
        }
        return found;
    }

    /** Returns all experiments, read one page at a time: a caller that needs only a few need not keep the others. */
    public Stream<Item> all() {
        List<Path> top = TopFolders.of(root);
        return isOnePage(top)
                ? listed(found(root, DEPTH)).stream()
                : IntStream.rangeClosed(1, pages(top)).boxed().flatMap(number -> part(top, number).stream());
    }

    /** Returns a page of the list; empty beyond the last. Of many folders, the last begun come first. */
    Page page(int number) {
        List<Path> top = TopFolders.of(root);
        if (isOnePage(top)) {
            return new Page(number == 1 ? sorted(listed(found(root, DEPTH))) : List.of(), number, 1);
        }
        return new Page(number < 1 || number > pages(top) ? List.of() : sorted(part(top, number)), number, pages(top));
    }

    /** Tells whether the list is a single page: there are few folders, or the root is itself an experiment. */
    private boolean isOnePage(List<Path> top) {
        return top.size() <= PAGE
                || FoundFolders.isThere(root.resolve(StudyKind.STARTUP.file()))
                || found(top.getFirst(), EXPERIMENT_DEPTH - 1).runs.containsKey(root);
    }

    private static int pages(List<Path> top) {
        return (top.size() + PAGE - 1) / PAGE;
    }

    private List<Item> part(List<Path> top, int number) {
        List<Item> items = new ArrayList<>();
        for (Path folder : top.subList((number - 1) * PAGE, Math.min(top.size(), number * PAGE))) {
            if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                List<Item> inside = items(found(folder, DEPTH - 1));
                items.addAll(inside.isEmpty() ? List.of(empty(folder)) : inside);
            }
        }
        return items;
    }

    private static List<Item> sorted(List<Item> items) {
        return items.stream()
                .sorted(Comparator.comparingLong((Item item) -> -begun(item, items))
                        .thenComparing(item -> item.listed().id()))
                .toList();
    }

    /** Returns when it was begun; of a search when its last experiment was, so that it stands above them. */
    private static long begun(Item item, List<Item> all) {
        long own = item.listed().startedMillis().orElse(Long.MIN_VALUE + 1);
        return item.listed().kind() == StudyKind.SEARCH
                ? inside(item.folder(), all).stream()
                        .flatMapToLong(stage -> stage.listed().startedMillis().stream())
                        .max()
                        .orElse(own)
                : own;
    }

    private List<Item> listed(FoundFolders found) {
        List<Item> items = new ArrayList<>(items(found));
        found.others().forEach(folder -> items.add(empty(folder)));
        return items;
    }

    private List<Item> items(FoundFolders found) {
        List<Item> items = new ArrayList<>();
        found.runs.forEach((folder, runs) -> items.add(known(folder, runs).item));
        found.starts.forEach((folder, changed) ->
                items.add(known(folder, changed, List.of(), () -> documents.startup(folder, changed)).item));
        List<Item> experiments = List.copyOf(items);
        found.searches.stream()
                .filter(folder -> !found.runs.containsKey(folder))
                .forEach(folder -> items.add(
                        readable(folder, List.of(), () -> documents.search(folder, listed(folder, experiments)))));
        return items;
    }

    private static List<Listed> listed(Path folder, List<Item> items) {
        return inside(folder, items).stream().map(Item::listed).toList();
    }

    private Item empty(Path folder) {
        return reader.unreadable(folder, List.of(), "there is no run of Kiln in it, or not yet");
    }

    private KnownItem known(Path folder, Map<Path, Long> runs) {
        long changed = Math.max(
                Math.max(
                        ItemReader.modified(folder.resolve("summary.json")),
                        ItemReader.modified(folder.resolve(HtmlReport.FILE))),
                runs.values().stream().mapToLong(Long::longValue).max().orElse(0));
        return known(folder, changed, List.copyOf(runs.keySet()), () -> reader.experiment(folder, runs));
    }

    /** Returns a known experiment or reads it, without a lock: a slow folder delays nobody who asks for another. */
    private KnownItem known(Path folder, long changed, List<Path> runs, Supplier<Item> read) {
        KnownItem before = known.get(folder);
        if (before != null
                && before.changed == changed
                && before.item.runs().size() == runs.size()
                && !mayGoOn(before.item.listed().state())) {
            return before;
        }
        KnownItem now = new KnownItem(readable(folder, runs, read), changed);
        known.put(folder, now);
        return now;
    }

    /** Tells whether a state can change without a change of what is looked at. One that was silent may write again. */
    private static boolean mayGoOn(StudyState state) {
        return state == StudyState.RUNNING || state == StudyState.BROKEN_OFF;
    }

    /** Returns an experiment; a folder with any damage affects its own row, and not the list. */
    private Item readable(Path folder, List<Path> runs, Supplier<Item> read) {
        try {
            return read.get();
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            return reader.unreadable(folder, runs, "it cannot be read: " + e);
        }
    }

    /** Returns why a folder cannot be served; empty if it can. */
    public static Optional<String> refusal(Path root) {
        if (!Files.isDirectory(root)) {
            return Optional.of("no such folder: " + root);
        }
        return Files.isReadable(root) && Files.isExecutable(root)
                ? Optional.empty()
                : Optional.of("cannot read " + root + ": permission denied");
    }
}
