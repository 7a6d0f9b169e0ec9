package dev.kiln.engines;

import dev.kiln.engines.ToolShell.LastWords;
import dev.kiln.engines.ToolShell.Running;
import dev.kiln.host.process.Programs;
import dev.kiln.host.process.Signal;
import dev.kiln.importer.ToolOutput;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.load.LoadSession.Tick;
import dev.kiln.model.KilnException;
import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.experiment.LoadTemplate.TemplateCall;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Tool is a program that sends load: how it is started and stopped, what it can send, and how its output is read. */
interface Tool {
    LoadEngine engine();

    /** Describes what the program's figures mean: the loop, the bins, and what counts as good. */
    String meaning();

    /** Names what weakens the program's figures, in words. */
    default List<String> notes() {
        return List.of();
    }

    /** @throws KilnException where the program cannot be started here */
    void require();

    String version();

    /** Tells whether the program reports quantiles of a whole phase in place of single requests. */
    default boolean totals() {
        return false;
    }

    /** Tells whether the program is a JVM, which compiles while it sends. */
    default boolean jvm() {
        return false;
    }

    /** Names what the program cannot send of a call, in words; empty if it can send all of it. */
    Optional<String> unable(TemplateCall call);

    /** Names what the program cannot do at a rate, in words; empty if it sends so many requests a second, whatever the target does. */
    default Optional<String> unable(double rate) {
        return Optional.of("an open loop (rate)");
    }

    /** Tells whether the program speaks HTTP/2, with several requests in flight on a connection. */
    default boolean http2() {
        return false;
    }

    /** Tells whether the program may go on for as long as it likes: then Kiln ends it a second after its time. */
    default boolean endless() {
        return false;
    }

    /** Returns how to ask the target whether it is up. */
    default FirstAnswer.Question question(HttpCall call) {
        return FirstAnswer.http(call);
    }

    default KilnException cannot(String what) {
        return KilnException.usage(
                "load: " + engine().id() + " cannot send " + what,
                "leave it out, or the engine: Kiln's own can; kiln help load compares them");
    }

    /** Writes what the command reads, and clears away what an earlier one wrote. */
    default void prepare(Job job) throws IOException {}

    List<String> command(Job job);

    /** Says what a user can do about a program that failed. */
    default String remedy(Job job) {
        return "check whether the target still answers; the command was: "
                + String.join(" ", Secrets.HIDDEN.command(command(job)));
    }

    /** Returns the words in which a program that failed said why. */
    default String why(Path output) {
        return LastWords.last(output);
    }

    /** Tells whether a program that ends with this code has done all it was to do. */
    default boolean done(int exit) {
        return exit == 0;
    }

    /** Starts to report the seconds of a phase that has just begun. */
    LiveSeconds live(Job job, Running running);

    /** Says why {@link #live} reports nothing on this machine, in words; empty where it does. */
    default Optional<String> blind() {
        return Optional.empty();
    }

    /** Returns the signal that ends the program early and lets it write its figures. */
    default Signal ending() {
        return Signal.TERM;
    }

    /** Waits, after the program's end, for what another program makes of its output. */
    default void settle(Job job) {}

    /** Reads what the program reported of its requests; empty if it reported nothing. */
    Optional<ToolOutput.ToolPhase> read(Job job, Ended ended);

    /** Returns the warnings about a phase, besides those about what could not be read. */
    default List<String> notes(Job job, Ended ended, ToolOutput.ToolPhase phase) {
        return List.of();
    }

    /** LiveSeconds report a program's seconds while it runs. They are for one thread. */
    interface LiveSeconds extends AutoCloseable {
        /** Reports the seconds that are over and not yet reported, and once it has ended the rest. */
        void tell(boolean ended, Consumer<Tick> ticks);

        @Override
        default void close() {}
    }

    /** An Ended is a program that ended, by Kiln if stopped; the target's launch is by both clocks. */
    record Ended(Running running, int exit, long launchNanos, long launchEpochNanos, boolean stopped) {
        /** Returns when the program started, in ns since the target's launch. */
        long startNanos() {
            return running.startNanos() - launchNanos;
        }
    }

    /** A Job is a program's work in one phase; its folder may have files of the phase before. */
    record Job(LoadSpec spec, Phase.Load phase, Path folder) {
        HttpCall call() {
            return spec.calls().getFirst();
        }

        /** Returns what a log of requests, or several, tells of the phase; connections are 0 where it does not say how many. */
        ToolOutput.ToolPhase told(LoadSource requests, Ended ended, int connections) {
            return ToolOutput.of(List.of(requests), phase.name(), ended.launchEpochNanos(), connections);
        }

        KilnException noRoom(IOException e) {
            return KilnException.machine(e, "cannot write to " + folder, "check the disk's space");
        }
    }

    /** An Installed is a program of the system's packages, whose name is that of its engine. */
    interface Installed extends Tool {
        /** Returns the commands that install the program, in words. */
        String packages();

        default Path program() {
            return Programs.find(engine().id())
                    .orElseThrow(() -> KilnException.machine(
                            "load: " + engine().id() + " is not installed: no such program in the PATH",
                            "install it: " + packages() + "; or leave out engine: Kiln's own driver needs no program"));
        }

        @Override
        default void require() {
            program();
        }

        /** Refuses a program whose help lacks any of these words: it is older than what Kiln asks of it. */
        default void require(String help, String... words) {
            String text = Programs.run(List.of(program().toString(), help)).output();
            for (String word : words) {
                if (!text.contains(word)) {
                    throw KilnException.machine(
                            "load: " + program() + " is too old: its help has no " + word,
                            "install a newer one: " + packages());
                }
            }
        }

        /** Returns the words before the version, as the program prints it. */
        default String beforeVersion() {
            return Pattern.quote(engine().id()) + " ";
        }

        @Override
        default String version() {
            Matcher version = Pattern.compile(beforeVersion() + "(\\S+)")
                    .matcher(Programs.run(List.of(program().toString(), "--version"))
                            .output());
            return version.find() ? version.group(1) : "of unknown version";
        }

        /** Returns the program's command: the options, the call's headers in curl's form, and the call's URL. */
        default List<String> command(Job job, String... options) {
            List<String> command = new ArrayList<>();
            command.add(program().toString());
            command.addAll(List.of(options));
            job.call().headers().forEach((name, value) -> command.addAll(List.of("-H", name + ": " + value)));
            command.add(job.call().url().toString());
            return command;
        }

        /** Rounds a time up to whole seconds, at least one. */
        static long seconds(Duration timeout) {
            return Math.max(1, timeout.plusMillis(999).toSeconds());
        }
    }
}
