package dev.kiln.jvm;

import dev.kiln.host.process.Launcher;
import dev.kiln.model.experiment.JvmOptions;
import dev.kiln.model.experiment.Target;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The command that launches a target, with its JDK and its flags in the right places.
 *
 * @param environment added to Kiln's own; variables of Kiln's own that give flags to the JVM are in it too
 */
public record LaunchCommand(List<String> command, Map<String, String> environment) {
    public LaunchCommand {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }

    /**
     * A {@code java} command becomes the JDK's {@code java}, followed by the flags. Anything else, such as a start
     * script, gets the JDK through JAVA_HOME and PATH, and the flags through JDK_JAVA_OPTIONS, which the {@code java}
     * launcher reads.
     *
     * @param jdk home of the JDK to use, unless the target names one. A {@code java} command with a path keeps its path,
     *     unless the target names a JDK
     * @param inherited Kiln's own environment
     * @throws dev.kiln.model.KilnException if the command needs a JDK and there is none
     */
    public static LaunchCommand of(Target target, Optional<Path> jdk, Map<String, String> inherited) {
        if (target.command().isEmpty()) {
            throw new IllegalArgumentException("a target without a command");
        }
        String program = target.command().getFirst();
        Optional<Path> home = target.jdkHome().or(() -> jdk);
        Map<String, String> environment = new HashMap<>(target.environment());
        if (!JvmOptions.isJava(program)) {
            tellJdk(home, target.jvmFlags(), environment, inherited);
            tellInherited(environment, inherited);
            return assembled(target, program, List.of(), environment);
        }
        tellInherited(environment, inherited);
        boolean keep = program.contains("/") && target.jdkHome().isEmpty();
        return assembled(
                target, keep ? program : java(home.orElseThrow(JdkFinder::none)), target.jvmFlags(), environment);
    }

    /**
     * For a container or another machine, with files and an environment of its own: it uses the {@code java} that is there,
     * unless the target names a JDK. That JDK must have the same path there as here.
     */
    public static LaunchCommand elsewhere(Target target) {
        String program = target.command().getFirst();
        Map<String, String> environment = new HashMap<>(target.environment());
        if (!JvmOptions.isJava(program)) {
            target.jdkHome().ifPresent(home -> environment.putIfAbsent("JAVA_HOME", home.toString()));
            tellFlags(target.jvmFlags(), environment, environment.getOrDefault("JDK_JAVA_OPTIONS", ""));
            return assembled(target, program, List.of(), environment);
        }
        String java = target.jdkHome().map(LaunchCommand::java).orElse(program);
        return assembled(target, java, target.jvmFlags(), environment);
    }

    /** What Kiln's environment says to every JVM, the target inherits anyway. Here it is for the record. */
    private static void tellInherited(Map<String, String> environment, Map<String, String> inherited) {
        Launcher.JVM_OPTIONS.stream()
                .filter(inherited::containsKey)
                .forEach(name -> environment.putIfAbsent(name, inherited.getOrDefault(name, "")));
    }

    private static String java(Path home) {
        return home.resolve("bin").resolve("java").toString();
    }

    private static LaunchCommand assembled(
            Target target, String program, List<String> flags, Map<String, String> environment) {
        List<String> command = new ArrayList<>();
        command.add(program);
        command.addAll(flags);
        command.addAll(target.command().subList(1, target.command().size()));
        command.addAll(target.arguments());
        return new LaunchCommand(command, environment);
    }

    private static void tellJdk(
            Optional<Path> jdk, List<String> flags, Map<String, String> environment, Map<String, String> inherited) {
        jdk.ifPresent(home -> {
            environment.putIfAbsent("JAVA_HOME", home.toString());
            String path = inherited.getOrDefault("PATH", "/usr/bin:/bin");
            environment.putIfAbsent("PATH", home.resolve("bin") + ":" + path);
        });
        tellFlags(
                flags,
                environment,
                environment.getOrDefault("JDK_JAVA_OPTIONS", inherited.getOrDefault("JDK_JAVA_OPTIONS", "")));
    }

    private static void tellFlags(List<String> flags, Map<String, String> environment, String before) {
        if (!flags.isEmpty()) {
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
}
