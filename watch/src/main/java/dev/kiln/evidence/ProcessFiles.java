package dev.kiln.evidence;

import dev.kiln.files.InputFile;
import dev.kiln.model.KilnException;
import dev.kiln.model.run.RunEvidence.JvmEvidence;
import dev.kiln.model.run.RunEvidence.MachineEvidence;
import dev.kiln.model.run.RunInfo;
import java.io.IOException;
import java.nio.file.Path;

/** ProcessFiles are what a folder has of one process: its facts, and the tables of its JVM and its machine. */
final class ProcessFiles {
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
