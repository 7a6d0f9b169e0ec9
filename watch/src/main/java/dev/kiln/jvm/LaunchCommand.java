package dev.kiln.jvm;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.Launcher;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.JvmOptions;
import dev.kiln.model.experiment.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** A LaunchCommand is a target's with JDK and flags in their places, and what it adds to the environment. */
public record LaunchCommand(List<String> command, Map<String, String> environment) {
    public LaunchCommand {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    /**
     * Returns the command as it was typed: {@code java} is what a shell finds, and a script sees the JAVA_HOME and PATH
     * of the shell. Where the target names a JDK, a {@code java} command becomes that JDK's {@code java}, and a script
     * is told through JAVA_HOME and PATH. The flags follow {@code java}; a script gets them through JDK_JAVA_OPTIONS,
     * which the {@code java} launcher reads.
     *
     * @param inherited Kiln's own environment
     */
    public static LaunchCommand of(Target target, Map<String, String> inherited) {
        if (target.command().isEmpty()) {
            throw new IllegalArgumentException("a target without a command");
        }
        Map<String, String> environment = new HashMap<>(target.environment());
        if (!JvmOptions.isJava(target.command().getFirst())) {
            target.jdkHome().ifPresent(home -> tellJdk(home, environment, inherited));
            tellFlags(target.jvmFlags(), environment, inherited.getOrDefault("JDK_JAVA_OPTIONS", ""));
        }
        tellInherited(environment, inherited);
        return assembled(target, environment);
    }

    /**
     * Makes the command for a container or another machine, with files and an environment of its own: it uses the
     * {@code java} that is there, unless the target names a JDK. That JDK must have the same path there as here.
     */
    public static LaunchCommand elsewhere(Target target) {
        Map<String, String> environment = new HashMap<>(target.environment());
        if (!JvmOptions.isJava(target.command().getFirst())) {
            target.jdkHome().ifPresent(home -> environment.putIfAbsent("JAVA_HOME", home.toString()));
            tellFlags(target.jvmFlags(), environment, "");
        }
        return assembled(target, environment);
    }

    /** Puts what Kiln's environment says to every JVM on record. The target inherits it anyway. */
    private static void tellInherited(Map<String, String> environment, Map<String, String> inherited) {
        Launcher.JVM_OPTIONS.stream()
                .filter(inherited::containsKey)
                .forEach(name -> environment.putIfAbsent(name, inherited.getOrDefault(name, "")));
    }

    private static String java(Path home) {
        return home.resolve("bin").resolve("java").toString();
    }

    private static LaunchCommand assembled(Target target, Map<String, String> environment) {
        String program = target.command().getFirst();
        List<String> command = new ArrayList<>();
        if (JvmOptions.isJava(program)) {
            command.add(target.jdkHome().map(LaunchCommand::java).orElse(program));
            command.addAll(target.jvmFlags());
        } else {
            command.add(program);
        }
        command.addAll(target.command().subList(1, target.command().size()));
        command.addAll(target.arguments());
        return new LaunchCommand(command, environment);
    }

    private static void tellJdk(Path home, Map<String, String> environment, Map<String, String> inherited) {
        environment.putIfAbsent("JAVA_HOME", home.toString());
        String path = inherited.getOrDefault("PATH", "/usr/bin:/bin");
        environment.putIfAbsent("PATH", home.resolve("bin") + ":" + path);
    }

    /** @param inherited value of the variable, where the target has none of its own */
    private static void tellFlags(List<String> flags, Map<String, String> environment, String inherited) {
        if (!flags.isEmpty()) {
            String before = environment.getOrDefault("JDK_JAVA_OPTIONS", inherited);
            List<String> options = new ArrayList<>(before.isBlank() ? List.of() : List.of(before));
            flags.forEach(flag -> options.add(quoted(flag)));
            environment.put("JDK_JAVA_OPTIONS", String.join(" ", options));
        }
    }

    /** The launcher splits JDK_JAVA_OPTIONS at blanks outside quotes. */
    private static String quoted(String flag) {
        boolean plain = flag.chars().noneMatch(c -> Character.isWhitespace(c) || c == '"' || c == '\'');
        if (plain) {
            return flag;
        }
        char quote = flag.indexOf('"') < 0 ? '"' : '\'';
        return quote + flag + quote;
    }

    /** A RunningCommand is what a running JVM was started with, to start the same again, environment and all. */
    record RunningCommand(Jdk jdk, List<String> command, Path folder, Map<String, String> environment) {
        /** Options that are in a file, where Kiln does not see those that write. */
        private static final Pattern IN_A_FILE = Pattern.compile("@.+|-XX:(?:VMOptionsFile|Flags)=.*");

        RunningCommand {
            command = List.copyOf(command);
            environment = Map.copyOf(environment);
        }

        /**
         * @param instead what to do if that cannot be told
         * @throws KilnException if it cannot be read or is not to be repeated, or the process has other files than Kiln
         */
        static RunningCommand of(ProcFs fs, long pid, String instead) {
            String proc = "proc/" + pid + "/";
            Optional<Jdk> jdk = fs.link(proc + "exe")
                    .filter(file -> !file.endsWith(" (deleted)"))
                    .map(Path::of)
                    .flatMap(JdkFinder::of);
            Optional<Path> folder = fs.link(proc + "cwd").map(Path::of);
            List<String> command = words(fs, proc + "cmdline");
            if (jdk.isEmpty()
                    || folder.isEmpty()
                    || !fs.link(proc + "ns/mnt").equals(fs.link("proc/self/ns/mnt"))
                    || !owner(fs.path("proc/" + pid)).equals(owner(fs.path("proc/self")))) {
                throw KilnException.machine(
                        "process " + pid + " is another user's or in a container, or its JDK was replaced",
                        "run this command as its user, where it runs, or " + instead);
            }
            if (command.stream().anyMatch(word -> IN_A_FILE.matcher(word).matches())) {
                throw KilnException.usage(
                        "options of process " + pid + " are in a file, and may write what the process owns", instead);
            }
            Map<String, String> environment = new HashMap<>();
            words(fs, proc + "environ").forEach(word -> {
                int equals = word.indexOf('=');
                if (equals > 0) {
                    environment.put(word.substring(0, equals), word.substring(equals + 1));
                }
            });
            return new RunningCommand(jdk.get(), command, folder.get(), environment);
        }

        private static Optional<Object> owner(Path process) {
            try {
                return Optional.of(Files.getAttribute(process, "unix:uid"));
            } catch (IOException e) {
                return Optional.empty();
            }
        }

        private static List<String> words(ProcFs fs, String file) {
            return fs.text(file).stream()
                    .flatMap(text -> Arrays.stream(text.split("\0", 0)))
                    .toList();
        }
    }
}
