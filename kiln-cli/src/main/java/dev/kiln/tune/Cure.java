package dev.kiln.tune;

import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.JvmOptions;
import dev.kiln.model.experiment.JvmOptions.ToolOptions;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Modifier.CompilerPriority;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.SetEnv;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.AotCache;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.experiment.Where.AttachPoint.KubePod;
import dev.kiln.tune.Candidates.Difference.DifferenceKind;
import dev.kiln.tune.Tuning.TuneProof;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A Cure is what a configuration can express of a proven cure: flags, environment, and comments above them for the
 * rest.
 *
 * @param directory of the search
 * @param secrets what becomes of passwords and tokens
 */
record Cure(Variant baseline, Tuning tuning, Path directory, Secrets secrets) {
    static final String CACHE = "/app/app.aot";

    /** A comment begins so that names what the file cannot say. */
    static final String MISSING = "Also needed, and not in this file: ";

    /** A comment that names a flag to remove has these words around it. */
    static final String REMOVE = "Remove ";

    static final String FROM_COMMAND = " from the command line";

    /** The differences cannot be made by flags and environment. */
    private static final Set<DifferenceKind> UNSAID =
            EnumSet.of(DifferenceKind.COMMAND, DifferenceKind.ARGUMENTS, DifferenceKind.JDK);

    TuneProof proof() {
        return tuning.winner().orElseThrow();
    }

    Target target() {
        return proof().candidate().variant().target();
    }

    /** Returns who starts the service anew; it is nobody known where Kiln starts it. */
    RestartedBy restartedBy() {
        return RestartedBy.of(target());
    }

    /** Returns the deployment of the proof with its container, as far as its target says it; empty for any other target. */
    Optional<KubePod> deployed() {
        return target().where() instanceof Where.Running running
                        && running.point() instanceof KubePod pod
                        && pod.deployment()
                ? Optional.of(new KubePod(
                        pod.namespace(),
                        true,
                        pod.name(),
                        SetEnv.of(target()).flatMap(SetEnv::container).or(pod::container),
                        1))
                : Optional.empty();
    }

    private Target before() {
        return baseline.target();
    }

    /**
     * Tells whether the proof had the compilers favoured by flags; where they were favoured from outside the process,
     * no configuration can do it.
     */
    boolean favouredByFlags() {
        return favoured()
                && target().where() instanceof Where.Here
                && target().modifier(CompilerPriority.class)
                        .filter(priority -> priority.by() == CompilerPriority.ModifiedBy.FLAGS
                                || (priority.by() == CompilerPriority.ModifiedBy.AUTO
                                        && (isJava() || own().flags().containsAll(CompilerPriority.FLAGS))))
                        .isPresent();
    }

    /** Returns the flags that the cure has in its environment. */
    private ToolOptions own() {
        return ToolOptions.parse(target().environment().getOrDefault(ToolOptions.NAME, ""));
    }

    /** Tells whether the command is {@code java}, as that of a workload is, which has no command of its own. */
    private boolean isJava() {
        return target().command().isEmpty()
                || JvmOptions.isJava(target().command().getFirst());
    }

    private boolean favoured() {
        return target().modifier(CompilerPriority.class).isPresent()
                && before().modifier(CompilerPriority.class).isEmpty();
    }

    /** Returns the boost that is part of the cure, with the length that the search found. */
    Optional<Modifier.BoostedStart> boost() {
        boolean isOfTheCure =
                !target().modifier(Modifier.BoostedStart.class).equals(before().modifier(Modifier.BoostedStart.class));
        return tuning.boost().filter(boost -> isOfTheCure).map(Tuning.Boost::modifier);
    }

    boolean trained() {
        return !target().aot().equals(before().aot())
                && target().aot()
                        .filter(aot -> !(aot instanceof AotCache.GivenCache))
                        .isPresent();
    }

    /** Tells whether the service is a jar: that of a workload is one, which has no command of its own. */
    boolean runsAJar() {
        List<String> command = target().command();
        return command.isEmpty()
                || JvmOptions.beforeMain(command).stream()
                        .anyMatch(word -> word.name().equals("-jar"));
    }

    /** Returns comments that all of these forms understand. */
    String head(String use) {
        return head(use, limits());
    }

    /** @param unsaid limits of the cure that the form does not have */
    String head(String use, List<Modifier> unsaid) {
        List<String> besides = new ArrayList<>(besides());
        unsaid.forEach(modifier -> besides.add(MISSING + modifier.text()));
        return head(List.of(use), besides);
    }

