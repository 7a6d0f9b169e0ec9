package dev.kiln.host.process;

import dev.kiln.files.InputFile;
import dev.kiln.host.proc.Cgroups;
import dev.kiln.host.proc.HostFacts;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.ProcStat;
import dev.kiln.model.experiment.Where.ContainerEngine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Orphans are what killed Kilns left behind; this removes them. */
final class Orphans {
    /** A process that is being killed may finish a file meanwhile, which its leader's state does not show. */
    private static final int TRIES = 20;

    private static final long POLL_NANOS = 20_000_000;

    /** A command that undoes something has this long: somebody waits for the next Kiln to begin. */
    static final Duration OWED_LIMIT = Duration.ofMinutes(2);

    private final ProcFs fs;
    private final ContainerRemover containers;
    private final Duration owedLimit;
    private final Consumer<String> now;

    /** Makes a sweep with a limit for each owed command; now takes what may take long, before it is done. */
    Orphans(ProcFs fs, ContainerRemover containers, Duration owedLimit, Consumer<String> now) {
        this.fs = fs;
        this.containers = containers;
        this.owedLimit = owedLimit;
        this.now = now;
    }

    List<String> sweep(Path folder, Optional<Path> own) {
        List<String> done = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> dead = files.filter(file -> file.toString().endsWith(OrphanBook.SUFFIX))
                    .filter(file -> !own.equals(Optional.of(file)))
                    .filter(file -> !isAlive(OrphanBook.owner(file)))
                    .sorted()
                    .toList();
            Optional<String> others = dead.isEmpty() ? Optional.empty() : InputFile.othersCanWrite(folder);
            if (others.isPresent()) {
                return List.of("others can write the folder " + folder + " (" + others.get()
                        + "), so Kiln did nothing of"
                        + " what killed Kilns noted there. Look through its " + OrphanBook.SUFFIX + " files, do by hand"
                        + " what is right of them, and delete them; then chmod go-w " + folder
                        + ", or set XDG_STATE_HOME to a folder that only you can write");
            }
            for (Path file : dead) {
                sweepOne(file, done);
            }
        } catch (IOException | UncheckedIOException e) {
            done.add("could not look for what an earlier Kiln left in " + folder + ": " + e.getMessage());
        }
        return List.copyOf(done);
    }

    /**
     * Does what a dead Kiln noted, unless others may have written it: then nothing of it, because its commands are run,
     * and its folders deleted, with this user's rights. The lock keeps other sweepers out.
     */
    private void sweepOne(Path file, List<String> done) {
        try (FileChannel channel = FileChannel.open(
                        file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
                FileLock lock = channel.tryLock()) {
            if (lock == null) {
                return;
            }
            OrphanBook remains = OrphanBook.parse(text(channel, file).lines().toList());
            Optional<String> others = InputFile.othersCanWrite(file);
            if (others.isPresent()) {
                done.add(refused(file, others.get(), remains));
                return;
            }
            boolean clear = endAll(remains, OrphanBook.owner(file), done);
            // What still ran would undo it again.
            clear &= new Debts(fs, owedLimit, now).pay(remains, file, channel, done);
            clear &= removeAll(remains, done);
            if (clear) {
                Files.deleteIfExists(file);
            }
        } catch (OverlappingFileLockException e) {
            // Held within this very process.
            return;
        } catch (NoSuchFileException e) {
            // Another sweeper was quicker, or its owner has just ended.
            return;
        } catch (IOException e) {
            done.add("could not look at what a killed Kiln left in " + file + ": " + e.getMessage());
        }
    }

    /** Returns what an open file holds. Who opened it again, and closed it, would give the lock up (fcntl(2)). */
    private static String text(FileChannel channel, Path file) throws IOException {
        return new String(
                InputFile.limited(file, Channels.newInputStream(channel), InputFile.DOCUMENT), StandardCharsets.UTF_8);
    }

    private static String refused(Path file, String others, OrphanBook remains) {
        String commands = remains.owed().values().stream()
                .map(command -> command.text() + " in " + command.folder())
                .collect(Collectors.joining("; "));
        return "others may have written " + file + " (" + others
                + "), what a killed Kiln noted, so Kiln did nothing of it"
                + (commands.isEmpty() ? "" : "; it would run " + commands)
                + ". Do by hand what is right of it, then delete that file";
    }

    /** Returns whether no process is left. Otherwise the file stays, and the next Kiln tries again. */
    private boolean endAll(OrphanBook remains, String owner, List<String> done) {
        boolean clear = true;
        if (remains.bootId().equals(HostFacts.bootId(fs))) {
            for (OrphanBook.Child child : remains.children().values()) {
                clear &= end(child, owner, done);
            }
            // A daemon of a child that had ended is in no line.
            clear &= end(new OrphanBook.Child(-1, -1, "processes"), owner, done);
        }
        return clear;
    }

    /** Returns whether nothing else is left. */
    private boolean removeAll(OrphanBook remains, List<String> done) {
        boolean clear = true;
        for (Map.Entry<String, ContainerEngine> container : remains.containers().entrySet()) {
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
            return fs.isAlive(Long.parseLong(owner.substring(0, Math.max(dash, 0))), start);
        } catch (NumberFormatException e) {
            return true; // no file of ours: hands off
        }
    }

    private boolean end(OrphanBook.Child child, String owner, List<String> done) {
        ProcessTree tree = new ProcessTree(fs, child.pid(), child.startTicks(), owner);
        List<ProcStat> living = tree.living();
        if (living.isEmpty()) {
            return true;
        }
        tree.kill();
        boolean ended = tree.living().isEmpty();
        done.add((ended ? "ended the " : "could not end the ") + child.what() + " (pid "
                + living.getFirst().pid() + ") that a killed Kiln had left running");
        return ended;
    }

    private boolean removeContainer(ContainerEngine engine, String name, List<String> done) {
        if (!name.startsWith(OrphanBook.OURS)) {
            return true; // no container of ours: hands off
        }
        ContainerRemover.Removal removal = containers.remove(engine, name);
        Optional<String> why = removal.refusal();
        if (why.isPresent()) {
            done.add("could not remove the container " + name + " that a killed Kiln had left: " + why.get()
                    + "; the next Kiln tries again, or by hand: "
                    + String.join(" ", ContainerRemover.command(engine, name)));
        } else if (removal.existed()) {
            done.add("removed the container " + name + " that a killed Kiln had left");
        }
        return why.isEmpty();
    }

    /** Returns whether it is gone, or was not Kiln's. */
    private static boolean delete(Path directory, List<String> done) {
        boolean ours = OrphanBook.isOurs(directory) && Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS);
        if (!ours) {
            return true;
        }
        for (int again = TRIES; ; again--) {
            try {
                Trees.delete(directory);
                done.add("deleted " + directory + " that a killed Kiln had left");
                return true;
            } catch (IOException e) {
                if (again == 0) {
                    done.add("could not delete " + directory + " that a killed Kiln had left: " + e.getMessage());
                    return false;
                }
                LockSupport.parkNanos(POLL_NANOS);
            }
        }
    }

    private static boolean deleteCgroup(Path cgroup, List<String> done) {
        if (!OrphanBook.isOurs(cgroup)) {
            return true;
        }
        try {
            if (Cgroups.delete(cgroup)) {
                done.add("removed the cgroup " + cgroup + " that a killed Kiln had left");
            }
            return true;
        } catch (IOException e) {
            done.add("could not remove the cgroup " + cgroup + ": " + e.getMessage());
            return false;
        }
    }
}
