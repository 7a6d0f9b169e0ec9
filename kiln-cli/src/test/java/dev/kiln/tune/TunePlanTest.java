package dev.kiln.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.kiln.compare.Configuration;
import dev.kiln.evidence.StudyFile;
import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.run.SearchStudy.SearchTable;
import dev.kiln.model.run.SearchStudy.SearchTable.CandidateOutcome;
import dev.kiln.model.run.SearchStudy.SearchTable.SearchRow;
import dev.kiln.tune.Tuning.Tried;
import dev.kiln.tune.Tuning.TuneProof;
import dev.kiln.tune.Tuning.TuneVerdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.core.type.TypeReference;

class TunePlanTest {
    private static final Variant BASELINE = variant("platform", Map.of());
    private static final Candidate WARM = Candidate.of(variant("warm", Map.of("WARM", "soon")));
    private static final Candidate LOGIN = Candidate.of(variant("login", Map.of("DB_PASSWORD", "tiger")));

    @TempDir
    private Path folder;

    /** An OldPlan is what earlier versions of Kiln know of the document. */
    private record OldPlan(int schemaVersion, String question, double spentSeconds) {}

    private static Variant variant(String name, Map<String, String> environment) {
        return new Variant(
                name,
                new Target(
                        new Target.Program(List.of("java"), List.of(), environment, Optional.empty()),
                        Target.Jvm.USUAL,
                        new ReadySign.FirstResponse(Duration.ofSeconds(1))));
    }

    /** One that was tried and is not decided, and one that is out. */
    private static Map<Candidate, SearchRecord> records() {
        SearchRecord warm = new SearchRecord();
        warm.gains.addAll(List.of(4.0, 5.0));
        SearchRecord login = new SearchRecord();
        login.out = true;
        login.became("0.5 % of the requests of a run failed");
        Map<Candidate, SearchRecord> records = new LinkedHashMap<>();
        records.put(WARM, warm);
        records.put(LOGIN, login);
        return records;
    }

    private TunePlan written() {
        TunePlan begun = new TunePlan(
                TunePlan.SCHEMA_VERSION,
                "q",
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.of(new SearchTable("demo", "platform", "warm-up-cost", 3600, 0, List.of(), Optional.empty())));
        TunePlan.FILE.write(folder, begun.after(61.5, List.of(), records(), BASELINE, Secrets.HIDDEN));
        return TunePlan.FILE.read(folder);
    }

    private static Tuning tuning(TuneVerdict verdict) {
        TuneProof proof = new TuneProof(
                WARM,
                "5-proof-warm",
                Configuration.none("warm"),
                OptionalDouble.of(20),
                OptionalDouble.of(10),
                false,
                Optional.empty(),
                Optional.empty(),
                List.of());
        return new Tuning(
                verdict,
                Goal.DEFICIT,
                "why",
                Configuration.none("platform"),
                Optional.of(proof),
                List.of(
                        new Tried(WARM, 7, Optional.of(4.5), Optional.empty(), Optional.of("it is what it is")),
                        new Tried(
                                LOGIN,
                                1,
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of("0.5 % of the requests of a run failed"))),
                Optional.empty());
    }

    @Test
    void whatIsKnownIsWrittenWithoutSecrets() throws IOException {
        TunePlan plan = written();

        assertThat(plan.question()).isEqualTo("q");
        assertThat(plan.spentSeconds()).isEqualTo(61.5);
        SearchTable table = plan.table().orElseThrow();
        assertThat(table.writtenEpochMillis()).isPositive();
        assertThat(table.candidates())
                .extracting(SearchRow::name, SearchRow::outcome, SearchRow::why)
                .containsExactly(
                        tuple("warm", CandidateOutcome.OPEN, "not decided yet"),
                        tuple("login", CandidateOutcome.OUT, "0.5 % of the requests of a run failed"));
        assertThat(table.candidates().getFirst().changes()).containsExactly("environment WARM=soon");
        assertThat(table.candidates().getFirst().gains()).containsExactly(4.0, 5.0);
        assertThat(Files.readString(folder.resolve("tune.json")))
                .contains("DB_PASSWORD")
                .doesNotContain("tiger");
    }

    @Test
    void anEarlierKilnCalledTheOutcomeAFate() throws IOException {
        TunePlan plan = written();
        Path file = folder.resolve("tune.json");
        String today = Files.readString(file);
        assertThat(today).contains("\"outcome\" :");
        Files.writeString(file, today.replace("\"outcome\" :", "\"fate\" :"));

        assertThat(TunePlan.FILE.read(folder)).isEqualTo(plan);
        assertThat(StudyFile.SEARCH.read(folder).table()).isEqualTo(plan.table());
    }

    @Test
    void theEndSaysWhichCandidateIsProven() {
        written();
        TunePlan.end(folder, tuning(TuneVerdict.IMPROVED), BASELINE, Secrets.HIDDEN);

        SearchTable table = TunePlan.FILE.read(folder).table().orElseThrow();
        assertThat(table.verdict()).contains("Improved: why.");
        assertThat(table.candidates())
                .extracting(SearchRow::outcome)
                .containsExactly(CandidateOutcome.PROVEN, CandidateOutcome.OUT);
        assertThat(table.candidates().getFirst().why()).isEqualTo("it is what it is");
        assertThat(table.candidates().getFirst().gains()).containsExactly(4.0, 5.0);
        assertThat(TunePlan.FILE.read(folder).spentSeconds()).isEqualTo(61.5);
    }

    @Test
    void whatCouldNotBeToldIsNotProven() {
        written();
        TunePlan.end(folder, tuning(TuneVerdict.CANNOT_TELL), BASELINE, Secrets.HIDDEN);

        assertThat(TunePlan.FILE.read(folder).table().orElseThrow().candidates())
                .extracting(SearchRow::outcome)
                .containsExactly(CandidateOutcome.OPEN, CandidateOutcome.OUT);
    }

    @Test
    void anEarlierKilnReadsItAndItsOwnIsRead() throws IOException {
        written();
        OldPlan old = new StudyFile<OldPlan>("tune.json", new TypeReference<>() {}, 1, "%s", "", false).read(folder);
        assertThat(old).isEqualTo(new OldPlan(1, "q", 61.5));

        Files.writeString(
                folder.resolve("tune.json"), "{\"schemaVersion\": 1, \"question\": \"q\", \"spentSeconds\": 2}");
        assertThat(TunePlan.FILE.read(folder))
                .isEqualTo(new TunePlan(1, "q", 2, Optional.empty(), Optional.empty(), Optional.empty()));
        // What it never had, nobody adds at the end.
        TunePlan.end(folder, tuning(TuneVerdict.IMPROVED), BASELINE, Secrets.HIDDEN);
        assertThat(TunePlan.FILE.read(folder).table()).isEmpty();
    }
}
