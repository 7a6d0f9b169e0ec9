package dev.kiln.plan;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Variant;
import dev.kiln.plan.text.Problems.BadValue;
import java.nio.file.Path;
import java.util.List;

/** Variants that no file describes. */
public final class Changes {
    private Changes() {}

    /** The JVM flags of a target without those that its modifiers brought. */
    public static List<String> ownFlags(Target target) {
        return TargetDraft.of(target).jvm().flags();
    }

    /**
     * A variant with a change, as a file would have it.
     *
     * @throws KilnException if its target cannot have it, with the reason
     */
    public static Variant of(Variant variant, String name, Change change) {
        try {
            Target changed = TargetDraft.of(variant.target()).with(change).finish(Path.of(""), false);
            return variant.named(name)
                    .with(changed.with(changed.program().with(variant.target().backend())));
        } catch (BadValue e) {
            throw new KilnException(Exit.USAGE, e.text(), "");
        }
    }
}
