package dev.kiln.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.cli.RecordedRuns;
import dev.kiln.compare.Configuration;
import dev.kiln.explain.Service;
import dev.kiln.host.process.Programs;
import dev.kiln.model.KilnException;
import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Variant;
import dev.kiln.plan.Changes;
import dev.kiln.plan.load.Protocols;
import dev.kiln.tune.AsWritten.MadeRun;
import dev.kiln.tune.AsWritten.OneRun;
import dev.kiln.tune.Trials.Results;
import dev.kiln.tune.Tuning.TuneVerdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What was written of a cure is read back from the files, and tried as they say it. */
class AsWrittenTest {
    private static final Variant JAVA = TunedFilesTest.of(List.of("java", "-jar", "app.jar"), List.of());
    private static final Variant BATCH = Changes.of(JAVA, "xbatch", Change.with(new Modifier.XBatch()));

    @TempDir
    Path directory = Path.of("");

    private final List<Variant> asked = new ArrayList<>();

    private static WrittenCure written(Variant baseline, Variant cured) {
        Map<String, String> texts = TunedFilesTest.texts(baseline, cured);
        return WrittenCure.of(
                Optional.ofNullable(texts.get("service.env")).orElseThrow(),
                Optional.ofNullable(texts.get("systemd.conf")).orElseThrow());
    }

    @Test
    void theFilesSayWhatTheCureIs() {
        WrittenCure written = written(TunedFilesTest.BASELINE, TunedFilesTest.CURED);
        assertThat(written.flags())
                .containsExactly(
                        "-Dgreeting=it's",
                        "-XX:ThreadPriorityPolicy=1",
                        "-XX:CompilerThreadPriority=-20",
                        "-XX:AOTCache=/app/app.aot");
        assertThat(written.environment())
                .containsOnlyKeys("JAVA_TOOL_OPTIONS", "WARM")
                .containsEntry("WARM", "a \"quote\"");
        assertThat(written.unit()).isEqualTo(Map.of("AmbientCapabilities", "CAP_SYS_NICE"));
        assertThat(written.faults()).isEmpty();
        assertThat(written.missing()).isEmpty();
        Variant variant = written.variant(TunedFilesTest.BASELINE, "v");
        assertThat(variant.target().jvmFlags()).containsExactly("-Xmx1g");
        assertThat(variant.target().environment()).isEqualTo(written.environment());
        assertThat(variant.target().aot()).as("only what is written").isEmpty();
        assertThat(variant.target().modifiers()).isEmpty();
    }

    @Test
    void whatTheFilesWantRemovedIsRemoved() {
        Variant baseline = TunedFilesTest.of(
                List.of("java", "-Xmx512m", "-jar", "app.jar", "-Xmx512m"), List.of("-XX:+UseSerialGC"));
        Variant cured = TunedFilesTest.of(
                List.of("java", "-jar", "app.jar", "-Xmx512m"), List.of("-Xmx1024m", "-XX:+UseParallelGC"));
        Variant variant = written(baseline, cured).variant(baseline, "v");
        assertThat(variant.target().command()).containsExactly("java", "-jar", "app.jar", "-Xmx512m");
        assertThat(variant.target().jvmFlags()).isEmpty();
        assertThat(variant.target().environment())
                .isEqualTo(Map.of("JAVA_TOOL_OPTIONS", "-Xmx1024m -XX:+UseParallelGC"));
    }

    @Test
    void limitsAreThoseOfTheUnit() {
        Variant baseline = TunedFilesTest.of(List.of("java", "Main"), List.of(), new Modifier.CpuQuota(1));
        Variant cured = TunedFilesTest.of(
                List.of("java", "Main"), List.of(), new Modifier.CpuQuota(1.5), new Modifier.MemoryLimit(1L << 30));
        WrittenCure written = written(baseline, cured);
        assertThat(written.variant(baseline, "v").target().modifiers())
                .containsExactly(new Modifier.CpuQuota(1.5), new Modifier.MemoryLimit(1L << 30));
        assertThat(written.missing()).as("one of the files has them").isEmpty();
    }

    @Test
    void whatTheReadersOfTheFilesReadDifferentlyIsAFault() {
        Variant cured = TunedFilesTest.of(
                List.of("java", "-jar", "app.jar"), List.of("-Dpath=C:\\x", "-Da=it's \"me\" at 100%"));
        WrittenCure written = written(JAVA, cured);
        assertThat(written.flags()).containsExactly("-Dpath=C:\\x", "-Da=it's \"me\" at 100%");
        assertThat(written.faults())
                .containsExactly(
                        "as an EnvironmentFile of systemd it has another value of JAVA_TOOL_OPTIONS: use systemd.conf there");
        assertThat(WrittenCure.of("A=1\n", "[Service]\nEnvironment=\"A=2\"\n").faults())
                .containsExactly("systemd.conf has another value of A");
    }

