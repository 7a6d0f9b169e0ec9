package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Modifier.CompilerPriority;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.AotCache;
import dev.kiln.model.experiment.Variant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code with:} and {@code aot:}, from the file to the target. */
class ModifiersTest {
    private static final String REST = "load: {url: http://localhost:8080/}\n";
    private static final String JAVA = "target: {command: java Main, jvmFlags: -Xmx1g}\n";

    @TempDir
    private Path dir;

    private List<Variant> variants(String yaml) throws IOException {
        return ExperimentFile.read(Files.writeString(dir.resolve("a.yaml"), yaml + REST))
                .variants();
    }

    private Target only(String yaml) throws IOException {
        return variants(yaml).getFirst().target();
    }

    private List<String> errors(String yaml) throws IOException {
        Path file = Files.writeString(dir.resolve("a.yaml"), yaml + REST);
        KilnException e = catchThrowableOfType(KilnException.class, () -> ExperimentFile.read(file));
        assertThat(e).isNotNull();
        return String.valueOf(e.getMessage())
                .lines()
                .map(line -> line.replace(file + ":", ""))
                .toList();
    }

    @Test
    void aBoostIsReadAsTextAndAsAMap() throws IOException {
        Target target = only(JAVA + "variants:\n  a: {with: {cpu-boost: {from: 2, to: 0.50, for: 90s}}}\n");
        assertThat(target.modifiers())
                .containsExactly(new Modifier.BoostedStart(2, 0.5, Optional.of(Duration.ofSeconds(90))));
        assertThat(target.modifiers().getFirst().text()).isEqualTo("cpu-boost: 2 to 0.5 for 90s");
        assertThat(target.cpuQuotaAtLaunch()).hasValue(2);
        assertThat(target.cpuQuota()).hasValue(0.5);
        assertThat(only(JAVA + "variants:\n  a: {with: ['cpu-boost: 2 to 0.5 for 90s']}\n")
                        .modifiers())
                .isEqualTo(target.modifiers());
        assertThat(only(JAVA + "variants:\n  a: {with: {cpu-boost: {from: 2, to: 1, for: until-warm}}}\n")
                        .modifiers())
                .extracting(Modifier::text)
                .containsExactly("cpu-boost: 2 to 1 until-warm");
    }

    @Test
    void aBoostReplacesAnInheritedQuota() throws IOException {
        assertThat(variants(JAVA
                                + "variants:\n  a: {with: {cpu-quota: 1}}\n  b: {extends: a, with: {cpu-boost: 2 to 1 for 3s}}\n"
                                + "  c: {extends: b, with: {cpu-quota: 2}}\n")
                        .stream()
                        .map(variant -> variant.target().modifiers().getFirst().text()))
                .containsExactly("cpu-quota: 1", "cpu-boost: 2 to 1 for 3s", "cpu-quota: 2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{cpu-boost: {from: 1, to: 2, for: 30s}} | expected more CPUs at the start than later",
                "{cpu-boost: {from: 2, to: 1}} | cpu-boost: found no for, expected CPUs at the start and later",
                "{cpu-boost: {from: 2, to: 1, for: ever}} | for: found 'ever', expected until-warm or a duration",
                "{cpu-boost: 2} | cpu-boost: found '2', expected CPUs at the start and later, such as '2 to 1 for 30s'",
                "[cpu-quota: 1, cpu-boost: 2 to 1 for 3s] | found cpu-boost and cpu-quota, expected one of them",
            })
    void aBoostThatIsNoneIsRefused(String with, String message) throws IOException {
        assertThat(errors(JAVA + "variants:\n  a: {with: " + with + "}\n")).anyMatch(line -> line.contains(message));
    }

    @Test
    void everyModifierIsReadAsItIsShown() throws IOException {
        Target target = only(JAVA + """
                variants:
                  all:
                    with:
                      - virtual-threads
                      - xbatch
                      - compiler-priority: renice
                      - ci-compiler-count: 4
                      - no-aot-replay
                      - tiered-stop-at-level: 1
                      - cpus: 2
                      - {cpu-quota: 1.50, memory: 512m}
                """);

        assertThat(target.modifiers())
                .extracting(Modifier::text)
                .containsExactly(
                        "virtual-threads",
                        "xbatch",
                        "compiler-priority: renice",
                        "ci-compiler-count: 4",
                        "no-aot-replay",
                        "tiered-stop-at-level: 1",
                        "cpus: 2",
                        "cpu-quota: 1.5",
                        "memory: 512m");
        assertThat(target.modifiers().stream()
                        .map(modifier -> Modifiers.parse(modifier.text()))
                        .toList())
                .isEqualTo(target.modifiers());
        assertThat(target.jvmFlags())
                .containsExactly(
                        "-Xmx1g",
                        "-Dspring.threads.virtual.enabled=true",
                        "-Xbatch",
                        "-XX:CICompilerCount=4",
                        "-XX:-UseDynamicNumberOfCompilerThreads",
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:-AOTReplayTraining",
                        "-XX:TieredStopAtLevel=1");
    }

