package dev.kiln.explain;

import dev.kiln.model.Treatment;
import dev.kiln.model.Treatment.AotTraining;
import dev.kiln.model.Treatment.AotUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a reader must know of what was done to a run. Free of figures that differ from run to run: the same words join. */
final class TreatmentNotes {
    private TreatmentNotes() {}

    static List<String> of(Treatment treatment) {
        List<String> notes = new ArrayList<>();
        if (!treatment.modifiers().isEmpty()) {
            notes.add("modified: " + String.join(", ", treatment.modifiers()));
        }
        treatment.aot().filter(aot -> aot.rejection().isEmpty()).ifPresent(aot -> notes.add(used(aot)));
        return notes;
    }

    private static String used(AotUse aot) {
        String trained = aot.trained().equals("file")
                ? "AOT cache used, as given"
                : "AOT cache used, trained by " + aot.trained();
        return trained
                + aot.training().map(TreatmentNotes::made).orElse("")
                + (aot.replaysTraining().orElse(true) ? "" : "; its training is not replayed");
    }

    private static String made(AotTraining training) {
        return String.format(
                Locale.ROOT,
                " (recorded in %.1f s, created in %.1f s, %.0f MB)",
                training.recordNanos() / 1e9,
                training.createNanos() / 1e9,
                training.cacheBytes() / 1e6);
    }
}
