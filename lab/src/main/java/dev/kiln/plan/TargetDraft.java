package dev.kiln.plan;

import dev.kiln.model.Modifier;
import dev.kiln.model.Placeholders;
import dev.kiln.model.Target;
import dev.kiln.model.Target.AotCache;
import dev.kiln.model.Target.JdkChoice;
import dev.kiln.model.Target.Readiness;
import dev.kiln.model.Where;
import dev.kiln.plan.Problems.BadValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What a target or variant says of itself, before it inherits the rest. */
record TargetDraft(
        List<String> command,
        Optional<String> workload,
        Optional<Boolean> virtualThreads,
        Map<String, String> environment,
        Optional<Path> directory,
        Optional<JdkChoice> jdk,
        List<String> jvmFlags,
        List<String> arguments,
        Optional<Readiness> readiness,
        List<Modifier> modifiers,
        Optional<AotCache> aot,
        Optional<Where> where) {

    static TargetDraft empty() {
        return of(List.of(), List.of());
    }

    /** One that says nothing else. */
    static TargetDraft of(List<String> jvmFlags, List<Modifier> modifiers) {
        return new TargetDraft(
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                jvmFlags,
                List.of(),
                Optional.empty(),
                modifiers,
                Optional.empty(),
                Optional.empty());
    }

    TargetDraft with(List<Modifier> more) {
        return of(List.of(), more).over(this);
    }

    /** Flags and arguments are appended to the base's, environment and modifiers merged, all else replaces the base's. */
    TargetDraft over(TargetDraft base) {
        boolean ownProgram = !command.isEmpty() || workload.isPresent();
        Map<String, String> merged = new LinkedHashMap<>(base.environment);
        merged.putAll(environment);
        return new TargetDraft(
                ownProgram ? command : base.command,
                ownProgram ? workload : base.workload,
                virtualThreads.or(base::virtualThreads),
                merged,
                directory.or(base::directory),
                jdk.or(base::jdk),
                joined(base.jvmFlags, jvmFlags),
                joined(base.arguments, arguments),
                readiness.or(base::readiness),
                Modifiers.joined(base.modifiers, modifiers),
                aot.or(base::aot),
                where.or(base::where));
    }

    private static List<String> joined(List<String> first, List<String> second) {
        List<String> all = new ArrayList<>(first);
        all.addAll(second);
        return List.copyOf(all);
    }

    /**
     * @param base working directory of a command that names none
     * @param usesPort whether load or readiness go to the port that Kiln gives the target
     */
    Target finish(Path base, boolean usesPort) {
        if (command.isEmpty() && workload.isEmpty()) {
            throw new BadValue("nothing to run: neither a command nor a workload");
        }
        boolean threads = virtualThreads.orElse(false) || Modifiers.virtualThreads(modifiers);
        boolean java = workload.isPresent() || isJava();
        if (workload.isEmpty()) {
            checkFlagsReachJava(java);
            checkPortIsTold(usesPort);
            if (virtualThreads.orElse(false)) {
                throw new BadValue("virtualThreads is known of workloads only;"
                        + " for a command of your own, give the framework's switch in jvmFlags");
            }
        }
        Where place = where.orElseGet(Where.Here::new);
        if (place instanceof Where.Container container) {
            checkContained(container);
        }
        Map<String, String> variables = new LinkedHashMap<>(environment);
        if (threads && !java) {
            // What Spring reads where no property can be given.
            variables.putIfAbsent("SPRING_THREADS_VIRTUAL_ENABLED", "true");
        }
        Target target = new Target(
                new Target.Program(
                        workload,
                        threads && workload.isPresent(),
                        command,
                        arguments,
                        variables,
                        workload.isPresent() || !(place instanceof Where.Here)
                                ? directory
                                : directory.or(
                                        () -> Optional.of(base.toAbsolutePath().normalize()))),
                new Target.Jvm(jdk, joined(jvmFlags, Modifiers.flags(modifiers, java && workload.isEmpty())), aot),
                readiness.orElseGet(() -> new Readiness.FirstResponse(Defaults.READY_TIMEOUT)),
                modifiers,
                place);
        HostRules.check(target);
        return target;
    }

    private boolean isJava() {
        Path executable = Path.of(command.getFirst()).getFileName();
        return executable != null && executable.toString().equals("java");
    }

    /** Flags that silently reach nobody would make two variants equal. */
    private void checkFlagsReachJava(boolean java) {
        String found = " need a command that begins with java, found '" + command.getFirst() + "'";
        if (!jvmFlags.isEmpty() && !java) {
            throw new BadValue("jvmFlags" + found + "; for a script, set JAVA_TOOL_OPTIONS in the environment");
        }
        if (!java && !Modifiers.flags(modifiers, false).isEmpty()) {
            throw new BadValue("modifiers that are JVM flags" + found
                    + "; for a script, set JAVA_TOOL_OPTIONS in the environment");
        }
        if (!java && aot.isPresent()) {
            throw new BadValue("AOT caches" + found);
        }
    }

    private void checkContained(Where.Container container) {
        if (aot.isPresent()) {
            throw new BadValue("found aot with a container, expected one of them: Kiln makes and proves AOT caches of"
                    + " targets that run among this machine's files");
        }
        for (Modifier modifier : modifiers) {
            boolean twice =
                    (modifier instanceof Modifier.CpuQuota && container.cpus().isPresent())
                            || (modifier instanceof Modifier.MemoryLimit
                                    && container.memoryBytes().isPresent());
            if (twice) {
                throw new BadValue("found the modifier " + modifier.text()
                        + " and the same limit in container, expected one of them");
            }
            if (modifier instanceof Modifier.CompilerPriority priority
                    && priority.by() == Modifier.CompilerPriority.By.FLAGS) {
                throw new BadValue(
                        "found compiler-priority: flags with a container, expected compiler-priority: renice:"
                                + " a JVM in a container may not favour its threads");
            }
        }
    }

    private void checkPortIsTold(boolean usesPort) {
        boolean told = Stream.of(command, arguments, jvmFlags, environment.values())
                .flatMap(texts -> texts.stream())
                .anyMatch(text -> Placeholders.namesIn(text).contains(Placeholders.PORT));
        if (usesPort && !told) {
            throw new BadValue("the load goes to ${port}, but the target is never told it;"
                    + " put ${port} into its arguments, JVM flags or environment, or a fixed port into the URL");
        }
    }
}
