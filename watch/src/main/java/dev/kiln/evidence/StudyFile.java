package dev.kiln.evidence;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.kiln.files.InputFile;
import dev.kiln.files.OutputFile;
import dev.kiln.files.OutputFile.Durable;
import dev.kiln.model.Controls;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.IoReason;
import dev.kiln.model.OwnerOnly;
import dev.kiln.model.experiment.Claim;
import dev.kiln.model.run.DensityStudy;
import dev.kiln.model.run.SearchStudy;
import dev.kiln.model.run.SearchStudy.SearchTable.CandidateOutcome;
import dev.kiln.model.run.SearchStudy.SearchTable.SearchRow;
import dev.kiln.model.run.StartupEvidence;
import dev.kiln.model.run.Summary;
import dev.kiln.text.Source;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A StudyFile is a document in the folder of an experiment, beside its runs: records of the model as they are. */
public final class StudyFile<T> {
    /** This document holds the claims that the figures are checked against. */
    public static final StudyFile<List<Claim>> CLAIMS = new StudyFile<>(
            "claims.json",
            new TypeReference<>() {},
            0,
            "Kiln cannot read the claims in %2$s: ",
            "restore the file, or delete it",
            true);

    /** This document of a sweep says for how much memory processes are counted, and what was verified. */
    public static final StudyFile<DensityStudy> DENSITY = new StudyFile<>(
            "density.json",
            new TypeReference<>() {},
            0,
            "%2$s cannot be read: ",
            "restore the file, or delete it",
            true);

    /** This document of a search for a cure says how far it is; only the search itself writes it. */
    public static final StudyFile<SearchStudy> SEARCH = new StudyFile<>(
            "tune.json",
            new TypeReference<>() {},
            SearchStudy.SCHEMA_VERSION,
            "no search in %1$s: ",
            "name a folder that kiln tune wrote",
            false);

    /** This document holds the starts of a start-up comparison; it is written after each of them. */
    public static final StudyFile<StartupEvidence> STARTUP = new StudyFile<>(
            "startup.json",
            new TypeReference<>() {},
            StartupEvidence.SCHEMA_VERSION,
            "no start-up comparison in %1$s: ",
            "name a folder that kiln startup wrote, or a CSV with the header Run,A,B",
            false);

