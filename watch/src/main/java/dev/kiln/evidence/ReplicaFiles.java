package dev.kiln.evidence;

import dev.kiln.model.KilnException;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * ReplicaFiles are the evidence of the further processes of a service that serve behind one address. Each has a folder in that
 * of its run, with the tables that the run has of the first process. The load is the run's.
 */
public final class ReplicaFiles {
    /** The facts have the fields of {@code run.json}, and another name: no process of a run is a run. */
    static final String FACTS = "replica.json";

    private static final String FOLDERS = "replicas";

    private ReplicaFiles() {}

    /**
     * Returns the folder of a further process.
     *
     * @param number 2 for the first of them
     */
    public static Path folder(Path run, int number) {
        return run.resolve(FOLDERS).resolve(Integer.toString(number));
    }

    /** Returns a run with the further processes that its folder has. */
    static RunEvidence with(RunEvidence run, Path directory) {
        List<Path> folders = folders(directory);
        if (folders.isEmpty()) {
            return run;
        }
        List<RunEvidence> replicas = new ArrayList<>();
        List<String> gaps = new ArrayList<>();
        for (Path folder : folders) {
            try {
                RunInfo own = ProcessFiles.info(folder, FACTS);
                Gaps its = new Gaps();
                replicas.add(run.replica(own, ProcessFiles.jvm(folder, its), ProcessFiles.machine(folder, its)));
                its.end().forEach(gap -> gaps.add(directory.relativize(folder) + "/" + gap));
            } catch (KilnException e) {
                // What it did is not known, and it served all the same.
                String name = directory.relativize(folder).toString();
                replicas.add(run.unseen(name));
                gaps.add(name + ": " + e.getMessage());
            }
        }
        return run.with(replicas, gaps);
    }

    private static List<Path> folders(Path directory) {
        Path all = directory.resolve(FOLDERS);
        if (!Files.isDirectory(all)) {
            return List.of();
        }
        try (Stream<Path> inside = Files.list(all)) {
            return inside.filter(Files::isDirectory)
                    .filter(folder -> String.valueOf(folder.getFileName()).matches("\\d{1,4}"))
                    .sorted(Comparator.comparingInt(ReplicaFiles::number))
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    private static int number(Path folder) {
        return Integer.parseInt(String.valueOf(folder.getFileName()));
    }
}
