package dev.kiln.plan;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.JvmOptions;
import dev.kiln.model.experiment.JvmOptions.ToolOptions;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Modifier.CompilerPriority;
import dev.kiln.model.experiment.SetEnv;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.AotCache;
import dev.kiln.model.experiment.Target.JdkChoice;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Variant.SweepLevel;
import dev.kiln.model.experiment.Where;
import dev.kiln.plan.text.Problems.BadValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Changes makes variants that no file describes. */
public final class Changes {
    private Changes() {}

    /**
     * Returns a variant with a change, as a file would have it. Flags reach a JVM that a script starts by the environment.
     *
     * @throws KilnException if its target cannot have it, with the reason
     */
    public static Variant of(Variant variant, String name, Change change) {
        try {
            TargetDraft draft = TargetDraft.of(variant.target());
            Target changed = (ScriptChange.isScript(variant.target())
                            ? ScriptChange.of(variant.target(), change).of(draft)
                            : draft.with(change))
                    .finish(Path.of(""), false);
            return variant.named(name)
                    .with(changed.with(
                            changed.program().with(variant.target().program().backend())));
        } catch (BadValue e) {
            throw KilnException.usage(e.text(), "");
        }
    }

    /** Returns each variant with each of these JDKs. A variant that is the only one is then called by its JDK. */
    public static List<Variant> byJdk(List<Variant> variants, List<JdkChoice> jdks) {
        boolean one = variants.stream().map(Changes::configuration).distinct().count() == 1;
        List<Variant> all = variants.stream()
                .flatMap(variant -> jdks.stream()
                        .map(jdk -> named(variant, (one ? "" : configuration(variant) + "-") + name(jdk))
                                .with(variant.target().with(jdk))))
                .toList();
        if (all.stream().map(Variant::name).distinct().count() < all.size()) {
            throw KilnException.usage(
                    "--jdks: two JDKs would give variants of the same name",
                    "a home directory gives its own name: name links to two that are called alike, such as jdk-1 and jdk-2");
        }
        if (variants.stream()
                .anyMatch(variant -> variant.target()
                        .aot()
                        .filter(AotCache.OfVariant.class::isInstance)
                        .isPresent())) {
            throw KilnException.usage(
                    "--jdks: a variant takes the AOT cache of another one, and a cache is for one JDK",
                    "leave --jdks out, and write the variants into the file");
        }
        return all;
    }

    private static String configuration(Variant variant) {
        return variant.connections().isPresent()
                ? SweepLevel.of(variant.name(), variant.connections().getAsInt())
                        .map(SweepLevel::configuration)
                        .orElse(variant.name())
                : variant.name();
    }

    private static Variant named(Variant variant, String configuration) {
        return variant.connections().isPresent()
                ? variant.at(new SweepLevel(configuration, variant.connections().getAsInt()))
                : variant.named(configuration);
    }

    private static String name(JdkChoice jdk) {
        return switch (jdk) {
            case JdkChoice.Version version -> "jdk" + version.version().replace("+", "");
            case JdkChoice.Home home ->
                String.valueOf(home.home().getFileName()).replaceAll("[^A-Za-z0-9._-]|^[^A-Za-z0-9]+", "");
        };
    }

    /**
     * A ScriptChange is a change of a target whose JVM Kiln does not start itself: its command is a script, or others
     * start it anew. Flags reach that JVM by the environment, and the command stays as it is.
     *
     * @param inherited value of {@link ToolOptions#NAME} in the environment in which the target will run; may be empty
     */
    record ScriptChange(Change change, String inherited) {
        static final String SPRING_THREADS = "SPRING_THREADS_VIRTUAL_ENABLED";

        private static final Set<String> ENGINES = Set.of("podman", "docker");

        /** Tells whether flags of a JVM cannot be put into the target's command. */
        static boolean isScript(Target target) {
            return target.where() instanceof Where.Running
                    || (!target.command().isEmpty()
                            && target.workload().isEmpty()
                            && !JvmOptions.isJava(target.command().getFirst()));
        }