    /** This document holds the summary of an experiment that lists and series of experiments show. */
    public static final StudyFile<Summary> SUMMARY = new StudyFile<>(
            "summary.json",
            new TypeReference<>() {},
            Summary.SCHEMA_VERSION,
            "%2$s cannot be read: ",
            "kiln report writes it again",
            true);

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .addMixIn(Claim.Term.class, TermAsJson.class)
            .addMixIn(StartupEvidence.class, StartupAsJson.class)
            .addMixIn(SearchRow.class, SearchRowAsJson.class)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    /** This mix-in tells the two kinds of term apart; it is here because the model depends on nothing. */
    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Claim.Number.class, name = "number"),
        @JsonSubTypes.Type(value = Claim.Figure.class, name = "figure")
    })
    private interface TermAsJson {}

    /** This mix-in keeps the document flat, whatever the record holds together. Jackson reads these methods. */
    @SuppressWarnings("UnusedMethod")
    private interface StartupAsJson {
        @JsonUnwrapped
        StartupEvidence.StartOrigin origin();

        @JsonUnwrapped
        StartupEvidence.StartMeasure measure();

        @JsonUnwrapped
        StartupEvidence.StartDesign design();

        @JsonUnwrapped
        StartupEvidence.StartMachine machine();
    }

    /** This mix-in has the names that earlier versions of Kiln wrote. */
    @SuppressWarnings("UnusedMethod")
    private interface SearchRowAsJson {
        @JsonAlias("fate")
        CandidateOutcome outcome();
    }

    /** These keys have what a shell is given and what is sent, which may have any lines. */
    private static final Set<String> SHELL =
            Set.of("command", "environment", "arguments", "by", "body", "bodyContains");

    /** These keys have what somebody is told, with the last words of a program below it. */
    private static final Set<String> TOLD = Set.of("outcomeDetail", "notes", "why", "failure", "repeatedFor");

    private final String name;
    private final TypeReference<T> type;
    private final int newest;
    private final String complaint;
    private final String remedy;
    private final boolean namesFile;

    /**
     * Declares a document; who owns its format does that.
     *
     * @param name of the file
     * @param newest version of its format; 0 for one without versions
     * @param complaint about one that cannot be read; %1$s is the folder, %2$s the file
     * @param namesFile whether the complaint is about the file, and not about a folder that has no such file
     */
    public StudyFile(
            String name, TypeReference<T> type, int newest, String complaint, String remedy, boolean namesFile) {
        this.name = name;
        this.type = type;
        this.newest = newest;
        this.complaint = complaint;
        this.remedy = remedy;
        this.namesFile = namesFile;
    }

    public boolean exists(Path experiment) {
        return Files.exists(experiment.resolve(name), LinkOption.NOFOLLOW_LINKS);
    }

    /** Replaces the document. For an empty list nothing is written. */
    public void write(Path experiment, T value) {
        if (value instanceof List<?> list && list.isEmpty()) {
            return;
        }
        Path file = experiment.resolve(name);
        try {
            Files.createDirectories(experiment, OwnerOnly.FOLDER);
        } catch (IOException e) {
            throw CsvWriter.cannotWrite(file, e);
        }
        replace(file, MAPPER.writerFor(type).writeValueAsBytes(value), Durable.NO);
    }

    /** Reads the document, or returns nothing where the experiment has none. */
    public Optional<T> find(Path experiment) {
        return exists(experiment) ? Optional.of(read(experiment)) : Optional.empty();
    }

    public T read(Path experiment) {
        Path file = experiment.resolve(name);
        try {
            JsonNode tree = MAPPER.readTree(InputFile.bytes(file, InputFile.DOCUMENT));
            if (!isDocument(tree)) {
                throw unreadable(experiment, file, "it is empty, or no document", new IOException("no document"));
            }
            int version = tree.path("schemaVersion").asInt(0);
            if (newest > 0 && (version < 1 || version > newest)) {
                throw KilnException.usage(
                        file + " has format " + version + "; this Kiln reads up to " + newest,
                        "read it with the Kiln that wrote it, or a newer one");
            }
            hostAsOfToday(tree);
            onOneLine(tree);
            return MAPPER.readerFor(type).readValue(tree);
        } catch (IOException e) {
            throw unreadable(experiment, file, IoReason.of(e), e);
        } catch (JacksonException e) {
            throw unreadable(experiment, file, Source.reason(e), e);
        }
    }

    /** Tells whether it is more than an empty file, a single value, or a list with holes: of these Jackson makes null. */
    private static boolean isDocument(JsonNode tree) {
        return tree.isObject() || (tree.isArray() && tree.valueStream().noneMatch(JsonNode::isNull));
    }

    /** Adds the settings of the host, which earlier versions of Kiln did not write. */
    static void hostAsOfToday(JsonNode document) {
        if (document.get("host") instanceof ObjectNode host && !host.has("settings")) {
            host.putObject("settings");
        }
    }

    /**
     * Puts each text of a document on one line, but for commands and the like. Whoever wrote a folder could begin a line of what
     * Kiln prints by a name, as if Kiln said it. What is told in several lines goes on behind a margin, as Kiln's own does.
     */
    static void onOneLine(JsonNode document) {
        onOneLine(document, false);
    }

    private static void onOneLine(JsonNode part, boolean told) {
        if (part instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> field : List.copyOf(object.properties())) {
                String key = field.getKey();
                boolean its = TOLD.contains(key);
                if (!SHELL.contains(key)) {
                    oneLine(field.getValue(), its)
                            .ifPresentOrElse(text -> object.put(key, text), () -> onOneLine(field.getValue(), its));
                }
            }
        } else if (part instanceof ArrayNode all) {
            for (int i = 0; i < all.size(); i++) {
                int at = i;
                oneLine(all.get(i), told)
                        .ifPresentOrElse(text -> all.set(at, text), () -> onOneLine(all.get(at), told));
            }
        }
    }

    /** Returns a text on one line, or with a margin before its further ones; empty for what is no text. */
    private static Optional<String> oneLine(JsonNode node, boolean told) {
        if (!node.isString()) {
            return Optional.empty();
        }
        String text = node.asString();
        return Optional.of(told ? text.replaceAll("\\R(?! {2})", "\n  ") : Controls.line(text));
    }

    private KilnException unreadable(Path experiment, Path file, String why, Exception cause) {
        // One that is there and damaged is named as it is: the folder is the right one.
        boolean damaged = !namesFile && Files.exists(file, LinkOption.NOFOLLOW_LINKS);
        return damaged
                ? KilnException.usage(file + " cannot be read: " + why, "restore the file, or measure again", cause)
                : KilnException.usage(complaint.formatted(experiment, file) + why, remedy, cause);
    }

    /** Writes a file as a whole: a crash at any moment leaves the old one or the new one. */
    static void replace(Path file, byte[] content, Durable durable) {
        try {
            OutputFile.replace(file, out -> out.write(content), durable, OwnerOnly.FILE);
        } catch (IOException e) {
            throw CsvWriter.cannotWrite(file, e);
        }
    }
}
