package dev.kiln.console;

import dev.kiln.files.InputFile;
import dev.kiln.files.OutputFile;
import dev.kiln.model.KilnException;
import dev.kiln.model.OwnerOnly;
import dev.kiln.model.Secrets;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Outputs are the options that say which folder results go into, and whether secrets are kept in it. */
public final class Outputs {
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss", Locale.ROOT);

    /** The folder for results where none is named. */
    public static final Path DEFAULT = Path.of("results");

    @Option(names = "--results", description = "Folder for the evidence and the report (results).")
    private Path results = DEFAULT;

    private Secrets secrets = Secrets.HIDDEN;

    public Outputs() {}

    public Outputs(Path results) {
        this.results = results;
    }

    public Path results() {
        return results;
    }

    /** The text describes the option for commands that launch a service. */
    public static final String KEEP_SECRETS =
            "Keep passwords and tokens of commands, environment and requests in the evidence, in place of ***.";

    public void keepSecrets(boolean keep) {
        secrets = keep ? Secrets.KEPT : Secrets.HIDDEN;
    }

    /** Returns how passwords and tokens are recorded: hidden, or kept if the user asked for that. */
    public Secrets secrets() {
        return secrets;
    }

    /** Returns the path of a folder for a measurement that begins now. The folder is not made yet. */
    public Path folder(String name) {
        return results.resolve(
                name + "-" + LocalDateTime.now(ZoneId.systemDefault()).format(TIME));
    }

    /** The limit of folders with one name and one second, after which Kiln gives up. */
    private static final int MOST = 1000;

    /** Makes a folder of that name for this Kiln alone, with a number where its second is taken. */
    public Path fresh(String name) {
        make(results, "--results");
        Path folder = folder(name);
        for (int i = 2; ; i++) {
            try {
                return Files.createDirectory(folder, OwnerOnly.FOLDER);
            } catch (FileAlreadyExistsException e) {
                if (i > MOST) {
                    throw KilnException.machine(e, "cannot create " + folder, "name another folder: --results DIR");
                }
                folder = folder.resolveSibling(folder(name).getFileName() + "-" + i);
            } catch (IOException e) {
                throw KilnException.machine(e, "cannot create " + folder, "name another folder: --results DIR");
            }
        }
    }

    /** This file is locked, and there, while a Kiln goes on with what is in a folder. */
    private static final String AT_WORK = ".kiln-at-work";

    /** Of so many lengths two Kilns hardly choose the same. */
    private static final int LONGEST_TOKEN = 1 << 16;

    /** So often others may have ended at the very moment at which this one looks. */
    private static final int TRIES = 1_000;

    /**
     * Does the work while no other Kiln does any in that folder: two that go on with one search or soak would each take the
     * runs of the other for its own.
     *
     * @param folder is made if there is none
     * @throws KilnException if another Kiln works there
     */
    @SuppressWarnings("try") // the file is only held
    public static int alone(Path folder, IntSupplier work) {
        boolean made = !Files.exists(folder);
        make(folder, "--results");
        Path file = folder.resolve(AT_WORK);
        try (FileChannel held = locked(file, folder)) {
            try {
                return work.getAsInt();
            } finally {
                Files.deleteIfExists(file);
                if (made && isEmpty(folder)) {
                    Files.deleteIfExists(folder);
                }
            }
        } catch (IOException e) {
            throw KilnException.machine(e, "cannot write " + file, "name a folder that can be written");
        }
    }

    /**
     * Returns the file, open and locked. One that another Kiln deleted before this one locked it keeps nobody out: then a new one
     * is made.
     */
    private static FileChannel locked(Path file, Path folder) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            Optional<FileChannel> found = opened(file, folder);
            if (found.isEmpty()) {
                continue;
            }
            FileChannel channel = found.get();
            try {
                if (!isFree(channel)) {
                    throw KilnException.usage("another Kiln works in " + folder, "wait until it has ended");
                }
                if (isThere(channel, file)) {
                    return channel;
                }
            } catch (IOException | RuntimeException e) {
                channel.close();
                throw e;
            }
            channel.close();
        }
        throw KilnException.usage(
                "other Kilns work in " + folder + ", one after the other", "wait until they have ended");
    }

    /** Returns the file, open; empty where another Kiln deleted it at that moment, and perhaps a third made it again. */
    private static Optional<FileChannel> opened(Path file, Path folder) throws IOException {
        try {
            return Optional.of(OutputFile.growing(file));
        } catch (FileSystemException e) {
            boolean passing = e instanceof NoSuchFileException
                    || (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && Files.isWritable(file));
            if (passing && Files.isDirectory(folder)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * Tells whether an open file still has its name, by its length: who opened it again, and closed it, would give the lock up
     * (fcntl(2)).
     */
    private static boolean isThere(FileChannel channel, Path file) throws IOException {
        byte[] token = new byte[ThreadLocalRandom.current().nextInt(1, LONGEST_TOKEN)];
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(token));
        try {
            return Files.size(file) == token.length;
        } catch (NoSuchFileException deleted) {
            return false;
        }
    }

    private static boolean isFree(FileChannel channel) {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException byThisKiln) {
            return false;
        } catch (IOException noLocksHere) {
            return true;
        }
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> inside = Files.list(folder)) {
            return inside.findAny().isEmpty();
        }
    }

    /**
     * Makes a folder for what a JVM is to run, and refuses one that is there and that others can write: its name is no secret, and its
     * files would be theirs.
     */
    public static void makeOwn(Path folder, String option) {
        make(folder, option);
        try {
            Optional<String> others = InputFile.othersCanWrite(folder);
            if (others.isPresent()) {
                throw KilnException.usage(
                        "others can write " + folder + " (" + others.get() + "), and a JVM runs what is put there",
                        "delete it, or name another place: " + option + " FILE");
            }
        } catch (IOException e) {
            throw KilnException.machine(e, "cannot look at " + folder, "name another place: " + option + " FILE");
        }
    }

    /** @param option the one that names another folder */
    public static void make(Path folder, String option) {
        try {
            Files.createDirectories(folder, OwnerOnly.FOLDER);
        } catch (IOException e) {
            throw KilnException.machine(e, "cannot create " + folder, "name another folder: " + option + " DIR");
        }
    }
}