        /**
         * Returns the change of this target, which inherits Kiln's own environment where it runs here. So does the
         * command that starts one of others' anew.
         */
        static ScriptChange of(Target target, Change change) {
            boolean inherits = target.where() instanceof Where.Here
                    || (target.where() instanceof Where.Running
                            && SetEnv.of(target).isEmpty());
            return new ScriptChange(change, inherits ? System.getenv().getOrDefault(ToolOptions.NAME, "") : "");
        }

        TargetDraft of(TargetDraft draft) {
            // A service of others' may pass on no more than one variable, and a property can be in it.
            boolean ofOthers =
                    draft.where().filter(Where.Running.class::isInstance).isPresent();
            List<String> flags = new ArrayList<>(change.jvmFlags());
            flags.addAll(Modifiers.flags(change.modifiers(), ofOthers));
            if (favoursHere(draft)) {
                flags.addAll(CompilerPriority.FLAGS);
            }
            List<Modifier> others = change.modifiers().stream()
                    .filter(modifier ->
                            Modifiers.flags(List.of(modifier), ofOthers).isEmpty())
                    .toList();
            if (ofOthers) {
                requireFlagsAlone(
                        others, draft.where().flatMap(Where::elsewhere).isPresent());
            }
            TargetDraft changed = draft.with(new Change(others, List.of(), change.aot()));
            List<String> command = draft.program().command().words();
            if (Modifiers.virtualThreads(others)) {
                checkPassed(command, SPRING_THREADS);
            }
            if (flags.isEmpty()) {
                return changed;
            }
            checkPassed(command, ToolOptions.NAME);
            String before = draft.environment().getOrDefault(ToolOptions.NAME, inherited);
            Map<String, String> environment = new LinkedHashMap<>(changed.environment());
            environment.put(
                    ToolOptions.NAME, ToolOptions.parse(before).and(flags).text());
            return changed.with(environment);
        }

        /**
         * Tells whether compilers are favoured by flags too, and not from outside alone: what a search proves can then be handed
         * over. In a container the JVM has no right to it.
         */
        private boolean favoursHere(TargetDraft draft) {
            return draft.where().filter(place -> !(place instanceof Where.Here)).isEmpty()
                    && !isOfEngine(draft.program().command().words())
                    && change.modifiers().stream()
                            .anyMatch(modifier -> modifier instanceof CompilerPriority priority
                                    && priority.by() == CompilerPriority.ModifiedBy.AUTO);
        }

        /** Checks that the change of a service which Kiln does not start is nothing but flags. */
        private void requireFlagsAlone(List<Modifier> others, boolean elsewhere) {
            if (change.aot().isPresent()) {
                throw new BadValue("the file of an AOT cache would have to be where others start the service");
            }
            if (!others.isEmpty()) {
                throw new BadValue("Kiln changes nothing of a process that it does not start"
                        + (elsewhere ? "; where this one runs, it has the rights of the container alone" : ""));
            }
        }

        /** Checks that the engine of a container command passes a variable of its own environment on to the container. */
        private static void checkPassed(List<String> command, String variable) {
            int run = command.indexOf("run");
            if (isOfEngine(command) && run > 0 && !passes(command.subList(run + 1, command.size()), variable)) {
                String engine = engine(command);
                throw new BadValue(engine + " run does not pass " + variable + " on to the container; write " + engine
                        + " run --env " + variable
                        + " ..., or let Kiln make the container (container: in the experiment)");
            }
        }

        private static boolean isOfEngine(List<String> command) {
            return ENGINES.contains(engine(command));
        }

        /** Returns the name of the program that a command starts; blank for none. */
        private static String engine(List<String> command) {
            return command.isEmpty()
                    ? ""
                    : String.valueOf(Path.of(command.getFirst()).getFileName());
        }

        private static boolean passes(List<String> options, String variable) {
            return Stream.concat(
                            options.stream()
                                    .filter(word -> word.startsWith("-"))
                                    .map(word -> word.replaceFirst("^(--env=|-e=?)", "")),
                            Stream.iterate(0, at -> at + 1 < options.size(), at -> at + 1)
                                    .filter(at -> Set.of("--env", "-e").contains(options.get(at)))
                                    .map(at -> options.get(at + 1)))
                    .anyMatch(word -> word.equals(variable) || word.equals("--env-host"));
        }
    }
}