    @Test
    void aVariantAddsAndItsOwnValueHolds() throws IOException {
        List<Variant> variants = variants("""
                target: {command: java Main, with: [xbatch, cpus: 1]}
                variants:
                  plain:
                  more:
                    with: {cpus: 2, memory: 1g}
                """);

        assertThat(variants.get(0).target().modifiers())
                .extracting(Modifier::text)
                .containsExactly("xbatch", "cpus: 1");
        assertThat(variants.get(1).target().modifiers())
                .extracting(Modifier::text)
                .containsExactly("xbatch", "cpus: 2", "memory: 1024m");
    }

    @Test
    void virtualThreadsAreAskedForWhereTheyAreUnderstood() throws IOException {
        Target workload = only("target: {workload: fruits-spring, with: virtual-threads}\n");
        assertThat(workload.virtualThreads()).isTrue();
        assertThat(workload.jvmFlags()).isEmpty();

        Target script = only("target: {command: ls, with: virtual-threads}\n");
        assertThat(script.environment()).containsEntry("SPRING_THREADS_VIRTUAL_ENABLED", "true");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[xbach] | 1: with: unknown modifier 'xbach'; did you mean 'xbatch'?",
                "[{cpu-qouta: 1}] | 1: unknown key 'cpu-qouta'; did you mean 'cpu-quota'?",
                "xbatch:1 | 1: with: found '1', expected no value after xbatch",
                "[cpus] | 1: with: found cpus without a value, expected a whole number from 1 to 10000",
                "{cpus: 0} | 1: cpus: found '0', expected a whole number from 1 to 10000",
                "{cpu-quota: -1} | 1: cpu-quota: found '-1', expected a number above zero",
                "{cpu-quota: 0.001} | 1: cpu-quota: found '0.001', expected a number of CPUs of at least 0.01",
                "{memory: 512} | 1: memory: found '512', expected an amount of memory from 16m, such as 512m or 2g",
                "{memory: 99999999999g} | 1: memory: found '99999999999g', expected an amount of memory from 16m, such as 512m or 2g",
                "{compiler-priority: high} | 1: compiler-priority: found 'high', expected auto, flags or renice",
                "{tiered-stop-at-level: 5} | 1: tiered-stop-at-level: found '5', expected a whole number from 0 to 4",
                "[5] | 1: with: found '5', expected modifiers such as [xbatch, cpus: 1]",
                "{cpus: [1]} | 1: cpus: found a list, expected a value"
            })
    void whatIsWrongIsTold(String with, String message) throws IOException {
        assertThat(errors("target: {command: java Main, with: " + with + "}\n")).containsExactly(message);
    }

    @Test
    void flagsMustReachAJvm() throws IOException {
        assertThat(errors("target: {command: ls, with: xbatch}\n"))
                .containsExactly(
                        "1: variant baseline: modifiers that are JVM flags need a command that begins with java,"
                                + " found 'ls'; for a script, set JAVA_TOOL_OPTIONS in the environment");
        assertThat(errors("target: {command: ls, aot: {train: startup}}\n"))
                .containsExactly("1: variant baseline: AOT caches need a command that begins with java, found 'ls'");
        assertThat(only("target: {command: ls, with: [cpus: 1, memory: 1g, compiler-priority]}\n")
                        .modifiers())
                .contains(new CompilerPriority(CompilerPriority.ModifiedBy.AUTO));
    }

    @Test
    void aotCachesAreTrainedOrGiven() throws IOException {
        Path cache = Files.writeString(dir.resolve("app.aot"), "");
        List<Variant> variants = variants(JAVA + """
                variants:
                  startup: {aot: {train: startup}}
                  traffic: {aot: {train: traffic, for: 5s}}
                  long: {extends: traffic, aot: {train: traffic}}
                  file: {aot: {file: app.aot}}
                  of: {extends: startup, aot: {of: startup}}
                """);

        assertThat(variants)
                .extracting(variant -> variant.target().aot().orElseThrow())
                .containsExactly(
                        new AotCache.Startup(List.of()),
                        new AotCache.Traffic(Duration.ofSeconds(5)),
                        new AotCache.Traffic(Duration.ofSeconds(20)),
                        new AotCache.GivenCache(cache),
                        new AotCache.OfVariant("startup"));
    }

    @Test
    void aCacheIsTakenOfAVariantThatHasOne() throws IOException {
        assertThat(errors(JAVA + "variants:\n  plain:\n  a: {aot: {of: plane}}\n"))
                .containsExactly("4: aot: unknown variant 'plane'; did you mean 'plain'?");
        assertThat(errors(JAVA + "variants:\n  plain:\n  a: {aot: {of: plain}}\n  b: {aot: {of: a}}\n"))
                .containsExactly(
                        "4: aot: found of: plain, which has no cache of its own, expected a variant with one",
                        "5: aot: found of: a, which has no cache of its own, expected a variant with one");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{train: trafic} | 1: train: unknown training 'trafic'; did you mean 'traffic'?",
                "{} | 1: aot: found nothing that says which, expected one of train, file, of",
                "{train: startup, file: a} | 1: aot: found train and file, expected one of train, file, of",
                "{of: a, for: 5s} | 1: aot: found for beside of, expected it with 'train: traffic'",
                "{train: startup, for: 5s} | 1: aot: found for beside 'train: startup', expected it with 'train: traffic'",
                "{train: traffic, flags: -Xint} | 1: aot: found flags beside 'train: traffic', expected it with 'train: startup'",
                "{train: traffic, for: 5} | 1: for: found '5', expected a duration above zero such as 500ms, 20s, 2m or 1m30s",
                "startup | 1: found 'startup', expected a map such as {train: startup}, {train: traffic, for: 20s}, {file: app.aot} or {of: VARIANT}"
            })
    void aWrongAotIsTold(String aot, String message) throws IOException {
        assertThat(errors("target: {command: java Main, aot: " + aot + "}\n")).containsExactly(message);
    }

    @Test
    void aMissingCacheIsTold() throws IOException {
        assertThat(errors("target: {command: java Main, aot: {file: none.aot}}\n"))
                .containsExactly("1: file: no such file: " + dir.resolve("none.aot"));
    }

    @Test
    void thePlanTellsWhatIsModifiedAndTrained() throws IOException {
        Experiment experiment = ExperimentFile.read(Files.writeString(dir.resolve("a.yaml"), JAVA + """
                variants:
                  a: {with: [xbatch, cpus: 1], aot: {train: traffic, for: 20s}}
                claims:
                  - {text: It is fast, check: t90(a) <= 10}
                  - {text: It is slow elsewhere, notObservable: it takes another machine}
                """ + REST));

        String plan = PlanText.render(experiment, Schedule.of(experiment));

        assertThat(plan)
                .contains("  with         xbatch, cpus: 1\n")
                .contains("  AOT cache    first, once: record a start and 20 s of the load and create it, about 44 s\n")
                .endsWith("""
                claims
                  It is fast
                    agrees if t90(a) <= 10
                  It is slow elsewhere
                    not observable here: it takes another machine
                """);
        Experiment plain = experiment.with(
                List.of(new Variant(
                        "a",
                        new Target(
                                new Target.Program(
                                        List.of("java", "Main"),
                                        List.of(),
                                        java.util.Map.of(),
                                        java.util.Optional.empty()),
                                Target.Jvm.USUAL,
                                experiment.variants().getFirst().target().readiness()))),
                experiment.database());
        assertThat(Schedule.of(experiment).estimate())
                .isEqualTo(Schedule.of(plain).estimate().plusSeconds(44));
    }

    @Test
    void flagsMakeVariantsToo() {
        Function<Experiment, String> shown = experiment -> experiment.variants().stream()
                .map(variant -> variant.name() + " "
                        + variant.target().modifiers().stream()
                                .map(Modifier::text)
                                .toList())
                .collect(Collectors.joining("; "));

        assertThat(shown.apply(FlagExperimentTest.modified(dir, "quota=cpu-quota:1.5,xbatch", "quota=cpus:1")))
                .isEqualTo("baseline []; quota [cpu-quota: 1.5, xbatch, cpus: 1]");
        KilnException wrong =
                catchThrowableOfType(KilnException.class, () -> FlagExperimentTest.modified(dir, "quota=cpu-qouta:1"));
        assertThat(wrong).hasMessage("--with: unknown modifier 'cpu-qouta'; did you mean 'cpu-quota'?");
    }

    /** {@code docs/reference/modifiers.md} has a row for each. */
    @Test
    void theReferenceHasThemAll() throws IOException {
        String page = Files.readString(Path.of("../docs/reference/modifiers.md"));

        assertThat(Modifiers.NAMES)
                .allSatisfy(name -> assertThat(page).containsPattern("(?m)^\\| `" + Pattern.quote(name) + "[`:]"));
    }
}
