package dev.kiln.report;

import dev.kiln.model.Treatment;
import dev.kiln.model.Treatment.AotUse;

/** What was done to the first run, in {@code result.json}; left out where that is nothing. */
record TreatmentJson(JsonOut out) {
    void write(Treatment treatment) {
        if (!treatment.equals(Treatment.NONE)) {
            out.object("treatment", () -> {
                out.texts("modifiers", treatment.modifiers());
                out.texts("instruments", treatment.instruments());
                treatment.aot().ifPresent(aot -> out.object("aot", () -> aot(aot)));
            });
        }
    }

    private void aot(AotUse aot) {
        out.text("file", aot.file());
        out.text("trained", aot.trained());
        out.flag("mapped", aot.mapped());
        out.integer("sharedClasses", aot.sharedClasses());
        aot.replaysTraining().ifPresent(replays -> out.flag("replaysTraining", replays));
        aot.rejection().ifPresent(why -> out.text("rejection", why));
        aot.training().ifPresent(training -> {
            out.number("recordSeconds", training.recordNanos() / 1e9, 3);
            out.number("createSeconds", training.createNanos() / 1e9, 3);
            out.integer("cacheBytes", training.cacheBytes());
        });
    }
}
