package dev.kiln.plan;

import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Hook;
import dev.kiln.model.experiment.JvmOptions;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.AotCache;
import dev.kiln.model.experiment.Target.JdkChoice;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.experiment.Where;
import dev.kiln.plan.Command.Whose;
import dev.kiln.plan.load.Defaults;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Problems.BadValue;
import dev.kiln.plan.text.Spot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A TargetDraft is what a target or variant says of itself, before it inherits the rest. */
record TargetDraft(
        ProgramDraft program,
        JvmDraft jvm,
        Map<String, String> environment,
        List<String> arguments,
        Optional<ReadySign> readiness,
        List<Modifier> modifiers,
        Optional<Where> where,
        List<Hook> hooks) {

    /** A ProgramDraft is what is started: a command or a workload. */
    record ProgramDraft(
            Command command, Optional<String> workload, Optional<Boolean> virtualThreads, Optional<Path> directory) {
        static final ProgramDraft NONE =
                new ProgramDraft(Command.NONE, Optional.empty(), Optional.empty(), Optional.empty());

        private ProgramDraft over(ProgramDraft base) {
            boolean own = !command.words().isEmpty() || workload.isPresent();
            return new ProgramDraft(
                    own ? command : base.command,
                    own ? workload : base.workload,
                    virtualThreads.or(base::virtualThreads),
                    directory.or(base::directory));
        }
    }

    record JvmDraft(Optional<JdkChoice> jdk, List<String> flags, Optional<AotCache> aot) {
        private JvmDraft over(JvmDraft base) {
            return new JvmDraft(jdk.or(base::jdk), joined(base.flags, flags), aot.or(base::aot));
        }
    }

    static TargetDraft empty() {
        return of(List.of(), List.of());
    }

    /** Returns a draft that says nothing but these flags and modifiers. */
    static TargetDraft of(List<String> jvmFlags, List<Modifier> modifiers) {
        return new TargetDraft(
                ProgramDraft.NONE,
                new JvmDraft(Optional.empty(), jvmFlags, Optional.empty()),
                Map.of(),
                List.of(),
                Optional.empty(),
                modifiers,
                Optional.empty(),
                List.of());
    }

    /** Returns a draft of which {@link #finish} makes this target again. */
    static TargetDraft of(Target target) {
        return new TargetDraft(
                new ProgramDraft(
                        new Command(target.command(), Whose.of(target.where()), Optional.empty()),
                        target.workload(),
                        target.virtualThreads() ? Optional.of(true) : Optional.empty(),
                        target.workingDirectory()),
                new JvmDraft(target.jdk(), target.jvm().ownFlags(), target.aot()),
                target.environment(),
                target.arguments(),
                Optional.of(target.readiness()),
                target.modifiers(),
                Optional.of(target.where()),
                target.hooks());
    }

    /** Returns the draft with a change, without the flags that contradict it: those of the command would win. */
    TargetDraft with(Change change) {
        List<String> flags = joined(change.jvmFlags(), Modifiers.flags(change.modifiers(), true));
        TargetDraft flagsAndModifiers =
                of(change.jvmFlags(), change.modifiers()).over(this);
        JvmDraft changed = flagsAndModifiers.jvm;
        List<String> left = changed.flags.stream()
                .filter(flag -> flags.stream().noneMatch(other -> JvmOptions.contradict(flag, other)))
                .toList();
        return new TargetDraft(
                new ProgramDraft(
                        program.command.without(flags), program.workload, program.virtualThreads, program.directory),
                new JvmDraft(changed.jdk, left, change.aot().or(changed::aot)),
                environment,
                arguments,
                readiness,
                flagsAndModifiers.modifiers,
                where,
                hooks);
    }

    /** Returns the draft with another environment. */
    TargetDraft with(Map<String, String> other) {
        return new TargetDraft(program, jvm, other, arguments, readiness, modifiers, where, hooks);
    }

    /**
     * Returns this draft with all that it inherits from a base. Flags and arguments are appended to the base's,
     * environment, modifiers and hooks merged, all else replaces the base's.
     */
    TargetDraft over(TargetDraft base) {
        Map<String, String> merged = new LinkedHashMap<>(base.environment);
        merged.putAll(environment);
        return new TargetDraft(
                program.over(base.program),
                jvm.over(base.jvm),
                merged,
                joined(base.arguments, arguments),
                readiness.or(base::readiness),
                Modifiers.joined(limitedOtherwise(base.modifiers), modifiers),
                where.flatMap(own -> base.where.map(other -> HostRules.joined(own, other)))
                        .or(() -> where)
                        .or(base::where),
                HookBinder.joined(base.hooks, hooks));
    }

    /** Returns the inherited modifiers that this draft does not replace. A boost replaces a quota, and vice versa. */
    private List<Modifier> limitedOtherwise(List<Modifier> inherited) {
        boolean limits = modifiers.stream().anyMatch(TargetDraft::limitsCpu);
        return inherited.stream()
                .filter(modifier -> !limits || !limitsCpu(modifier))
                .toList();
    }

    private static boolean limitsCpu(Modifier modifier) {
        return modifier instanceof Modifier.CpuQuota || modifier instanceof Modifier.BoostedStart;
    }

    private static List<String> joined(List<String> first, List<String> second) {
        List<String> all = new ArrayList<>(first);
        all.addAll(second);
        return List.copyOf(all);
    }

    /**
     * Makes a target of a draft that has inherited all it inherits.
     *
     * @param base working directory of a command that names none
     * @param usesPort whether load or readiness go to the port that Kiln gives the target
     */
    Target finish(Path base, boolean usesPort) {
        ReadySign sign = readiness.orElseGet(() -> new ReadySign.FirstResponse(Defaults.READY_TIMEOUT));
        if (where.isPresent() && where.get() instanceof Where.Running running) {
            boolean boosted = HostRules.boostsAPod(running, hooks, modifiers);
            return AttachRules.target(
                    launching(!boosted),
                    running,
                    sign,
                    usesPort,
                    new AttachRules.Around(environment, hooks, boosted ? modifiers : List.of()));
        }
        AttachRules.requireAttached(hooks);
        if (program.command.words().isEmpty() && program.workload.isEmpty()) {
            throw new BadValue("nothing to run: no command, no workload and no process to attach to");
        }
        boolean threads = program.virtualThreads.orElse(false) || Modifiers.virtualThreads(modifiers);
        boolean java = program.workload.isPresent() || program.command.isJava();
        if (program.workload.isEmpty()) {
            checkFlagsReachJava(java);
            checkPortIsTold(usesPort);
            if (program.virtualThreads.orElse(false)) {
                throw new BadValue("virtualThreads works only with a workload;"
                        + " with a command of your own, set the framework's switch in jvmFlags");
            }
        }
        Where place = where.orElseGet(Where.Here::new);
        checkBoost(place);
        if (place instanceof Where.ContainerPlace container) {
            checkContained(container);
        }
        Map<String, String> variables = new LinkedHashMap<>(environment);
        if (threads && !java) {
            // What Spring reads where no property can be given.
            variables.putIfAbsent(Changes.ScriptChange.SPRING_THREADS, "true");
        }
        Target target = new Target(
                new Target.Program(
                        program.workload,
                        threads && program.workload.isPresent(),
                        program.command.words(),
                        arguments,
                        variables,
                        directory(base, place),
                        List.of()),
                new Target.Jvm(
                        jvm.jdk, jvm.flags, Modifiers.flags(modifiers, java && program.workload.isEmpty()), jvm.aot),
                sign,
                modifiers,
                place,
                hooks);
        HostRules.check(target);
        return target;
    }

    /**
     * Returns the keys of a file with which this draft says how to launch the target.
     *
     * @param all whether modifiers are among them
     */
    private List<String> launching(boolean all) {
        return Stream.of(
                        program.command.words().isEmpty() ? "" : "command",
                        program.workload.map(name -> "workload").orElse(""),
                        program.virtualThreads.map(threads -> "virtualThreads").orElse(""),
                        program.directory.map(folder -> "directory").orElse(""),
                        arguments.isEmpty() ? "" : "arguments",
                        jvm.jdk.map(jdk -> "jdk").orElse(""),
                        jvm.flags.isEmpty() ? "" : "jvmFlags",
                        jvm.aot.map(aot -> "aot").orElse(""),
                        modifiers.isEmpty() || !all ? "" : "with (modifiers)")
                .filter(key -> !key.isEmpty())
                .toList();
    }

    /**
     * Returns the working directory. A command runs where it was typed. In a container or on another machine it does so
     * only if its words need that: elsewhere the folder may be missing.
     */
    private Optional<Path> directory(Path base, Where place) {
        boolean typedHere = place instanceof Where.Here || program.command.needsItsFolder();
        return program.workload.isPresent() || !typedHere
                ? program.directory
                : program.directory.or(() -> Optional.of(base.toAbsolutePath().normalize()));
    }

    /** Notes the files of this machine that the command names and that are not there. */
    void checkFiles(Path base, Spot variant, Problems problems) {
        Where place = where.orElseGet(Where.Here::new);
        boolean here = place instanceof Where.Here || program.directory.isEmpty();
        if (program.workload.isEmpty() && here) {
            Path directory = directory(base, place).orElse(base);
            program.command.checkFiles(directory, base, problems);
            program.command.checkFlags(jvm.flags, variant, directory, base, problems);
        }
    }

    /** Checks that flags reach a JVM: those that silently reach none would make two variants equal. */
    private void checkFlagsReachJava(boolean java) {
        String found = " need a command that begins with java, found '"
                + program.command.words().getFirst() + "'";
        if (!jvm.flags.isEmpty() && !java) {
            throw new BadValue("jvmFlags" + found + "; for a script, set JAVA_TOOL_OPTIONS in the environment");
        }
        if (!java && !Modifiers.flags(modifiers, false).isEmpty()) {
            throw new BadValue("modifiers that are JVM flags" + found
                    + "; for a script, set JAVA_TOOL_OPTIONS in the environment");
        }
        if (!java && jvm.aot.isPresent()) {
            throw new BadValue("AOT caches" + found);
        }
    }

    private void checkBoost(Where place) {
        if (modifiers.stream().noneMatch(Modifier.BoostedStart.class::isInstance)) {
            return;
        }
        if (!(place instanceof Where.Here)) {
            throw new BadValue("found cpu-boost with a container or another host, expected a command of this machine:"
                    + " Kiln changes the limits only of processes that it starts itself");
        }
        if (modifiers.stream().anyMatch(Modifier.CpuQuota.class::isInstance)) {
            throw new BadValue("found cpu-boost and cpu-quota, expected one of them: cpu-boost has both limits");
        }
    }

    private void checkContained(Where.ContainerPlace container) {
        if (jvm.aot.isPresent()) {
            throw new BadValue("found aot with a container, expected one of them: Kiln makes AOT caches only for"
                    + " targets outside containers");
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
                    && priority.by() == Modifier.CompilerPriority.ModifiedBy.FLAGS) {
                throw new BadValue(
                        "found compiler-priority: flags with a container, expected compiler-priority: renice:"
                                + " a JVM in a container may not raise the priority of its threads");
            }
        }
    }

    private void checkPortIsTold(boolean usesPort) {
        boolean told = Stream.of(program.command.words(), arguments, jvm.flags, environment.values())
                .flatMap(texts -> texts.stream())
                .anyMatch(text -> Placeholders.namesIn(text).contains(Placeholders.PORT));
        if (usesPort && !told) {
            throw new BadValue("the load goes to ${port}, but nothing tells the target that port;"
                    + " put ${port} into its arguments, JVM flags or environment, or a fixed port into the URL");
        }
    }
}