    String head(List<String> use, List<String> besides) {
        List<String> lines = new ArrayList<>(use);
        lines.add("Proven by the runs in " + directory.resolve(proof().stage()) + ":");
        lines.add(TuneText.sentence(tuning, baseline));
        tuning.baseline().circumstances().forEach(one -> lines.add("Measured with " + one.what() + ": " + one.words()));
        proof().candidate().cost().ifPresent(cost -> lines.add("It costs: " + cost));
        lines.addAll(besides);
        return lines.stream()
                .map(line -> "# " + secrets.text(line).replaceAll("\\s+", " ") + "\n")
                .collect(Collectors.joining());
    }

    /** Returns the CPU and memory limits that the cure has and the baseline has not. */
    List<Modifier> limits() {
        return target().modifiers().stream()
                .filter(modifier -> !before().modifiers().contains(modifier))
                .filter(modifier -> modifier instanceof Modifier.Cpus
                        || modifier instanceof Modifier.CpuQuota
                        || modifier instanceof Modifier.BoostedStart
                        || modifier instanceof Modifier.MemoryLimit)
                .toList();
    }

    /** Returns those of the limits that no setting of a unit or of a deployment is. */
    List<Modifier> unsettable() {
        return limits().stream()
                .filter(modifier -> modifier instanceof Modifier.Cpus || modifier instanceof Modifier.BoostedStart)
                .toList();
    }

    /** Returns what a reader has to do besides using the file, in lines. */
    private List<String> besides() {
        List<String> lines = new ArrayList<>();
        Candidates.differences(baseline, proof().candidate().variant()).stream()
                .filter(change -> UNSAID.contains(change.kind()))
                .forEach(change -> lines.add(MISSING + change.words()));
        if (favoured() && !favouredByFlags()) {
            lines.add(MISSING + "the compilers were favoured from outside, with renice");
        }
        if (values().containsKey(ToolOptions.NAME)) {
            lines.add("If the service has " + ToolOptions.NAME + " already, add these flags to them.");
        }
        for (String flag : JvmOptions.of(before())) {
            if (flags().stream().anyMatch(mine -> JvmOptions.contradict(mine, flag))) {
                lines.add(REMOVE + flag + FROM_COMMAND + ": there it wins over " + ToolOptions.NAME + ".");
            }
        }
        values().forEach((name, value) -> {
            if (isHeldBack(name, value)) {
                lines.add(MISSING + "a value for " + name);
            }
        });
        return lines;
    }

    /** Returns the flags of the JVM that the cure has and the baseline has not. */
    private List<String> flags() {
        List<String> flags = new ArrayList<>(target().jvmFlags());
        before().jvmFlags().forEach(flags::remove);
        boolean workload =
                target().workload().filter(name -> name.contains("spring")).isPresent();
        if (workload && target().virtualThreads() && !before().virtualThreads()) {
            flags.add("-Dspring.threads.virtual.enabled=true");
        }
        if (favouredByFlags()) {
            flags.addAll(CompilerPriority.FLAGS);
            flags.removeAll(own().flags());
        }
        if (!target().aot().equals(before().aot())) {
            target().aot()
                    .ifPresent(aot -> flags.add("-XX:AOTCache="
                            + (aot instanceof AotCache.GivenCache given
                                    ? given.file().toString()
                                    : CACHE)));
        }
        return flags;
    }

    private Map<String, String> values() {
        Map<String, String> values = new TreeMap<>();
        target().environment().forEach((name, value) -> {
            if (!value.equals(before().environment().get(name))) {
                values.put(name, value);
            }
        });
        if (!flags().isEmpty()) {
            values.put(ToolOptions.NAME, own().and(flags()).text());
        }
        return values;
    }

    /**
     * Tells whether a value is withheld: it means nothing elsewhere, nobody may read it, or these forms cannot hold it.
     */
    boolean isHeldBack(String value) {
        return !Placeholders.namesIn(value).isEmpty() || !secrets.text(value).equals(value) || value.indexOf('\n') >= 0;
    }

    private boolean isHeldBack(String name, String value) {
        String assigned = name + "=" + value;
        return isHeldBack(value) || !secrets.text(assigned).equals(assigned);
    }

    Map<String, String> environment() {
        Map<String, String> shown = new TreeMap<>(values());
        shown.entrySet().removeIf(one -> isHeldBack(one.getKey(), one.getValue()));
        return shown;
    }
}
