package dev.kiln.engines;

import dev.kiln.importer.ToolOutput;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.experiment.LoadTemplate.TemplateCall;
import dev.kiln.model.experiment.Target.JdkChoice;
import dev.kiln.model.load.LoadBin;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A JvmTool runs what a user wrote for a load generator, in a JVM of its own that ends with the phase. */
interface JvmTool extends Tool {
    /** A program that ends with its users' last answers is a little late. */
    long LATE_NANOS = 1_000_000_000;

    EngineSettings.OnJvm settings();

    /** Returns the word for what the user wrote, such as "simulation". */
    String script();

    /** Returns the name by which that reads how long it is to send, in s. */
    String lengthName();

    @Override
    default LoadEngine engine() {
        return settings().engine();
    }

    @Override
    default List<String> notes() {
        return List.of("a new JVM for each phase, which compiles itself while it measures");
    }

    @Override
    default boolean jvm() {
        return true;
    }

    @Override
    default Optional<String> unable(TemplateCall call) {
        return call.method().equals("GET")
                        && call.headers().isEmpty()
                        && !call.url().matches("[a-z]+://[^/?#]*@.*")
                        && call.body().isEmpty()
                ? Optional.empty()
                : Optional.of("a call with a method, headers, a login or a body");
    }

    @Override
    default KilnException cannot(String what) {
        return KilnException.usage(
                "load: " + engine().id() + " cannot use " + what + ": the " + script() + " itself says what it sends",
                "leave it out here, and do it in the " + script() + "; kiln help load lists what Kiln passes to it");
    }

    /** Returns the beginning of the command: java, with the flags that Kiln needs. */
    default List<String> java(Job job) {
        String home = settings().jdk().map(JvmTool::home).orElse(System.getProperty("java.home"));
        return List.of(
                Path.of(home, "bin", "java").toString(),
                // The kernel does not report the CPU time of a thread that has ended.
                "-XX:-UseDynamicNumberOfCompilerThreads",
                "-XX:-UsePerfData",
                "-Djava.io.tmpdir=" + job.folder());
    }

    private static String home(JdkChoice choice) {
        return switch (choice) {
            case JdkChoice.Home found -> found.text();
            case JdkChoice.Version version ->
                throw new IllegalStateException("the JDK " + version.text() + " of the load was not resolved");
        };
    }

    @Override
    default List<String> notes(Job job, Ended ended, ToolOutput.ToolPhase phase) {
        List<String> notes = new ArrayList<>();
        LoadBin first = phase.bins().getFirst();
        notes.add(engine().id() + " took " + seconds(first.startNanos() - ended.startNanos())
                + " to start; the target had no load meanwhile");
        Duration asked = job.phase().duration();
        long sent = phase.bins().getLast().endNanos() - first.startNanos();
        boolean longer = sent - asked.toNanos() > LATE_NANOS;
        boolean shorter = asked.toNanos() - sent > LATE_NANOS;
        if (longer || (shorter && !ended.stopped())) {
            notes.add(engine().id() + " sent for " + seconds(sent) + " in place of " + asked.toSeconds() + " s"
                    + (longer && ended.stopped() ? ", until Kiln ended it" : "") + ": the " + script()
                    + " gets the length as " + lengthName());
        }
        return notes;
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
    }

    /** Returns the port of a URL, which may be that of its scheme. */
    static int port(URI url) {
        return url.getPort() < 0 ? 80 : url.getPort();
    }
}
