package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.AotCache;
import dev.kiln.model.experiment.Target.JdkChoice;
import dev.kiln.model.experiment.Variant;
import dev.kiln.plan.Changes.ScriptChange;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChangesTest {
    private static final Change NOTHING = new Change(List.of(), List.of(), Optional.empty());

    @TempDir
    private Path folder;

    private Variant variant(String target) throws IOException {
        Path file = Files.writeString(
                folder.resolve("e.yaml"), "target:\n" + target.indent(2) + "load: {url: 'http://localhost:1/'}\n");
        return ExperimentFile.read(file).variants().getFirst();
    }

    @Test
    void nothingChangesNothing() throws IOException {
        for (String target : List.of(
                "command: java Main\njvmFlags: -Xmx1g\nwith: [xbatch, tiered-stop-at-level: 1]\n",
                "workload: fruits-spring\nvirtualThreads: true\nenvironment: {A: b}\n",
                "command: sh start.sh\nwith: virtual-threads\nreadiness: {port: 80}\n",
                "command: java Main\nwith: virtual-threads\naot: {train: startup}\n")) {
            Variant variant = variant(target);
            assertThat(Changes.of(variant, "same", NOTHING).target()).as(target).isEqualTo(variant.target());
        }
    }

    @Test
    void aModifierBringsItsFlags() throws IOException {
        Variant variant = variant("command: java Main\njvmFlags: -Xmx1g\nwith: [ci-compiler-count: 3]\n");
        Variant changed = Changes.of(variant, "batch", Change.with(new Modifier.XBatch()));
        assertThat(changed.name()).isEqualTo("batch");
        assertThat(changed.target().jvmFlags())
                .containsExactly(
                        "-Xmx1g", "-XX:CICompilerCount=3", "-XX:-UseDynamicNumberOfCompilerThreads", "-Xbatch");
        assertThat(Changes.of(variant, "more", Change.with(new Modifier.CiCompilerCount(4)))
                        .target()
                        .jvmFlags())
                .containsExactly("-Xmx1g", "-XX:CICompilerCount=4", "-XX:-UseDynamicNumberOfCompilerThreads");
    }

    @Test
    void eachVariantRunsWithEachJdk() throws IOException {
        List<JdkChoice> jdks = FlagExperiment.jdks("17, 21.0.8," + System.getProperty("java.home"));
        assertThat(jdks)
                .containsExactly(
                        new JdkChoice.Version("17", true),
                        new JdkChoice.Version("21.0.8", true),
                        new JdkChoice.Home(Path.of(System.getProperty("java.home"))));
        Path file = Files.writeString(folder.resolve("e.yaml"), """
                target: {command: java Main}
                variants: {a: {}, b: {jvmFlags: -Xbatch}}
                load: {url: 'http://localhost:1/'}
                """);
        List<Variant> two = Changes.byJdk(ExperimentFile.read(file).variants(), jdks.subList(0, 2));
        assertThat(two).extracting(Variant::name).containsExactly("a-jdk17", "a-jdk21.0.8", "b-jdk17", "b-jdk21.0.8");
        assertThat(two.getLast().target().jdk()).contains(new JdkChoice.Version("21.0.8", true));
        assertThat(two.getLast().target().jvmFlags()).containsExactly("-Xbatch");
        List<Variant> levels =
                ExperimentFile.read(file, List.of(1, 20)).variants().subList(0, 2);
        assertThat(Changes.byJdk(levels, jdks.subList(0, 1)))
                .extracting(Variant::name)
                .containsExactly("jdk17-c1", "jdk17-c20");
        List<JdkChoice> builds =
                List.of(new JdkChoice.Home(Path.of("/a/jdk-1")), new JdkChoice.Home(Path.of("/a/jdk-2")));
        assertThat(Changes.byJdk(two.subList(0, 1), builds))
                .extracting(Variant::name)
                .containsExactly("jdk-1", "jdk-2");
        List<JdkChoice> alike = List.of(new JdkChoice.Home(Path.of("/a/jdk")), new JdkChoice.Home(Path.of("/b/jdk")));
        assertThatThrownBy(() -> Changes.byJdk(two, alike))
                .isInstanceOfSatisfying(
                        KilnException.class, e -> assertThat(e.remedy()).contains("name links"));
        assertThatThrownBy(() -> FlagExperiment.jdks("17,,21"))
                .isInstanceOf(KilnException.class)
                .hasMessageStartingWith("--jdks: ");
    }

    /** Of an option given twice the last counts, and a command's own come last; two collectors end the JVM. */
    @Test
    void whatContradictsTheChangeGoes() throws IOException {
        Variant variant = variant("""
                command: java -Xmx512m -Xms64m -XX:-UseSerialGC -cp classes Main -Xmx2g
                jvmFlags: -XX:+UseSerialGC -XX:MaxHeapSize=512m -Da=1
                """);
        Variant changed =
                Changes.of(variant, "more", Change.flags("-Xmx1024m", "-XX:+UseParallelGC", "-Da=2", "-Xms64m"));
        assertThat(changed.target().command())
                .containsExactly("java", "-Xms64m", "-XX:-UseSerialGC", "-cp", "classes", "Main", "-Xmx2g");
        assertThat(changed.target().jvmFlags()).containsExactly("-Xmx1024m", "-XX:+UseParallelGC", "-Da=2", "-Xms64m");
        Variant stopped = variant("command: java -XX:TieredStopAtLevel=4 Main\n");
        assertThat(Changes.of(stopped, "c1", Change.with(new Modifier.TieredStopAtLevel(1)))
                        .target()
                        .command())
                .containsExactly("java", "Main");
    }

    @Test
    void virtualThreadsAreAskedForAsTheTargetTakesThem() throws IOException {
        Change threads = Change.with(new Modifier.VirtualThreads());
        assertThat(Changes.of(variant("command: java Main\n"), "v", threads)
                        .target()
                        .jvmFlags())
                .containsExactly("-Dspring.threads.virtual.enabled=true");
        assertThat(Changes.of(variant("workload: fruits-spring\n"), "v", threads)
                        .target()
                        .virtualThreads())
                .isTrue();
        assertThat(Changes.of(variant("command: sh start.sh\n"), "v", threads)
                        .target()
                        .environment())
                .containsEntry("SPRING_THREADS_VIRTUAL_ENABLED", "true");
    }

    @Test
    void aCacheNeedsAJvmThatTakesIt() throws IOException {
        Variant script = variant("command: sh start.sh\n");
        assertThatThrownBy(() -> Changes.of(script, "x", Change.with(new AotCache.Traffic(Duration.ofSeconds(20)))))
                .isInstanceOf(KilnException.class)
                .hasMessageStartingWith("AOT caches need a command that begins with java");
    }

    /** Nobody knows where in a script its flags belong; the command stays as it is. */
    @Test
    void flagsReachTheJvmOfAScriptByItsEnvironment() throws Exception {
        Path script = Files.writeString(
                folder.resolve("start.sh"),
                "exec '" + Path.of(System.getProperty("java.home"), "bin", "java")
                        + "' -XshowSettings:properties -XX:+PrintCommandLineFlags -version\n");
        Variant variant = variant("""
                command: sh start.sh
                environment: {JAVA_TOOL_OPTIONS: '-XX:+UseSerialGC -Dkept="a b"'}
                """);
        Change change = new Change(
                List.of(new Modifier.XBatch(), new Modifier.Cpus(1)),
                List.of("-XX:+UseParallelGC", "-Dgreeting=it's \"me\""),
                Optional.empty());

        Target changed = Changes.of(variant, "x", change).target();

        assertThat(changed.command()).isEqualTo(variant.target().command());
        assertThat(changed.jvmFlags()).isEmpty();
        assertThat(changed.modifiers()).containsExactly(new Modifier.Cpus(1));
        ProcessBuilder launch = new ProcessBuilder("sh", script.toString()).redirectErrorStream(true);
        launch.environment().putAll(changed.environment());
        Process process = launch.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said)
                .contains("-XX:-BackgroundCompilation", "-XX:+UseParallelGC", "kept = a b", "greeting = it's \"me\"")
                .doesNotContain("-XX:+UseSerialGC ");
    }

    /** From outside alone nobody else can favour them: what a search proves must be something that can be handed over. */
    @Test
    void compilersOfAScriptAreFavouredByFlagsToo() throws IOException {
        Modifier auto = new Modifier.CompilerPriority(Modifier.CompilerPriority.ModifiedBy.AUTO);
        Target favoured = Changes.of(variant("command: sh start.sh\n"), "x", Change.with(auto))
                .target();
        assertThat(favoured.modifiers()).containsExactly(auto);
        assertThat(favoured.environment().getOrDefault("JAVA_TOOL_OPTIONS", ""))
                .endsWith("-XX:ThreadPriorityPolicy=1 -XX:CompilerThreadPriority=-20");

        Modifier renice = new Modifier.CompilerPriority(Modifier.CompilerPriority.ModifiedBy.RENICE);
        for (Target outside : List.of(
                Changes.of(variant("command: sh start.sh\n"), "x", Change.with(renice))
                        .target(),
                Changes.of(variant("command: podman run --rm image\n"), "x", Change.with(auto))
                        .target())) {
            assertThat(outside.environment()).isEmpty();
            assertThat(outside.modifiers()).hasSize(1);
        }
    }

    /** They may pass on no more than one variable. */
    @Test
    void flagsReachTheJvmThatOthersStartByItsEnvironment() throws IOException {
        Variant others = variant("""
                attach: port:8080
                restart: sh start.sh
                environment: {JAVA_TOOL_OPTIONS: -Xmx1g, TAG: a}
                """);
        Change change = new Change(
                List.of(new Modifier.XBatch(), new Modifier.VirtualThreads()), List.of("-Xmx2g"), Optional.empty());

        Target changed = Changes.of(others, "x", change).target();

        assertThat(changed.environment())
                .containsEntry("TAG", "a")
                .containsEntry("JAVA_TOOL_OPTIONS", "-Xmx2g -Xbatch -Dspring.threads.virtual.enabled=true")
                .hasSize(2);
        assertThat(changed.hooks()).isEqualTo(others.target().hooks());
        assertThat(changed.modifiers()).isEmpty();
        for (Modifier outside : List.of(
                new Modifier.CompilerPriority(Modifier.CompilerPriority.ModifiedBy.AUTO),
                new Modifier.Cpus(2),
                new Modifier.CpuQuota(2))) {
            assertThatThrownBy(() -> Changes.of(others, "x", Change.with(outside)))
                    .as(outside.text())
                    .isInstanceOf(KilnException.class)
                    .hasMessage("Kiln changes nothing of a process that it does not start");
        }
        assertThatThrownBy(() -> Changes.of(others, "x", Change.with(new AotCache.Traffic(Duration.ofSeconds(20)))))
                .isInstanceOf(KilnException.class)
                .hasMessage("the file of an AOT cache would have to be where others start the service");
    }

    /** Otherwise the change would take away what the baseline inherits. */
    @Test
    void inheritedFlagsOfAScriptStay() throws IOException {
        TargetDraft draft = TargetDraft.of(variant("command: sh start.sh\n").target());
        assertThat(new ScriptChange(Change.with(new Modifier.XBatch()), "-Xmx1g")
                        .of(draft)
                        .environment())
                .containsEntry("JAVA_TOOL_OPTIONS", "-Xmx1g -Xbatch");
    }

    /** It has an environment of its own. */
    @Test
    void anEngineOfContainersMustPassTheVariableOn() throws IOException {
        Change batch = Change.with(new Modifier.XBatch());
        assertThat(Files.createFile(folder.resolve("docker")).toFile().setExecutable(true))
                .isTrue();
        for (String blind : List.of(
                "podman run --rm -e OTHER image java -jar app.jar",
                "./docker run --env JAVA_TOOL_OPTIONS=-Xmx1g image")) {
            Variant variant = variant("command: " + blind + "\n");
            assertThatThrownBy(() -> Changes.of(variant, "x", batch))
                    .as(blind)
                    .hasMessageContaining("run does not pass JAVA_TOOL_OPTIONS on to the container; write ")
                    .hasMessageContaining(" run --env JAVA_TOOL_OPTIONS ...");
            assertThatThrownBy(() -> Changes.of(variant, "x", Change.with(new Modifier.VirtualThreads())))
                    .hasMessageContaining("does not pass SPRING_THREADS_VIRTUAL_ENABLED on");
            assertThat(Changes.of(variant, "x", Change.with(new Modifier.Cpus(1)))
                            .target()
                            .modifiers())
                    .containsExactly(new Modifier.Cpus(1));
        }
        for (String open : List.of(
                "podman run -e JAVA_TOOL_OPTIONS image",
                "docker run --env=JAVA_TOOL_OPTIONS image",
                "docker run --rm --env JAVA_TOOL_OPTIONS image",
                "podman run --env-host image")) {
            assertThat(Changes.of(variant("command: " + open + "\n"), "x", batch)
                            .target()
                            .environment())
                    .as(open)
                    .hasEntrySatisfying(
                            "JAVA_TOOL_OPTIONS", options -> assertThat(options).endsWith("-Xbatch"));
        }
    }
}
