package dev.kiln.remote;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;

/** A FarHome is a user's home elsewhere, which is a folder here: a real shell runs scripts in it. */
record FarHome(Path home) {
    record Ended(int exit, String said) {}

    Ended run(String script) throws IOException, InterruptedException {
        return run(script, OutputStream::flush);
    }

    Ended run(String script, FarShell.Input input) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("sh", "-c", script).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("HOME", home.toString());
        builder.environment().put("PATH", "/usr/bin:/bin");
        Process process = builder.start();
        try (OutputStream out = process.getOutputStream()) {
            input.writeTo(out);
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Ended(process.waitFor(), said);
    }

    /** What Kiln keeps there. */
    Path cache() throws IOException {
        return Files.createDirectories(home.resolve(".cache/kiln"));
    }

    /** Says that this was used last forty days ago. */
    void leave(String name) throws IOException {
        Files.setLastModifiedTime(
                cache().resolve(name), FileTime.from(Instant.now().minus(Duration.ofDays(40))));
    }
}
