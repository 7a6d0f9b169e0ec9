package dev.kiln.evidence;

import dev.kiln.files.InputFile;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.IoReason;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunEvidence.JvmEvidence;
import dev.kiln.model.run.RunEvidence.MachineEvidence;
import dev.kiln.model.run.RunInfo;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeSet;

/**
 * ReplicaFiles are the evidence of the further processes of a service that serve behind one address. Each has a folder in that
 * of its run, with the tables that the run has of the first process. The load is the run's.
 */
public final class ReplicaFiles {
    /** The facts have the fields of {@code run.json}, and another name: no process of a run is a run. */
    static final String FACTS = "replica.json";

    private static final String FOLDERS = "replicas";

    /** No more processes are looked for: the number may be damaged. */
    private static final int MOST = 9999;

    private ReplicaFiles() {}

    /**
     * Returns the folder of a further process.
     *
     * @param number 2 for the first of them
     */
    public static Path folder(Path run, int number) {
        return run.resolve(FOLDERS).resolve(Integer.toString(number));
    }

    /** Returns a run with the further processes that its folder has, or should have. */
    static RunEvidence with(RunEvidence run, Path directory) {
        List<String> gaps = new ArrayList<>();
        List<Integer> numbers = numbers(directory, run.info().launch().replicas(), gaps);
        if (numbers.isEmpty() && gaps.isEmpty()) {
            return run;
        }
        List<RunEvidence> replicas = new ArrayList<>();
        for (int number : numbers) {
            Path folder = folder(directory, number);
            String name = directory.relativize(folder).toString();
            try {
                requireOwn(folder);
                RunInfo own = ProcessFiles.info(folder, FACTS);
                Gaps its = new Gaps();
                replicas.add(run.replica(own, ProcessFiles.jvm(folder, its), ProcessFiles.machine(folder, its)));
                its.end().forEach(gap -> gaps.add(name + "/" + gap));
            } catch (KilnException e) {
                // What it did is not known, and it served all the same.
                replicas.add(run.unseen(name));
                gaps.add(name + ": " + (Files.exists(folder) ? e.getMessage() : "missing"));
            }
        }
        return run.with(replicas, gaps);
    }

    /** A folder that is a link may lead to what somebody else recorded. */
    private static void requireOwn(Path folder) {
        for (Path each : List.of(folder.resolveSibling(""), folder)) {
            if (Files.isSymbolicLink(each)) {
                throw KilnException.usage(
                        each.getFileName() + " is a link, and Kiln follows none here", "put the folder in its place");
            }
        }
    }

    /** Returns the numbers of all further processes of a run of so many, and of those that have a folder. */
    private static List<Integer> numbers(Path directory, int replicas, List<String> gaps) {
        TreeSet<Integer> numbers = new TreeSet<>();
        for (int number = 2; number <= Math.min(replicas, MOST); number++) {
            numbers.add(number);
        }
        Path all = directory.resolve(FOLDERS);
        if (Files.exists(all, LinkOption.NOFOLLOW_LINKS)) {
            try (DirectoryStream<Path> inside = Files.newDirectoryStream(all, Files::isDirectory)) {
                for (Path folder : inside) {
                    String name = String.valueOf(folder.getFileName());
                    if (name.matches("[1-9]\\d{0,3}")) {
                        numbers.add(Integer.parseInt(name));
                    }
                }
            } catch (DirectoryIteratorException e) {
                gaps.add(FOLDERS + ": cannot be read: " + IoReason.of(Objects.requireNonNull(e.getCause())));
            } catch (IOException e) {
                gaps.add(FOLDERS + ": cannot be read: " + IoReason.of(e));
            }
        }
        return List.copyOf(numbers);
    }

    /** ProcessFiles are what a folder has of one process: its facts, and the tables of its JVM and its machine. */
    static final class ProcessFiles {
        private ProcessFiles() {}

        /**
         * Reads the facts alone.
         *
         * @param name of their file
         * @throws KilnException where there are none, or they are of a newer format
         */
        static RunInfo info(Path directory, String name) {
            Path file = directory.resolve(name);
            try {
                return RunJson.read(InputFile.bytes(file, InputFile.DOCUMENT), file);
            } catch (IOException e) {
                throw KilnException.usage(
                        e, "no run in " + directory + ": cannot read " + name, "name a folder that kiln run wrote");
            }
        }

        /** Reads what was recorded of a JVM and its threads. */
        static JvmEvidence jvm(Path directory, Gaps gaps) {
            return new JvmEvidence(
                    Table.THREADS.read(directory, gaps),
                    Table.COMPILER.read(directory, gaps),
                    Table.JIT.read(directory, gaps),
                    Table.BLOCKED.readIfThere(directory, gaps),
                    FlightFiles.read(directory, gaps),
                    Table.COLLECTIONS.readIfThere(directory, gaps),
                    Table.CLASSES.readIfThere(directory, gaps),
                    Table.HEAP.readIfThere(directory, gaps));
        }

        /** Reads what was recorded of the machine, and of who used it. */
        static MachineEvidence machine(Path directory, Gaps gaps) {
            return new MachineEvidence(
                    Table.MEMORY.read(directory, gaps),
                    Table.CGROUP.read(directory, gaps),
                    Table.PARTS.read(directory, gaps),
                    Table.CPUS.read(directory, gaps));
        }
    }
}
