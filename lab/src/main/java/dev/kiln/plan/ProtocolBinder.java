package dev.kiln.plan;

import dev.kiln.model.FoundReference;
import dev.kiln.model.Protocol;
import dev.kiln.plan.Node.Place;
import dev.kiln.plan.Node.Sequence;
import dev.kiln.plan.Protocols.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code protocol:}, a name or a list of phases. */
final class ProtocolBinder {
    private static final String PHASE = "a phase such as 'load: 20s' or 'pause: 5s'";

    private static final String REFERENCE = "reference";

    private final Problems problems;

    ProtocolBinder(Problems problems) {
        this.problems = problems;
    }

    Protocol bind(Fields experiment) {
        Optional<Protocol> protocol = experiment
                .node("protocol")
                .flatMap(node -> node instanceof Sequence list
                        ? custom(list)
                        : experiment.parsed("protocol", Protocols.EXPECTED, Protocols::parse));
        return protocol.orElseGet(Defaults::protocol);
    }

    private Optional<Protocol> custom(Sequence list) {
        List<Step> steps = new ArrayList<>();
        List<FoundReference> references = new ArrayList<>();
        for (Node item : list.items()) {
            Fields.of(item, Section.PHASE, PHASE, problems).ifPresent(fields -> {
                if (!references.isEmpty()) {
                    problems.add(fields.at(), "protocol: " + Protocols.notLast().text());
                }
                if (fields.has(REFERENCE)) {
                    reference(fields).ifPresent(references::add);
                } else {
                    step(fields).ifPresent(steps::add);
                }
            });
        }
        // With a phase missing, the rest would only be blamed for what they are not.
        return steps.size() + references.size() < list.items().size()
                ? Optional.empty()
                : problems.attempt(
                        list.at(),
                        "protocol",
                        () -> Protocols.custom(steps, references.stream().findFirst()));
    }

    private Optional<FoundReference> reference(Fields fields) {
        for (String other : List.of("load", "pause", "name")) {
            if (fields.has(other)) {
                problems.add(fields.at(other), "protocol: found reference and " + other + ", expected reference alone");
            }
        }
        return fields.parsed(REFERENCE, Protocols.REFERENCES, Protocols::reference);
    }

    private Optional<Step> step(Fields fields) {
        if (fields.has("load") == fields.has("pause")) {
            Place at = fields.at();
            problems.add(
                    at,
                    "protocol: found " + (fields.has("load") ? "load and pause" : "neither load nor pause")
                            + " in one phase, expected " + PHASE);
            return Optional.empty();
        }
        boolean load = fields.has("load");
        Optional<String> name = fields.parsed("name", "a phase's name", Names::check);
        return fields.parsed(load ? "load" : "pause", DurationText.EXPECTED, text -> Step.parse(load, text, name));
    }
}
