package dev.kiln.plan.load;

import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.plan.text.Fields;
import dev.kiln.plan.text.Names;
import dev.kiln.plan.text.Node;
import dev.kiln.plan.text.Node.NodeList;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Problems.BadValue;
import dev.kiln.plan.text.Section;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Protocols has the protocols with names, and knows how phases are written and named. */
public final class Protocols {
    static final String CUSTOM = "custom";
    static final String EXPECTED = "a protocol's name or phases such as load=20s,pause=5s,load=10s";

    private static final String ENTRIES = "load=DURATION, pause=DURATION, ramp=FROM-TO/DURATION,"
            + " steps=FROM-TO/NUMBERxDURATION, slow-start=WINDOW or, at the end, reference=until-found";

    /** The text says which values {@code reference} can have. */
    static final String REFERENCES = "until-found or until-found:favoured";

    private static final Pattern STEP =
            Pattern.compile("\\s*(load|pause|ramp|steps|slow-start|reference)\\s*=\\s*(.+)");

    private static final FoundReference FOUND = new FoundReference(false);

    private Protocols() {}

    /** Returns the published experiments' protocol: 120 s load, 30 s pause, 30 s load. */
    public static Protocol blog() {
        return new Protocol("blog", fixed(120, 30, 30));
    }

    /** Returns ten times 15 s load and 15 s pause, then 30 s load: compilers catch up in the pauses. */
    public static Protocol cycles() {
        List<PhaseDraft> steps = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            steps.add(step(true, 15));
            steps.add(step(false, 15));
        }
        steps.add(step(true, 30));
        return new Protocol("cycles", phases(steps, Optional.empty()));
    }

    /** Returns 30 s load, 12 s pause, 10 s load: the shortest that shows the effect (10 to 11 s of backlog). */
    public static Protocol quick() {
        return new Protocol("quick", fixed(30, 12, 10));
    }

    /** Returns 60 s load, then rounds until the reference peak is found: what runs where nothing else is asked for. */
    public static Protocol usual() {
        return new Protocol(
                "default",
                phases(List.of(new PhaseDraft(true, PhaseDraft.USUAL_LOAD, Optional.empty())), Optional.of(FOUND)),
                Optional.of(FOUND));
    }

    /** Returns all protocols that have a name, by that name. */
    public static Map<String, Protocol> known() {
        Map<String, Protocol> known = new TreeMap<>();
        for (Protocol protocol : List.of(blog(), cycles(), quick(), usual())) {
            known.put(protocol.name(), protocol);
        }
        return known;
    }

    /** Reads a name, or phases such as {@code load=20s,pause=5s,load=10s}. */
    public static Protocol parse(String text) {
        Map<String, Protocol> known = known();
        if (!text.contains("=")) {
            return Optional.ofNullable(known.get(text.strip()))
                    .orElseThrow(() -> new BadValue("unknown protocol '" + text + "', expected "
                            + String.join(", ", known.keySet()) + " or phases such as load=20s,pause=5s,load=10s"));
        }
        List<PhaseDraft> steps = new ArrayList<>();
        Optional<FoundReference> reference = Optional.empty();
        for (String part : text.split(",", -1)) {
            Matcher step = STEP.matcher(part);
            if (!step.matches()) {
                throw BadValue.of("'" + part.strip() + "' in '" + text + "'", ENTRIES);
            }
            if (reference.isPresent()) {
                throw notLast();
            }
            if (step.group(1).equals("reference")) {
                reference = Optional.of(reference(step.group(2)));
            } else {
                steps.add(PhaseDraft.parse(step.group(1), step.group(2), Optional.empty()));
            }
        }
        return custom(steps, reference);
    }

    static FoundReference reference(String text) {
        return switch (text.strip()) {
            case "until-found" -> FOUND;
            case "until-found:favoured" -> new FoundReference(true);
            default -> throw BadValue.of("'" + text + "'", REFERENCES);
        };
    }

    static BadValue notLast() {
        return BadValue.of("a phase after the reference", "the reference at the end");
    }

    static Protocol custom(List<PhaseDraft> steps, Optional<FoundReference> reference) {
        return new Protocol(CUSTOM, phases(steps, reference), reference);
    }

    private static List<Phase> fixed(int warmup, int pause, int measure) {
        return phases(List.of(step(true, warmup), step(false, pause), step(true, measure)), Optional.empty());
    }

    private static PhaseDraft step(boolean load, int seconds) {
        return new PhaseDraft(load, Duration.ofSeconds(seconds), Optional.empty());
    }

    private static List<Phase> phases(List<PhaseDraft> steps, Optional<FoundReference> reference) {
        long loads = steps.stream().filter(PhaseDraft::load).count();
        if (loads == 0) {
            throw BadValue.of("no load phase", "at least one");
        }
        long pauses = steps.size() - loads;
        List<Phase> phases = new ArrayList<>();
        Set<String> names = new HashSet<>();
        int load = 0;
        int pause = 0;
        for (PhaseDraft step : steps) {
            String given =
                    step.load() ? loadName(++load, loads, reference.isPresent()) : pauseName(++pause, pauses, loads);
            String name = step.name().orElse(given);
            if (!names.add(name)) {
                throw BadValue.of("two phases named '" + name + "'", "names that differ");
            }
            if (reference.isPresent() && FoundReference.isRound(name)) {
                throw BadValue.of(
                        "a phase named '" + name + "'",
                        "another name: the rounds of the reference have names like that");
            }
            if (step.untilKnownFrom().isPresent() && !phases.isEmpty()) {
                throw BadValue.of(
                        "until-known in phase " + (phases.size() + 1),
                        "it in the first one: what is known is how the service warms up");
            }
            phases.add(step.load() ? step.named(name) : new Phase.Pause(name, step.duration()));
        }
        return phases;
    }

    /** Names a load by its place. With a reference to be found, every load before it is a warm-up. */
    private static String loadName(int number, long loads, boolean reference) {
        if (number == loads && loads > 1 && !reference) {
            return "measure";
        }
        return loads > (reference ? 1 : 2) ? "warmup-" + number : "warmup";
    }

    private static String pauseName(int number, long pauses, long loads) {
        return loads > 2 || pauses > 1 ? "pause-" + number : "pause";
    }

    /** A ProtocolBinder reads {@code protocol:}, a name or a list of phases. */
    public record ProtocolBinder(Problems problems) {
        private static final String PHASE = "a phase such as 'load: 20s' or 'pause: 5s'";

        private static final List<String> KINDS = List.of("load", "pause", "ramp", "steps", "slow-start");

        private static final String REFERENCE = "reference";

        /** Reads the protocol of an experiment; the usual one where it names none. */
        public Protocol bind(Fields experiment) {
            Optional<Protocol> protocol = experiment
                    .node("protocol")
                    .flatMap(node -> node instanceof NodeList list
                            ? custom(list)
                            : experiment.parsed("protocol", Protocols.EXPECTED, Protocols::parse));
            return protocol.orElseGet(Protocols::usual);
        }

        private Optional<Protocol> custom(NodeList list) {
            List<PhaseDraft> steps = new ArrayList<>();
            List<FoundReference> references = new ArrayList<>();
            for (Node item : list.items()) {
                Fields.of(item, Section.PHASE, PHASE, problems).ifPresent(fields -> {
                    if (!references.isEmpty()) {
                        problems.add(
                                fields.at(), "protocol", Protocols.notLast().text());
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
            for (String other : Stream.concat(KINDS.stream(), Stream.of("name")).toList()) {
                if (fields.has(other)) {
                    problems.add(
                            fields.at(other),
                            "protocol",
                            "found reference and " + other + ", expected reference alone");
                }
            }
            return fields.parsed(REFERENCE, Protocols.REFERENCES, Protocols::reference);
        }

        private Optional<PhaseDraft> step(Fields fields) {
            List<String> kinds = KINDS.stream().filter(fields::has).toList();
            if (kinds.size() != 1) {
                problems.add(
                        fields.at(),
                        "protocol",
                        "found " + (kinds.isEmpty() ? "neither load nor pause" : String.join(" and ", kinds))
                                + " in one phase, expected " + PHASE);
                return Optional.empty();
            }
            String kind = kinds.getFirst();
            Optional<String> name = fields.parsed("name", "a phase's name", Names::check);
            return fields.parsed(kind, ShapeText.expected(kind), text -> PhaseDraft.parse(kind, text, name));
        }
    }
}
