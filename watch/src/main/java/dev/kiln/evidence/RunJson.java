package dev.kiln.evidence;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.Nulls;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Modifier.CpuQuota;
import dev.kiln.model.experiment.Modifier.MemoryLimit;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.LoadSpec.Replay;
import dev.kiln.model.load.LoadSpec.Variables;
import dev.kiln.model.load.Sending;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.Course.Unserved;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Treatment;
import dev.kiln.text.Source;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** RunJson writes and reads {@code run.json}, the parts of {@link RunInfo} side by side; durations are ISO 8601. */
final class RunJson {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .addMixIn(Phase.class, PhaseAsJson.class)
            .addMixIn(LoadSpec.class, LoadAsJson.class)
            .annotationIntrospector(new RareParts())
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .changeDefaultNullHandling(nulls -> nulls.withContentNulls(Nulls.FAIL))
            .build();

    private static final String VERSION = "schemaVersion";
    private static final String IN_FORCE = "inForce";
    private static final String STARTUP_PHASES = "startupPhases";
    private static final String OUT_OF_MEMORY = "outOfMemory";
    private static final String LIMITS = "limits";
    private static final String REPLICAS = "replicas";

    /** What few runs have is left out of all others. */
    private static final List<String> RARE =
            List.of("boostEndNanos", "typed", "attached", "restarted", "loadFrom", "duet");

    private static final Pattern QUOTA = Pattern.compile(CpuQuota.NAME + ": (\\d{1,9}(?:\\.\\d{1,12})?)");
    private static final Pattern MEMORY = Pattern.compile(MemoryLimit.NAME + ": (\\d{1,12})(m?)");

    private static final List<RecordComponent> PARTS = Stream.of(RunInfo.class.getRecordComponents())
            .filter(component -> component.getType().isRecord())
            .toList();

    /** The fields of {@code run.json} are written in this order. */
    private static final List<String> FIELDS = List.of(("kilnVersion experiment variants variant run block seed"
                    + " launchMonotonicNanos launchEpochMillis command environment treatment jvm host cpus load protocol runs"
                    + " driver readyNanos firstResponseNanos phases outcome outcomeDetail notRecorded notes provenance remote"
                    + " quietWait referenceEnd repeatedFor boostEndNanos startupPhases typed attached restarted outOfMemory loadFrom replicas duet")
            .split(" "));

    /** This mix-in tells the two kinds of phase apart; it is here because the model depends on nothing. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Phase.Load.class, name = "load"),
        @JsonSubTypes.Type(value = Phase.Pause.class, name = "pause")
    })
    private interface PhaseAsJson {}

    /** This mix-in keeps the document flat. Jackson reads this method. */
    @SuppressWarnings("UnusedMethod")
    private interface LoadAsJson {
        @JsonUnwrapped
        Sending sending();
    }

    /** RareParts leave out of the document what few runs have. They are told here because the model depends on nothing. */
    private static final class RareParts extends JacksonAnnotationIntrospector {
        private static final long serialVersionUID = 1L;
        private static final Map<Class<?>, Set<String>> NAMES = Map.of(
                Phase.Load.class, Set.of("shape", "untilKnownFrom"),
                PhaseTime.class, Set.of("unserved", "handshakes", "loops"),
                Unserved.class, Set.of("hung"),
                LoadSpec.class, Set.of("variables"),
                Sending.class, Set.of("slo", "tls", "http2", "arrivals", "success"),
                HttpCall.class, Set.of("name", "step"),
                Variables.class, Set.of("replay"),
                Replay.class, Set.of("note"));

        @Override
        public JsonInclude.Value findPropertyInclusion(MapperConfig<?> config, Annotated part) {
            return part instanceof AnnotatedMember member
                            && NAMES.getOrDefault(member.getDeclaringClass(), Set.of())
                                    .contains(member.getName())
                    ? JsonInclude.Value.construct(Include.NON_ABSENT, Include.NON_ABSENT)
                    : super.findPropertyInclusion(config, part);
        }
    }

    private RunJson() {}

