package dev.kiln.jvm.flight;

import dev.kiln.fixtures.Churn;
import dev.kiln.jvm.Jdk;
import dev.kiln.jvm.JdkFinder;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Real JVMs that churn, with a recording of Kiln's own settings. */
final class ChurnRecording {
    private ChurnRecording() {}

    static Stream<Jdk> jdks() {
        return new JdkFinder().find().stream().filter(jdk -> jdk.feature() >= 17);
    }

    /** A finished recording in {@code folder}. */
    static Path of(Jdk jdk, Path folder, long millis, String... more) throws Exception {
        List<String> flags = new ArrayList<>(FlightRecorder.prepare(folder));
        flags.addAll(List.of(more));
        return of(jdk, folder, millis, flags);
    }

    static Path of(Jdk jdk, Path folder, long millis, List<String> flags) throws Exception {
        Process process = start(jdk, folder, millis, flags);
        process.waitFor();
        Path recording = folder.resolve(FlightRecorder.RECORDING);
        if (!Files.exists(recording)) {
            throw new AssertionError(Files.readString(folder.resolve("out")));
        }
        return recording;
    }

    /** Where the program is that churns. */
    static String classes() throws Exception {
        return new File(Churn.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
    }

    static Process start(Jdk jdk, Path folder, long millis, List<String> flags) throws Exception {
        List<String> command = new ArrayList<>(List.of(jdk.java().toString(), "-Xmx48m", "-XX:+UseSerialGC"));
        command.addAll(flags);
        command.addAll(List.of("-cp", classes(), Churn.class.getName(), Long.toString(millis)));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("out").toFile())
                .start();
    }
}
