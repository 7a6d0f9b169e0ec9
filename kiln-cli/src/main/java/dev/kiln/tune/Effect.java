package dev.kiln.tune;

import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.JvmOptions.ToolOptions;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.run.Machine.JvmInfo;
import dev.kiln.model.run.RunEvidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * An Effect is what a run shows of the files of a cure.
 *
 * @param took whether they do something to the service; empty where that does not show
 * @param words for people
 */
record Effect(Optional<Boolean> took, String words) {
    static Effect of(Variant baseline, Candidate winner, WrittenCure written, RunEvidence run) {
        List<String> flags = new ArrayList<>(written.flags());
        // What the baseline has as well is no effect of the files.
        flags.removeAll(ToolOptions.parse(baseline.target().environment().getOrDefault(ToolOptions.NAME, ""))
                .flags());
        List<Modifier> modifiers = winner.change().map(Change::modifiers).orElse(List.of());
        Optional<JvmInfo> jvm = run.info().jvm();
        Optional<String> none = Applicability.unreached(flags, run)
                .or(() -> Applicability.withoutEffect(new Change(modifiers, flags, Optional.empty()), run));
        if (none.isPresent()) {
            return new Effect(Optional.of(false), none.get());
        }
        List<String> words = new ArrayList<>();
        if (!flags.isEmpty()) {
            words.add(jvm.map(known -> !flags.stream().allMatch(flag -> has(flag, known))
                            ? "the JVM tells too little of its arguments to show whether it has "
                                    + String.join(" ", flags)
                            : (known.inForce().isEmpty() ? "the JVM was given " : "the JVM has in force ")
                                    + new ToolOptions(flags.stream()
                                                    .map(flag -> inForce(flag, known))
                                                    .toList())
                                            .text())
                    .orElse("Kiln saw no JVM, so whether one has the flags is not known"));
        }
        String others = written.environment().keySet().stream()
                .filter(name -> !name.equals(ToolOptions.NAME))
                .collect(Collectors.joining(", "));
        if (!others.isEmpty()) {
            words.add("whether the service reads " + others + " does not show");
        }
        if (!written.limits().isEmpty()) {
            words.add("with " + written.limits().stream().map(Modifier::text).collect(Collectors.joining(", ")));
        }
        boolean shown = (!flags.isEmpty()
                        && jvm.filter(known -> flags.stream().allMatch(flag -> has(flag, known)))
                                .isPresent())
                || (written.environment().isEmpty() && !written.limits().isEmpty());
        return new Effect(shown ? Optional.of(true) : Optional.empty(), String.join(", ", words));
    }

    /** Tells whether the JVM tells that it was given a flag, or has it in force: it tells the beginning of its arguments only. */
    private static boolean has(String flag, JvmInfo jvm) {
        int equals = flag.indexOf('=');
        String name = equals > 0 ? flag.substring(0, equals + 1) : flag;
        return jvm.flags().containsAll(List.of(flag.strip().split("\\s+", -1)))
                || jvm.inForce().stream().anyMatch(other -> equals > 0 ? other.startsWith(name) : other.equals(flag));
    }

    /** Returns what a JVM made of a flag with a value, such as the bytes of 16m. */
    private static String inForce(String flag, JvmInfo jvm) {
        int equals = flag.indexOf('=');
        return jvm.inForce().stream()
                .filter(other -> equals > 0 && other.startsWith(flag.substring(0, equals + 1)))
                .findFirst()
                .orElse(flag);
    }
}
