package dev.kiln.host;

import dev.kiln.model.Where.Engine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Clears away what Kilns left that were killed. */
final class Orphans {
    /** Only directories named so are ever deleted, whatever the file says. */
    static final String OURS = "kiln-";

    private final ProcFs fs;

    Orphans(ProcFs fs) {
        this.fs = fs;
    }

    List<String> sweep(Path folder, Optional<Path> own) {
        List<String> done = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> others = files.filter(file -> file.toString().endsWith(OrphanRegistry.SUFFIX))
                    .filter(file -> !own.equals(Optional.of(file)))
                    .sorted()
                    .toList();
            for (Path file : others) {
                sweepOne(file, done);
            }
        } catch (IOException | UncheckedIOException e) {
            done.add("could not look for what an earlier Kiln left in " + folder + ": " + e.getMessage());
        }
        return List.copyOf(done);
    }

    /** The lock keeps other sweepers out, and live owners safe. */
    private void sweepOne(Path file, List<String> done) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            if (lock == null) {
                return;
            }
            String owner = OrphanRegistry.owner(file);
            if (isAlive(owner)) {
                return;
            }
            if (clear(Remains.parse(Files.readAllLines(file)), owner, done)) {
                Files.deleteIfExists(file);
            }
        } catch (OverlappingFileLockException e) {
            // Held within this very process.
            return;
        } catch (NoSuchFileException e) {
            // Another sweeper was quicker, or its owner has just ended.
            return;
        }
    }

    /** Whether nothing is left of them: what is stays in the book, and the next Kiln tries again. */
    private boolean clear(Remains remains, String owner, List<String> done) {
        boolean clear = true;
        if (remains.bootId().equals(OrphanRegistry.bootId(fs))) {
            for (Child child : remains.children().values()) {
                clear &= end(child, owner, done);
            }
        }
        for (Map.Entry<String, Engine> container : remains.containers().entrySet()) {
            clear &= removeContainer(container.getValue(), container.getKey(), done);
        }
        for (Path directory : remains.directories()) {
            clear &= delete(directory, done);
        }
        for (Path cgroup : remains.cgroups()) {
            clear &= deleteCgroup(cgroup, done);
        }
        return clear;
    }

    /** @param owner pid and start time, from the file's name: its lines may not have been written yet */
    private boolean isAlive(String owner) {
        int dash = owner.indexOf('-');
        try {
            long start = Long.parseLong(owner.substring(dash + 1));
            return fs.stat(Long.parseLong(owner.substring(0, Math.max(dash, 0))))
                    .filter(stat -> stat.startTicks() == start && !stat.isDead())
                    .isPresent();
        } catch (NumberFormatException e) {
            return true; // no file of ours: hands off
        }
    }

    private boolean end(Child child, String owner, List<String> done) {
        ProcessTree tree = new ProcessTree(fs, child.pid(), child.startTicks(), owner);
        if (tree.living().isEmpty()) {
            return true;
        }
        tree.kill();
        boolean ended = tree.living().isEmpty();
        done.add((ended ? "ended the " : "could not end the ") + child.what() + " (pid " + child.pid()
                + ") that a killed Kiln had left running");
        return ended;
    }

    private static boolean removeContainer(Engine engine, String name, List<String> done) {
        if (!name.startsWith(OURS)) {
            return true; // no container of ours: hands off
        }
        boolean seen = Containers.exists(engine, name);
        Optional<String> why = Containers.remove(engine, name);
        if (why.isPresent()) {
            done.add("could not remove the container " + name + " that a killed Kiln had left: " + why.get()
                    + "; the next Kiln tries again, or by hand: "
                    + String.join(" ", ContainerCommands.remove(engine, name)));
        } else if (seen) {
            done.add("removed the container " + name + " that a killed Kiln had left");
        }
        return why.isEmpty();
    }

    /** Whether it is gone, or none of ours. */
    static boolean delete(Path directory, List<String> done) {
        boolean ours = String.valueOf(directory.getFileName()).startsWith(OURS)
                && Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS);
        if (!ours) {
            return true;
        }
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
            done.add("deleted " + directory + " that a killed Kiln had left");
            return true;
        } catch (IOException | UncheckedIOException e) {
            done.add("could not delete " + directory + " that a killed Kiln had left: " + e.getMessage());
            return false;
        }
    }

    private static boolean deleteCgroup(Path cgroup, List<String> done) {
        try {
            if (LimitedCgroup.delete(cgroup)) {
                done.add("removed the cgroup " + cgroup + " that a killed Kiln had left");
            }
            return true;
        } catch (IOException e) {
            done.add("could not remove the cgroup " + cgroup + ": " + e.getMessage());
            return false;
        }
    }

    /** A process that the dead Kiln had started. */
    record Child(int pid, long startTicks, String what) {}

    /** What a Kiln's file says; lines that cannot be understood are left aside. */
    record Remains(
            String bootId,
            Map<Integer, Child> children,
            List<Path> directories,
            List<Path> cgroups,
            Map<String, Engine> containers) {
        static Remains parse(List<String> lines) {
            String bootId = "";
            Map<Integer, Child> children = new LinkedHashMap<>();
            List<Path> directories = new ArrayList<>();
            List<Path> cgroups = new ArrayList<>();
            Map<String, Engine> containers = new LinkedHashMap<>();
            for (String line : lines) {
                String[] words = line.split(" ", 4);
                try {
                    switch (words[0]) {
                        case "boot" -> bootId = words[1];
                        case "child" ->
                            children.put(
                                    Integer.parseInt(words[1]),
                                    new Child(Integer.parseInt(words[1]), Long.parseLong(words[2]), words[3]));
                        case "ended" -> children.remove(Integer.parseInt(words[1]));
                        case "directory" -> directories.add(rest(line));
                        case "cgroup" -> cgroups.add(rest(line));
                        case "container" -> containers.put(words[2], Engine.of(words[1]));
                        case "gone" -> containers.remove(words[1]);
                        case "removed" -> {
                            directories.remove(rest(line));
                            cgroups.remove(rest(line));
                        }
                        default -> {}
                    }
                } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException e) {
                    // A line that was cut, or of a later version.
                }
            }
            return new Remains(bootId, children, directories, cgroups, containers);
        }

        private static Path rest(String line) {
            return Path.of(line.substring(line.indexOf(' ') + 1));
        }
    }
}