    private HandedOver handedOver(Variant baseline, Variant cured, OneRun lab) {
        return new AsWritten(baseline, directory, Secrets.HIDDEN, lab)
                .of(TunedFilesTest.tuning(cured))
                .orElseThrow();
    }

    /** A lab whose JVM was given these flags and has those in force. */
    private OneRun lab(List<String> given, List<String> inForce) {
        return lab(given, inForce, true);
    }

    private OneRun lab(List<String> given, List<String> inForce, boolean whole) {
        return (stage, variant) -> {
            asked.add(variant);
            Service service = Service.healthy();
            service.made.flags = given;
            service.made.inForce = inForce;
            Configuration figures = TunedFilesTest.figures("cured", 10);
            return Optional.of(new MadeRun(
                    Optional.of(service.evidence()), whole, new Results(Map.of(variant.name(), figures), Map.of())));
        };
    }

    private static JsonNode json(HandedOver handed, Variant cured) {
        return JsonMapper.builder()
                .build()
                .readTree(TuneJson.render(TunedFilesTest.tuning(cured), JAVA, Optional.of(handed)));
    }

    @Test
    void aRunWithTheFilesShowsThatTheyTakeEffect() {
        HandedOver handed = handedOver(JAVA, BATCH, lab(List.of("-Xbatch"), List.of("-XX:-BackgroundCompilation")));

        assertThat(asked).singleElement().satisfies(variant -> {
            assertThat(variant.name()).isEqualTo("xbatch-as-written");
            assertThat(variant.target().jvmFlags()).isEmpty();
            assertThat(variant.target().environment()).isEqualTo(Map.of("JAVA_TOOL_OPTIONS", "-Xbatch"));
        });
        assertThat(handed.text())
                .contains("Tried once as written (service.env): the JVM has in force -Xbatch, T90 41.2 s"
                        + " (in the proof 41.2 s).\n")
                .contains("Not tried as written: ", "kubernetes.yaml, istio.yaml, envoy.yaml (")
                .endsWith("Configuration: " + directory.resolve("tuned") + "\n");
        JsonNode json = json(handed, BATCH);
        assertThat(json.get("tuned").asString())
                .isEqualTo(directory.resolve("tuned").toString());
        assertThat(json.at("/asWritten/run/stage").asString()).isEqualTo("7-as-written");
        assertThat(json.at("/asWritten/run/tookEffect").asBoolean()).isTrue();
        assertThat(json.at("/asWritten/run/timeToReferencePeak").asDouble()).isEqualTo(41.2);
        assertThat(json.at("/asWritten/files/0/name").asString()).isEqualTo("service.env");
        assertThat(json.at("/asWritten/files/0/tried").asBoolean()).isTrue();
    }

    /** A run of the first seconds shows no time to the peak. What it served stands beside what the same seconds of the proof did. */
    @Test
    void aShortRunIsToldByItsRequests() {
        new RecordedRuns(directory.resolve("5-proof-cured")).variant(List.of("xbatch"), "xbatch", 4, 20, 1000);
        HandedOver handed =
                handedOver(JAVA, BATCH, lab(List.of("-Xbatch"), List.of("-XX:-BackgroundCompilation"), false));

        assertThat(handed.text())
                .containsPattern(
                        "the JVM has in force -Xbatch, 20,000 requests in its first 20 s of load \\(in the proof"
                                + " [0-9,]+ to [0-9,]+\\), because there was no time for a whole run\\.\n");
        assertThat(json(handed, BATCH).at("/asWritten/run/tookEffect").asBoolean())
                .isTrue();
    }

    @Test
    void aRunIsCutWhereMoreLoadWouldFollow() {
        assertThat(AsWritten.shortest(Protocols.parse("load=60s,pause=15s,load=20s"))
                        .phases())
                .singleElement()
                .satisfies(phase -> assertThat(phase.duration()).isEqualTo(Duration.ofSeconds(20)));
        for (String whole : List.of("load=60s", "load=10s,pause=5s,load=10s")) {
            Protocol protocol = Protocols.parse(whole);
            assertThat(AsWritten.shortest(protocol)).as(whole).isEqualTo(protocol);
        }
    }

