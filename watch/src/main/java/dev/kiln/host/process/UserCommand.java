package dev.kiln.host.process;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.proc.Topology.CpuLists;
import dev.kiln.model.KilnException;
import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.Hook.HookMoment;
import dev.kiln.model.experiment.Modifier.BoostedStart;
import dev.kiln.model.experiment.SetEnv;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A UserCommand is a command of the user's own that is run for what it does, such as the start of a service. What it
 * leaves running is not Kiln's: it has no mark, and goes on when Kiln ends.
 *
 * @param what its name in messages, such as {@code cleanup}
 * @param environment added to Kiln's own
 */
public record UserCommand(String what, List<String> words, Path folder, Map<String, String> environment) {
    /** A note ends with this word: of one that was cut, nothing is run. */
    private static final String WHOLE = ".";

    /** A message has so many characters of a command: a script may be in it. */
    private static final int LONGEST = 120;

    /** This lets a shell go on to the command behind it. */
    private static final String THEN = "; exec \"$0\" \"$@\"";

    private static final long POLL_NANOS = 10_000_000;

    public UserCommand {
        words = List.copyOf(words);
        environment = Map.copyOf(environment);
    }

    /** Returns the same with other words. */
    public UserCommand with(List<String> others) {
        return new UserCommand(what, others, folder, environment);
    }

    /** Returns the same behind a line of a shell, which may end it. Messages have the command itself. */
    public UserCommand behind(String line) {
        List<String> all = new ArrayList<>(List.of("sh", "-c", line + THEN));
        all.addAll(words);
        return with(all);
    }

    private List<String> itself() {
        boolean behind = words.size() > 3
                && words.getFirst().equals("sh")
                && words.get(2).endsWith(THEN);
        return behind ? words.subList(3, words.size()) : words;
    }

    /**
     * Starts it in a session of its own, which no Ctrl-C reaches.
     *
     * @param output file that takes both output streams, in place of what it has
     * @param cpus on which it and what it starts may run, where those of Kiln are fewer; empty for the same as Kiln
     * @throws KilnException if there is no such program, or it cannot be started
     */
    public Process start(Path output, List<Integer> cpus) {
        Programs.requireProgram(what, words.getFirst(), Optional.of(folder), environment);
        List<String> command = new ArrayList<>(List.of(Programs.utilLinux("setsid")));
        if (!cpus.isEmpty()) {
            command.addAll(List.of(Programs.utilLinux("taskset"), "-c", CpuLists.format(cpus)));
        }
        command.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectOutput(output.toFile());
        builder.environment().put("PWD", folder.toString());
        builder.environment().putAll(environment);
        try {
            return builder.start();
        } catch (IOException e) {
            throw KilnException.machine("cannot start " + what + ": " + e.getMessage(), byHand(), e);
        }
    }

    /** Ends it with all that it waits for, since shells pass no signals on; grace is for each step. */
    public static void end(Process process, Duration grace) {
        if (!process.isAlive()) {
            return;
        }
        // The parents come first: a shell that lives longer than its child goes on with the next command.
        List<ProcessHandle> all = withDescendants(Stream.of(process.toHandle()));
        all.forEach(ProcessHandle::destroy);
        awaitEnd(process, all, grace);
        List<ProcessHandle> left = withDescendants(all.stream().filter(UserCommand::isRunning));
        left.forEach(ProcessHandle::destroyForcibly);
        awaitEnd(process, left, grace);
    }

    private static List<ProcessHandle> withDescendants(Stream<ProcessHandle> parents) {
        return parents.flatMap(parent -> Stream.concat(Stream.of(parent), parent.descendants()))
                .distinct()
                .toList();
    }

    private static void awaitEnd(Process process, List<ProcessHandle> all, Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        while ((process.isAlive() || all.stream().anyMatch(UserCommand::isRunning))
                && System.nanoTime() < deadline
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    /** Tells whether it runs. One whose parent has not noticed its end is alive to Java. */
    private static boolean isRunning(ProcessHandle process) {
        return process.isAlive()
                && ProcFs.ofThisMachine()
                        .stat(process.pid())
                        .filter(stat -> !stat.isDead())
                        .isPresent();
    }

    /** Tells whether it may be the service itself, in the foreground, so that to end it would end what it was run for. */
    boolean mayServe() {
        return what.equals(HookMoment.RESTART.key()) && itself().equals(words);
    }

    /**
     * Tells whether it puts back what Kiln itself changed in a cluster: that stays wrong until it has run, also over a boot of this
     * machine. A command of the user's own is none.
     */
    boolean isOfCluster() {
        return what.equals(BoostedStart.NAME) || (!itself().equals(words) && SetEnv.is(itself()));
    }

    /**
     * Returns the command in words, as messages have it: without its secrets, and its beginning only where it is long, unless somebody
     * may have to type it.
     */
    public String text() {
        String command = String.join(" ", Secrets.HIDDEN.command(itself())).replaceAll("\\s+", " ");
        return what + " ("
                + (command.length() > LONGEST && !SetEnv.is(itself())
                        ? command.substring(0, LONGEST) + " ..."
                        : command)
                + ")";
    }

    /** Returns what a user can do about it. */
    public String byHand() {
        return "run it by hand in " + folder;
    }

    /** Returns the command in words without a line break, for a note of which {@link #parse} makes it again. */
    String note() {
        List<String> all = new ArrayList<>(List.of(what, folder.toString(), Integer.toString(environment.size())));
        new TreeMap<>(environment).forEach((name, value) -> all.add(name + "=" + value));
        all.addAll(words);
        List<String> encoded = new ArrayList<>(all.stream()
                .map(word -> URLEncoder.encode(word, StandardCharsets.UTF_8))
                .toList());
        encoded.add(WHOLE);
        return String.join(" ", encoded);
    }

    /** Reads a note; one that was cut is an {@link IllegalArgumentException}. */
    static UserCommand parse(String note) {
        List<String> all = new ArrayList<>(List.of(note.split(" ", -1)));
        if (all.size() < 5 || !all.removeLast().equals(WHOLE)) {
            throw new IllegalArgumentException("cut: " + note);
        }
        all.replaceAll(word -> URLDecoder.decode(word, StandardCharsets.UTF_8));
        int words = 3 + Integer.parseInt(all.get(2));
        if (words < 3 || words >= all.size()) {
            throw new IllegalArgumentException("no command: " + note);
        }
        Map<String, String> environment = new LinkedHashMap<>();
        for (String variable : all.subList(3, words)) {
            int equals = variable.indexOf('=');
            environment.put(variable.substring(0, equals), variable.substring(equals + 1));
        }
        return new UserCommand(all.getFirst(), all.subList(words, all.size()), Path.of(all.get(1)), environment);
    }
}
