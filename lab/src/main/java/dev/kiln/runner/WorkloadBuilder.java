package dev.kiln.runner;

import dev.kiln.files.OutputFile;
import dev.kiln.host.process.LogTail;
import dev.kiln.jvm.JdkFinder;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.IoReason;
import dev.kiln.model.experiment.Workload;
import dev.kiln.runner.Cancellation.Interrupted;
import dev.kiln.runner.RunControl.RunListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A WorkloadBuilder builds a workload with its own Maven build, once, and again only if a source has changed.
 *
 * @param root Kiln's own folder, where the Maven wrapper is
 */
public record WorkloadBuilder(Path root, Cancellation cancellation, RunListener listener) {
    private static final long POLL_NANOS = 200_000_000;

    /** Builds the workload, unless nothing has changed since it was built; waits for another Kiln that is at it. */
    public void build(Workload workload) {
        if (upToDate(workload)) {
            return;
        }
        try (FileChannel lock = OutputFile.growing(workload.directory().resolve("build.lock"))) {
            await(lock, workload);
            if (!upToDate(workload)) {
                buildAnew(workload);
            }
        } catch (IOException e) {
            throw failed(workload, log(workload), IoReason.of(e));
        }
    }

    /** Two builds at once would each delete what the other makes. */
    private void await(FileChannel lock, Workload workload) {
        boolean told = false;
        while (!isLocked(lock)) {
            if (!told) {
                listener.stage("waiting for another Kiln, which builds " + workload.name());
                told = true;
            }
            cancellation.sleep(POLL_NANOS);
        }
    }

    private static boolean isLocked(FileChannel lock) {
        try {
            return lock.tryLock() != null;
        } catch (OverlappingFileLockException byThisKiln) {
            return false;
        } catch (IOException noLocksHere) {
            return true;
        }
    }

    /** The log is not in target, which the build may begin by deleting. */
    private static Path log(Workload workload) {
        return workload.directory().resolve("build.log");
    }

    private void buildAnew(Workload workload) {
        listener.stage("building " + workload.name() + ", once");
        Path log = log(workload);
        List<String> command = new ArrayList<>(List.of(root.resolve("mvnw").toString(), "-B", "-ntp"));
        command.addAll(workload.build().arguments());
        Path unfinished = unfinished(workload);
        try {
            OutputFile.replace(unfinished, "");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(workload.directory().toFile())
                    .redirectErrorStream(true)
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(log.toFile());
            // That of a clone is new enough for every workload; another one on the PATH may not be.
            builder.environment().put("JAVA_HOME", JdkFinder.required().toString());
            Process maven = builder.start();
            cancellation.onCancel(maven::destroy);
            int exit = maven.waitFor();
            cancellation.check();
            if (exit != 0 || !isNewest(workload)) {
                throw failed(
                        workload,
                        log,
                        exit == 0 ? "made no " + workload.build().product() : "Maven exited with " + exit);
            }
            Files.delete(unfinished);
        } catch (IOException e) {
            throw failed(workload, log, IoReason.of(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Interrupted();
        }
    }

    private static KilnException failed(Workload workload, Path log, String why) {
        return KilnException.machine(
                "building " + workload.name() + " failed: " + why + " (full output: " + log + ")",
                LogTail.lastLines(log, 12));
    }

    /**
     * Returns a file that is there from before a build until it has succeeded: a build that failed, or was cut off
     * together with Kiln, may leave a product that is newer than every source and half made.
     */
    private static Path unfinished(Workload workload) {
        return workload.directory().resolve("build.unfinished");
    }

    private static boolean upToDate(Workload workload) {
        return !Files.exists(unfinished(workload)) && isNewest(workload);
    }

    private static boolean isNewest(Workload workload) {
        try {
            if (!Files.exists(workload.build().product())) {
                return false;
            }
            FileTime built = Files.getLastModifiedTime(workload.build().product());
            for (Path source : workload.build().sources()) {
                try (Stream<Path> files = Files.walk(source)) {
                    // A folder is newer than the product if a file in it was deleted.
                    if (files.anyMatch(file -> newer(file, built))) {
                        return false;
                    }
                }
            }
            return true;
        } catch (IOException | UncheckedIOException e) {
            throw KilnException.usage(
                    "workload " + workload.name() + ": " + e.getMessage(), "check 'sources' in its workload.yaml", e);
        }
    }

    private static boolean newer(Path file, FileTime than) {
        try {
            return Files.getLastModifiedTime(file).compareTo(than) > 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