    static byte[] write(RunInfo info) {
        ObjectNode all = MAPPER.valueToTree(info);
        PARTS.forEach(part -> all.setAll((ObjectNode) all.remove(part.getName())));
        ObjectNode file = MAPPER.createObjectNode().put(VERSION, RunInfo.SCHEMA_VERSION);
        FIELDS.forEach(field -> file.set(field, all.get(field)));
        if (info.host().settings().isEmpty()) {
            ((ObjectNode) file.get("host")).remove("settings");
        }
        if (file.get("jvm") instanceof ObjectNode jvm
                && info.jvm().filter(known -> known.inForce().isEmpty()).isPresent()) {
            jvm.remove(IN_FORCE);
        }
        if (info.treatment().limits().equals(Treatment.TreatmentLimits.NONE)) {
            ((ObjectNode) file.get("treatment")).remove(LIMITS);
        }
        for (String rare : RARE) {
            if (file.path(rare).isNull()) {
                file.remove(rare);
            }
        }
        if (info.course().startupPhases().isEmpty()) {
            file.remove(STARTUP_PHASES);
        }
        if (info.course().outOfMemory().isEmpty()) {
            file.remove(OUT_OF_MEMORY);
        }
        if (info.launch().replicas() == 1) {
            file.remove(REPLICAS);
        }
        return MAPPER.writeValueAsBytes(file);
    }

    /** Moves the fields of each part of {@link RunInfo} under the part's name. */
    private static ObjectNode inParts(ObjectNode file) {
        for (RecordComponent part : PARTS) {
            ObjectNode fields = MAPPER.createObjectNode();
            for (RecordComponent field : part.getType().getRecordComponents()) {
                if (file.has(field.getName())) {
                    fields.set(field.getName(), file.remove(field.getName()));
                }
            }
            file.set(part.getName(), fields);
        }
        return file;
    }

    /** @param file named in errors */
    static RunInfo read(byte[] json, Path file) {
        try {
            JsonNode tree = MAPPER.readTree(json);
            int version = tree.path(VERSION).asInt(0);
            if (version > RunInfo.SCHEMA_VERSION) {
                throw KilnException.usage(
                        file + " has evidence format " + version + "; this Kiln reads up to " + RunInfo.SCHEMA_VERSION,
                        "read it with the Kiln that wrote it, or a newer one");
            }
            if (!(tree instanceof ObjectNode fields) || version < 1) {
                throw unreadable(file, "no " + VERSION);
            }
            asOfToday(fields);
            StudyFile.onOneLine(fields);
            return MAPPER.treeToValue(inParts(fields), RunInfo.class);
        } catch (JacksonException e) {
            KilnException unreadable = unreadable(file, Source.reason(e));
            unreadable.initCause(e);
            throw unreadable;
        }
    }

    /** Adds the fields that earlier versions of Kiln did not write. */
    private static void asOfToday(ObjectNode run) {
        if (!run.has("treatment")) {
            run.set("treatment", MAPPER.valueToTree(Treatment.NONE));
        } else if (run.get("treatment") instanceof ObjectNode treatment && !treatment.has(LIMITS)) {
            treatment.set(LIMITS, MAPPER.valueToTree(limits(treatment.path("modifiers"))));
        }
        for (String none : Stream.concat(Stream.of("provenance", "remote", "quietWait", "referenceEnd"), RARE.stream())
                .toList()) {
            if (!run.has(none)) {
                run.putNull(none);
            }
        }
        StudyFile.hostAsOfToday(run);
        for (String nothing : List.of("repeatedFor", STARTUP_PHASES, OUT_OF_MEMORY)) {
            if (!run.has(nothing)) {
                run.putArray(nothing);
            }
        }
        if (!run.has(REPLICAS)) {
            run.put(REPLICAS, 1);
        }
        if (run.get("jvm") instanceof ObjectNode jvm && !jvm.has(IN_FORCE)) {
            jvm.putArray(IN_FORCE);
        }
        if (run.get("protocol") instanceof ObjectNode protocol && !protocol.has("reference")) {
            protocol.putNull("reference");
        }
        if (run.get("runs") instanceof ObjectNode runs && !runs.has("repeat")) {
            runs.put("repeat", false);
        }
    }

    /** Parses limits from the text of the modifiers, the only place where earlier versions of Kiln wrote them. */
    private static Treatment.TreatmentLimits limits(JsonNode modifiers) {
        OptionalDouble cpus = OptionalDouble.empty();
        OptionalLong bytes = OptionalLong.empty();
        for (JsonNode modifier : modifiers) {
            Matcher quota = QUOTA.matcher(modifier.asString());
            Matcher memory = MEMORY.matcher(modifier.asString());
            if (cpus.isEmpty() && quota.matches()) {
                cpus = OptionalDouble.of(Double.parseDouble(quota.group(1)));
            }
            if (bytes.isEmpty() && memory.matches()) {
                bytes = OptionalLong.of(
                        Long.parseLong(memory.group(1)) << (memory.group(2).isEmpty() ? 0 : 20));
            }
        }
        return new Treatment.TreatmentLimits(cpus, bytes);
    }

    private static KilnException unreadable(Path file, String why) {
        return KilnException.usage("Kiln cannot read " + file + ": " + why, "leave this run out, or restore the file");
    }
}
