package dev.kiln.cli;

import dev.kiln.console.Installation;
import dev.kiln.files.OutputFile;
import dev.kiln.host.process.Scratch;
import dev.kiln.serve.LiveServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A Training is what the launcher starts once with {@code -XX:AOTCacheOutput}: Kiln reads an experiment, imports a run
 * that is made up, reports it and serves it. The classes of that are then loaded from the cache, and cost a measured
 * machine less.
 */
final class Training {
    private static final int SLOW = 60;
    private static final int FAST = 20;

    private Training() {}

    public static void main(String[] args) throws IOException {
        try (Scratch scratch = Scratch.make("training")) {
            run("plan", Installation.root().resolve("experiments/demo.yaml").toString());
            serve(imported(scratch.folder()));
        }
    }

    private static void run(String... words) {
        int exit = Main.run(List.of(words), nowhere(), nowhere());
        if (exit != 0) {
            throw new IllegalStateException("kiln " + words[0] + " ended with " + exit);
        }
    }

    private static PrintWriter nowhere() {
        return new PrintWriter(Writer.nullWriter());
    }

    private static Path imported(Path folder) throws IOException {
        Path results = folder.resolve("results");
        Path series = folder.resolve("series.csv");
        OutputFile.replace(series, series());
        run(
                "import",
                series.toString(),
                "--map",
                "phase=phase,requests=requests,bin=1s",
                "--variant",
                "trained",
                "--results",
                results.toString());
        return results;
    }

    /** Returns the series of a service that is slow until its pause. */
    private static String series() {
        return IntStream.range(0, SLOW + FAST)
                .mapToObj(i ->
                        (i < SLOW ? "warmup," + (1_000 + 7 * (i % 11)) : "measure," + (3_000 + 9 * (i % 7))) + "\n")
                .collect(Collectors.joining("", "phase,requests\n", ""));
    }

    private static void serve(Path results) throws IOException {
        try (LiveServer server = LiveServer.start(results, "127.0.0.1:0", "", nowhere());
                Stream<Path> experiments = Files.list(results)) {
            String id = String.valueOf(experiments.findFirst().orElseThrow().getFileName());
            for (String page : List.of("/", "/api/experiments", "/watch/" + id, "/live/" + id)) {
                try (InputStream answer = URI.create(server.url(page)).toURL().openStream()) {
                    answer.transferTo(OutputStream.nullOutputStream());
                }
            }
        }
    }
}
