package dev.kiln.tune;

import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.ToolOptions;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.RunInfo.JvmInfo;
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
            words.add(jvm.map(known -> "the JVM " + (known.inForce().isEmpty() ? "was given " : "has in force ")
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
        boolean shown = (!flags.isEmpty() && jvm.isPresent())
                || (written.environment().isEmpty() && !written.limits().isEmpty());
        return new Effect(shown ? Optional.of(true) : Optional.empty(), String.join(", ", words));
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