    @Test
    void aFlagThatIsNotInForceIsSaid() {
        for (List<String> given : List.of(List.of("-Xmx1g"), List.of("-Xmx1g", "-Xbatch", "-XX:-Other"))) {
            boolean reached = given.contains("-Xbatch");
            HandedOver handed = handedOver(JAVA, BATCH, lab(given, List.of("-XX:+BackgroundCompilation")));
            assertThat(handed.text())
                    .contains(
                            reached
                                    ? "it had no effect: the JVM has -XX:+BackgroundCompilation in force"
                                    : "it had no effect: the JVM that served was not given -Xbatch");
            assertThat(json(handed, BATCH).at("/asWritten/run/tookEffect").asBoolean(true))
                    .isFalse();
        }
        Variant small = Changes.of(JAVA, "small", Change.flags("-Xmx64m"));
        assertThat(handedOver(JAVA, small, lab(List.of("-Xmx64m", "-Xmx1g"), List.of("-XX:X=1")))
                        .text())
                .contains("it had no effect: the command line has -Xmx1g, which wins over -Xmx64m");
    }

    @Test
    void whatCannotBeTriedIsSaid() {
        assertThat(handedOver(JAVA, BATCH, (stage, variant) -> Optional.empty()).text())
                .contains("Not tried as written: service.env (the budget is not enough for one more run;");
        assertThat(handedOver(JAVA, BATCH, (stage, variant) -> {
                            throw KilnException.machine("the disk is full", "");
                        })
                        .text())
                .contains("Not tried as written: service.env (the disk is full)");

        HandedOver cached = handedOver(TunedFilesTest.BASELINE, TunedFilesTest.CURED, lab(List.of(), List.of()));
        assertThat(cached.text())
                .contains(
                        "service.env (/app/app.aot is not on this machine: the Dockerfile makes it in your image)",
                        "Dockerfile (IMAGE and train.sh in it are yours)");
        assertThat(cached.run()).isEmpty();
        Variant moved = TunedFilesTest.of(List.of("java", "-jar", "other.jar"), List.of());
        assertThat(handedOver(JAVA, moved, lab(List.of(), List.of())).text())
                .contains("service.env (it sets nothing: it cannot say command java -jar other.jar)");
        assertThat(asked).as("no run shows anything of these").isEmpty();
    }

    @Test
    void aVariableThatNoJvmReadsDoesNotShow() {
        Variant warm = JAVA.named("warm")
                .with(JAVA.target()
                        .with(new Target.Program(
                                List.of("java", "-jar", "app.jar"),
                                List.of("--quick"),
                                Map.of("WARM", "soon"),
                                Optional.empty())));
        HandedOver handed = handedOver(JAVA, warm, lab(List.of(), List.of()));
        assertThat(handed.text())
                .contains(
                        "whether the service reads WARM does not show, T90 41.2 s (in the proof 41.2 s); it cannot say,"
                                + " and so the run did not have: arguments --quick.\n");
        assertThat(json(handed, warm).at("/asWritten/run/tookEffect").isNull()).isTrue();
    }

    @Test
    void systemdItselfLooksForFaults() throws IOException {
        assumeTrue(Programs.find("systemd-analyze").isPresent(), "systemd-analyze is not on this machine");
        WrittenCure written = WrittenCure.of("", "[Service]\nAmbientCapabilities=CAP_SYS_NICE\nCPUQuota=150%\n");
        Path good = Files.writeString(
                directory.resolve("good.conf"), "[Service]\nAmbientCapabilities=CAP_SYS_NICE\nCPUQuota=150%\n");
        Path bad = Files.writeString(directory.resolve("bad.conf"), "[Service]\nCPUQota=150%\n");
        assertThat(WrittenUnit.verified(good, good.resolveSibling("stage"), written, true)
                        .why())
                .isEqualTo(
                        "systemd-analyze verify finds no fault, AmbientCapabilities=CAP_SYS_NICE was not tried: a run has"
                                + " the rights of Kiln, CPUQuota=150% was in force in the run");
        assertThat(WrittenUnit.verified(bad, bad.resolveSibling("stage"), written, false)
                        .why())
                .contains("systemd-analyze verify: line 2: ", "CPUQota")
                .endsWith("CPUQuota=150% was not tried");
    }

    /** Of an earlier search that ended otherwise. */
    @Test
    void withoutAProofThereAreNoFiles() throws IOException {
        Path old = Files.createDirectories(directory.resolve("tuned")).resolve("service.env");
        Files.writeString(old, "A=1\n");
        Tuning proven = TunedFilesTest.tuning(BATCH);
        Tuning open = new Tuning(
                TuneVerdict.CANNOT_TELL,
                proven.goal(),
                proven.why(),
                proven.baseline(),
                proven.winner(),
                proven.tried(),
                proven.boost());
        assertThat(new AsWritten(JAVA, directory, Secrets.HIDDEN, lab(List.of(), List.of())).of(open))
                .isEmpty();
        assertThat(old).doesNotExist();
        assertThat(asked).isEmpty();
    }
}
