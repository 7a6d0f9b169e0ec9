package dev.kiln.plan;

import dev.kiln.model.experiment.Hook;
import dev.kiln.model.experiment.Hook.HookMoment;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.plan.text.CommandPaths;
import dev.kiln.plan.text.Fields;
import dev.kiln.plan.text.Names;
import dev.kiln.plan.text.Node;
import dev.kiln.plan.text.Problems;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** A HookBinder reads the user's own commands, such as {@code prepare}. They run in the folder of the file. */
record HookBinder(Path base, Problems problems) {
    /** Before the first run and after the last, nothing of a run is known but where the results are. */
    private static final List<String> KNOWN_ONCE = List.of(Placeholders.RUN_DIR);

    /** Returns the commands that a map has for these moments. */
    List<Hook> bind(Fields fields, Collection<HookMoment> moments) {
        Path folder = base.toAbsolutePath().normalize();
        return moments.stream()
                .flatMap(moment -> words(fields, moment).stream()
                        .flatMap(words -> problems
                                .attempt(
                                        fields.node(moment.key()).map(Node::at).orElse(fields.at()),
                                        moment.key(),
                                        () -> CommandPaths.checked(CommandPaths.given(words), folder))
                                .stream())
                        .map(words -> new Hook(moment, words, folder)))
                .toList();
    }

    private static Optional<List<String>> words(Fields fields, HookMoment moment) {
        return fields.words(
                moment.key(), text -> Names.checkPlaceholders(text, moment.once() ? KNOWN_ONCE : Placeholders.KNOWN));
    }

    /** Returns the commands of a base that a variant does not replace, and its own. */
    static List<Hook> joined(List<Hook> inherited, List<Hook> own) {
        List<Hook> all = new ArrayList<>(inherited);
        all.removeIf(hook -> Hook.of(own, hook.moment()).isPresent());
        all.addAll(own);
        return List.copyOf(all);
    }
}
