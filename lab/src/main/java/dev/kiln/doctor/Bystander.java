package dev.kiln.doctor;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A shell in a session of its own that waits for the end of a pipe: the kernel closes it however the doctor dies, and the
 * shell then becomes the {@link Undo}. Until then it costs a sleeping process.
 */
final class Bystander implements AutoCloseable {
    private static final String WAIT = "read -r word; [ \"$word\" = done ] || exec \"$@\"";

    private final Process shell;

    private Bystander(Process shell) {
        this.shell = shell;
    }

    /** Empty where there is no shell: then the next Kiln undoes. */
    static Optional<Bystander> beside(UndoNote note) {
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(Path.of("/usr/bin/setsid"))) {
            command.add("/usr/bin/setsid");
        }
        command.addAll(List.of(
                "/bin/sh",
                "-c",
                WAIT,
                "kiln-undo",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Undo.class.getName(),
                note.file().toAbsolutePath().toString()));
        try {
            return Optional.of(new Bystander(new ProcessBuilder(command)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** All has been undone: it may go. */
    @Override
    public void close() {
        try (OutputStream pipe = shell.getOutputStream()) {
            pipe.write("done\n".getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // It is gone: somebody has killed it.
            return;
        }
    }
}
