package dev.kiln.doctor;

import dev.kiln.files.Held;
import dev.kiln.files.OutputFile;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.jvm.AttachSocket;
import dev.kiln.jvm.DiagnosticCommands;
import dev.kiln.jvm.Reply;
import dev.kiln.model.KilnException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Optional;

/** A ForegroundCompilation is a compiler directive that makes a thread wait for the compilation that it asks C2 for. */
final class ForegroundCompilation implements Remedy {
    private static final String DIRECTIVE = "[{match:[\"*.*\"],c2:{BackgroundCompilation:false}}]\n";

    /** A starved JVM takes seconds to answer. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final ProcFs fs = ProcFs.ofThisMachine();
    private final Remedy.RemedyTarget target;
    private boolean applied;

    ForegroundCompilation(Remedy.RemedyTarget target) {
        this.target = target;
    }

    @Override
    public void check() {
        if (directives() > 1) {
            throw KilnException.machine(
                    "the JVM already has compiler directives, and undoing this fix would remove them too",
                    "remove them first: jcmd " + target.pid() + " Compiler.directives_clear");
        }
    }

    @Override
    public void apply() {
        if (applied) {
            return;
        }
        String name = "kiln-directives-" + target.pid() + "-" + System.nanoTime() + ".json";
        try (TargetTmp tmp = new TargetTmp(fs.path("proc/" + target.pid() + "/root"))) {
            tmp.write(name, DIRECTIVE);
            String said = asked("Compiler.directives_add", "/tmp/" + name);
            applied = directives() > 1;
            if (!applied) {
                throw KilnException.machine("the JVM did not accept the compiler directive: " + said.strip(), "");
            }
        } catch (IOException e) {
            throw KilnException.machine(
                    e, "cannot write a file for the JVM into its /tmp", "run Kiln as the JVM's user, or as root");
        }
    }

    /**
     * A TargetTmp is a file in the /tmp of the JVM, below its own root. Kiln may be root, and whoever is root in the
     * container may put a link in its place at any moment. So Kiln holds the folder, follows no link out of it, and
     * writes through what it holds.
     */
    private static final class TargetTmp implements AutoCloseable {
        private final Held folder;
        private Optional<Path> made = Optional.empty();

        TargetTmp(Path root) throws IOException {
            folder = Held.below(root, "tmp");
        }

        void write(String name, String text) throws IOException {
            Path file = folder.path().resolve(name);
            var readable = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--"));
            try (SeekableByteChannel channel = OutputFile.fresh(file, readable)) {
                made = Optional.of(file);
                channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
            }
        }

        @Override
        public void close() throws IOException {
            try (folder) {
                if (made.isPresent()) {
                    Files.deleteIfExists(made.get());
                }
            }
        }
    }

    @Override
    public void undo() {
        if (target.lives(fs) && directives() > 1) {
            asked("Compiler.directives_clear");
        }
    }

    /** Returns the number of directives, including the default one. */
    private long directives() {
        return asked("Compiler.directives_print")
                .lines()
                .filter(line -> line.startsWith("Directive:"))
                .count();
    }

    private String asked(String... words) {
        try (AttachSocket socket = new AttachSocket(fs, target.pid(), PATIENCE)) {
            Reply<String> reply = new DiagnosticCommands(socket).raw(words);
            return switch (reply) {
                case Reply.ToldReply<String> told -> told.value();
                case Reply.Refused<String> refused ->
                    throw KilnException.machine(
                            "cannot have the JVM compile in the foreground: "
                                    + refused.why().why(),
                            "try --fix renice, which needs no answer from the JVM");
            };
        }
    }
}
