package dev.kiln.doctor;

import dev.kiln.files.Held;
import dev.kiln.files.OutputFile;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.Niceness;
import dev.kiln.jvm.AttachSocket;
import dev.kiln.jvm.DiagnosticCommands;
import dev.kiln.jvm.Reply;
import dev.kiln.jvm.ThreadRoles;
import dev.kiln.model.KilnException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** A Remedy helps a live JVM and can be undone. For use by one thread. */
interface Remedy {
    /** Fails if it cannot be applied, or if undoing it would remove what Kiln did not add. */
    void check();

    /** Applies it. A later call applies it to what is new since then. */
    void apply();

    /** Undoes it in what is left of the process. Call it only if {@link #check} did not fail. */
    void undo();

    /**
     * A RemedyTarget is the process that a remedy is for, in a form by which another Kiln finds it again.
     *
     * @param startTicks start time in ticks since boot. With the pid, it identifies a process for good
     * @param nice of its compilers before the remedy
     */
    record RemedyTarget(long pid, long startTicks, int nice) {
        boolean lives(ProcFs fs) {
            return fs.isAlive(pid, startTicks);
        }
    }

    /** A Fix is a change to a live JVM, with its name on the command line. */
    enum Fix {
        RENICE("renice", "gives the JVM's compiler threads priority over all other threads of the machine (nice -20)"),
        COMPILE_IN_FOREGROUND(
                "compile-in-foreground",
                "makes a thread that asks C2 for a compilation wait for it: requests stall meanwhile, and C2 gets the CPU");

        private final String text;
        private final String does;

        Fix(String text, String does) {
            this.text = text;
            this.does = does;
        }

        public String text() {
            return text;
        }

        /** Returns what the fix does, in words for a person who has to agree to it. */
        public String does() {
            return does;
        }

        Remedy remedy(RemedyTarget target) {
            return switch (this) {
                case RENICE -> new CompilerNice(target);
                case COMPILE_IN_FOREGROUND -> new ForegroundCompilation(target);
            };
        }
    }

    /**
     * A CompilerNice gives every compiler thread nice -20. A thread that a compiler starts inherits its nice value, but
     * a thread that the JVM starts does not. So each application looks at all of them, and so does the undo.
     */
    final class CompilerNice implements Remedy {
        private final ProcFs fs = ProcFs.ofThisMachine();
        private final RemedyTarget target;

        CompilerNice(RemedyTarget target) {
            this.target = target;
        }

        /** Returns the nice value of the compiler with the lowest priority; usually all are the same. */
        static int now(ProcFs fs, long pid) {
            return compilers(fs, pid).stream()
                    .map(tid -> Niceness.of(fs, pid, tid))
                    .flatMapToInt(OptionalInt::stream)
                    .max()
                    .orElse(0);
        }

        @Override
        public void check() {
            if (!Niceness.mayFavour()) {
                throw refused();
            }
        }

        @Override
        public void apply() {
            if (!set(Niceness.MOST)) {
                throw refused();
            }
        }

        private KilnException refused() {
            return KilnException.machine(
                    "not permitted to raise the priority of threads of process " + target.pid(),
                    "run Kiln as root, or with CAP_SYS_NICE");
        }

        @Override
        public void undo() {
            if (target.nice() != Niceness.MOST) {
                set(target.nice());
            }
        }

        private boolean set(int nice) {
            boolean all = true;
            for (int tid : compilers(fs, target.pid())) {
                OptionalInt now = Niceness.of(fs, target.pid(), tid);
                if (target.lives(fs) && now.isPresent() && now.getAsInt() != nice) {
                    all &= Niceness.set(tid, nice)
                            || Niceness.of(fs, target.pid(), tid).isEmpty();
                }
            }
            return all;
        }

        private static List<Integer> compilers(ProcFs fs, long pid) {
            List<Integer> compilers = new ArrayList<>();
            for (int tid : fs.tids(pid)) {
                if (ThreadRoles.isCompiler(fs.threadName(pid, tid))) {
                    compilers.add(tid);
                }
            }
            return compilers;
        }
    }

    /** A ForegroundCompilation is a compiler directive that makes a thread wait for the compilation that it asks C2 for. */
    final class ForegroundCompilation implements Remedy {
        private static final String DIRECTIVE = "[{match:[\"*.*\"],c2:{BackgroundCompilation:false}}]\n";

        /** A starved JVM takes seconds to answer. */
        private static final Duration PATIENCE = Duration.ofSeconds(20);

        private final ProcFs fs = ProcFs.ofThisMachine();
        private final RemedyTarget target;
        private boolean applied;

        ForegroundCompilation(RemedyTarget target) {
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
                    throw KilnException.machine(
                            "the JVM did not accept the compiler directive: " + said.strip(),
                            "try --fix renice, which asks nothing of the JVM");
                }
            } catch (IOException e) {
                throw KilnException.machine(
                        e, "cannot write a file for the JVM into its /tmp", "run Kiln as the JVM's user, or as root");
            }
        }

        /**
         * A TargetTmp is a file in the /tmp of the JVM, below its own root. Kiln may be root, and whoever is root in
         * the container may put a link in its place at any moment. So Kiln holds the folder, follows no link out of it,
         * and writes through what it holds.
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
}
