package dev.kiln.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.Service;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.run.Machine.JvmInfo;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.WaitKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.Attributes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which changes can do anything to a service, told from real jars, and from what was recorded of its first run. */
class ApplicabilityTest {
    private static final Change VIRTUAL = Change.with(new Modifier.VirtualThreads());

    @TempDir
    Path folder = Path.of("");

    private void jar(String name, String classPath, String... entries) throws IOException {
        TargetLibrariesTest.jar(
                folder.resolve(name),
                classPath.isEmpty() ? Map.of() : Map.of(Attributes.Name.CLASS_PATH, classPath),
                entries);
    }

    private Optional<String> whyNot(String... command) {
        Target target = target(command);
        return Applicability.whyNot(VIRTUAL, target, TargetLibraries.of(target));
    }

    private Target target(String... command) {
        return new Target(
                new Target.Program(List.of(command), List.of(), Map.of(), Optional.of(folder)),
                Target.Jvm.USUAL,
                new ReadySign.FirstResponse(Duration.ofSeconds(1)));
    }

    @Test
    void springBootIsFoundInsideOfAJarBesideItAndOnAClassPath() throws IOException {
        jar("nested.jar", "", "BOOT-INF/lib/spring-boot-3.5.3.jar", "BOOT-INF/lib/spring-core-6.2.8.jar");
        jar("thin.jar", "lib/spring-boot-4.0.0.jar lib/other.jar");
        jar("lib/spring-boot-4.0.0.jar", "");
        jar("shaded.jar", "", "org/springframework/boot/SpringApplication.class");

        assertThat(whyNot("java", "-jar", "nested.jar")).isEmpty();
        assertThat(whyNot("java", "-Xmx1g", "-jar", "thin.jar", "--server.port=1"))
                .isEmpty();
        assertThat(whyNot("java", "-jar", "shaded.jar")).isEmpty();
        assertThat(whyNot("java", "-cp", "lib/*", "org.example.Main")).isEmpty();
        assertThat(whyNot("java", "-cp", "shaded.jar:lib/spring-boot-4.0.0.jar", "Main"))
                .isEmpty();
    }

    @Test
    void aServiceWithoutItOrWithAnOlderOneHasNoSwitch() throws IOException {
        jar("plain.jar", "", "org/example/Main.class");
        jar("boot2.jar", "", "BOOT-INF/lib/spring-boot-2.7.18.jar");
        jar("tools.jar", "", "BOOT-INF/lib/spring-boot-loader-tools.jar", "lib/spring-bootstrap-1.0.jar");

        assertThat(whyNot("java", "-jar", "plain.jar"))
                .hasValue("this is a switch of Spring Boot, and no Spring Boot is on the class path of the service");
        assertThat(whyNot("java", "-jar", "tools.jar")).isPresent();
        assertThat(whyNot("java", "-jar", "boot2.jar"))
                .hasValue("spring-boot-2.7.18 has no such switch: it came with Spring Boot 3.2");
    }

    /** Its screen cost a minute, and showed that no virtual thread started. */
    @Test
    void anOldJvmHasNoVirtualThreads() {
        assertThat(Applicability.tooOld(VIRTUAL, Optional.of(jvm("17.0.15+6"))))
                .hasValue("virtual threads came with JDK 21, and the service runs on JDK 17");
        assertThat(Applicability.tooOld(VIRTUAL, Optional.of(jvm("1.8.0_432")))).isPresent();
        assertThat(Applicability.tooOld(VIRTUAL, Optional.of(jvm("21.0.2+13")))).isEmpty();
        assertThat(Applicability.tooOld(VIRTUAL, Optional.empty())).isEmpty();
        assertThat(Applicability.tooOld(Change.flags("-Xbatch"), Optional.of(jvm("17.0.15+6"))))
                .isEmpty();
    }

    private static JvmInfo jvm(String version) {
        return new JvmInfo("/jdk", version, "any", List.of(), List.of());
    }

    @Test
    void propertiesOfFrameworksThatAreNotThereCanDoNothing() throws IOException {
        jar("netty.jar", "", "io/netty/channel/Channel.class");
        jar("boot.jar", "", "BOOT-INF/lib/spring-boot-3.5.3.jar");
        Change pool = Change.flags("-Dserver.tomcat.threads.max=16", "-Dquarkus.thread-pool.max-threads=16");
        for (String jar : List.of("netty.jar", "boot.jar")) {
            Target target = target("java", "-jar", jar);
            Optional<String> why = Applicability.whyNot(pool, target, TargetLibraries.of(target));
            if (jar.equals("boot.jar")) {
                assertThat(why).isEmpty();
            } else {
                assertThat(why)
                        .hasValue(
                                "these are properties of Spring Boot and of Quarkus, and neither is on the class path of the service");
            }
            assertThat(Applicability.whyNot(Change.flags("-Dserver.x=1", "-Xmx1g"), target, TargetLibraries.of(target)))
                    .isEmpty();
        }
        Target script = target("./start.sh");
        assertThat(Applicability.whyNot(pool, script, TargetLibraries.of(script)))
                .isEmpty();
    }

    @Test
    void whoReadsASwitchIsSaid() throws IOException {
        jar("boot.jar", "", "BOOT-INF/lib/spring-boot-3.5.3.jar");
        assertThat(reader(VIRTUAL, "java", "-jar", "boot.jar")).hasValue("spring-boot-3.5.3 reads this switch");
        assertThat(reader(VIRTUAL, "bin/service").orElse(""))
                .startsWith("the command does not show whether the service has Spring Boot");
        jar("shaded.jar", "", "org/springframework/boot/SpringApplication.class");
        assertThat(reader(VIRTUAL, "java", "-jar", "shaded.jar").orElse(""))
                .startsWith("the command does not show the version of Spring Boot");
        assertThat(reader(Change.flags("-Xbatch"), "bin/service")).isEmpty();
    }

    private Optional<String> reader(Change change, String... command) {
        Target target = target(command);
        return Applicability.reader(change, target, TargetLibraries.of(target));
    }

    @Test
    void whereTheCommandDoesNotTellNothingIsExcluded() throws IOException {
        jar("plain.jar", "", "org/example/Main.class");
        Files.writeString(folder.resolve("broken.jar"), "no jar");

        assertThat(whyNot("./start.sh")).isEmpty();
        assertThat(whyNot("java", "@options", "-jar", "plain.jar")).isEmpty();
        assertThat(whyNot("java", "-jar", "broken.jar")).isEmpty();
        assertThat(whyNot("java", "-cp", "plain.jar:classes", "Main")).isEmpty();
        jar("bin/bootstrap.jar", "", "org/apache/catalina/startup/Bootstrap.class");
        assertThat(whyNot("java", "-cp", "bin/bootstrap.jar", "org.apache.catalina.startup.Bootstrap"))
                .as("Tomcat loads the application from elsewhere")
                .isEmpty();
        assertThat(whyNot("java", "-Dloader.path=lib", "-jar", "plain.jar")).isEmpty();
        assertThat(whyNot("java", "org.springframework.boot.loader.launch.JarLauncher"))
                .isEmpty();
        assertThat(Applicability.whyNot(
                        Change.flags("-Xbatch"),
                        target("java", "-jar", "plain.jar"),
                        TargetLibraries.of(target("java", "-jar", "plain.jar"))))
                .isEmpty();
    }

    @Test
    void aRunWithoutAVirtualThreadShowsThatTheSwitchDidNothing() {
        Service platform = dumped();
        assertThat(Applicability.withoutEffect(VIRTUAL, platform.evidence()))
                .hasValue("it had no effect: the service started no virtual thread");

        for (String seen : List.of(
                "ForkJoinPool-2-",
                "VirtualThread-u",
                "Read-Poller",
                "MasterPoller",
                "ForkJoi..rker-1",
                "Virtual..locker")) {
            Service virtual = dumped();
            virtual.pool = seen;
            assertThat(Applicability.withoutEffect(VIRTUAL, virtual.evidence()))
                    .as(seen)
                    .isEmpty();
        }
        Service unknown = dumped();
        unknown.threads = false;
        assertThat(Applicability.withoutEffect(VIRTUAL, unknown.evidence())).isEmpty();
        assertThat(Applicability.withoutEffect(VIRTUAL, Service.healthy().evidence()))
                .as("names alone do not tell")
                .isEmpty();
    }

    private static Service dumped() {
        Service service = Service.healthy();
        service.made.blocked.add(
                new BlockedSample(64_000_000_000L, "http", false, 9, WaitKind.RUNNABLE, "app.Stock.sum:30", "", ""));
        return service;
    }

    @Test
    void aFlagThatTheJvmHasTheOtherWayRoundDidNothing() {
        assertThat(inForce(Change.flags("-Xbatch"), "-XX:+BackgroundCompilation"))
                .hasValue("it had no effect: the JVM has -XX:+BackgroundCompilation in force");
        assertThat(inForce(Change.flags("-XX:+UseCompactObjectHeaders"), "-XX:-UseCompactObjectHeaders"))
                .isPresent();
        assertThat(inForce(Change.flags("-XX:+UseCompactObjectHeaders"), "-XX:CICompilerCount=3"))
                .isEmpty();
        assertThat(inForce(Change.flags("-XX:CICompilerCount=3"), "-XX:CICompilerCount=2"))
                .isEmpty();
    }

    private static Optional<String> inForce(Change change, String... flags) {
        Service service = Service.healthy();
        service.made.inForce = Arrays.asList(flags);
        return Applicability.withoutEffect(change, service.evidence());
    }

    @Test
    void flagsInTheEnvironmentOfAScriptMayReachNoJvm() {
        Change batch = Change.with(new Modifier.XBatch());
        assertThat(ofScript(batch, "-Xbatch", "-Xbatch", "-Xmx1g")).isEmpty();
        assertThat(ofScript(Change.flags("-Dgreeting=a b"), "'-Dgreeting=a b'", "-Dgreeting=a", "b"))
                .isEmpty();
        assertThat(ofScript(batch, "-Da=1 -Xbatch", "-Xmx1g", "-Da=1"))
                .hasValue("it had no effect: the JVM that served was not given -Xbatch, so the command does not pass"
                        + " JAVA_TOOL_OPTIONS on");
        assertThat(ofScript(Change.flags("-Xmx64m"), "-Xmx64m", "-Xmx64m", "-Xmx1g"))
                .hasValue("it had no effect: the command line has -Xmx1g, which wins over -Xmx64m");
        assertThat(ofScript(batch, "-Xbatch", "-D" + "a".repeat(1000)))
                .as("a JVM tells the beginning of its arguments only")
                .isEmpty();
        assertThat(ofScript(Change.flags("-Dport=${port}"), "-Dport=${port}", "-Dport=8080"))
                .as("it was filled in")
                .isEmpty();
        assertThat(ofScript(Change.with(new Modifier.Cpus(1)), "-Da=1"))
                .as("that flag is the baseline's as well")
                .isEmpty();
    }

    private static Optional<String> ofScript(Change change, String options, String... given) {
        Service service = Service.healthy();
        service.made.flags = List.of(given);
        Target target = new Target(
                new Target.Program(
                        List.of("./start.sh"), List.of(), Map.of("JAVA_TOOL_OPTIONS", options), Optional.empty()),
                Target.Jvm.USUAL,
                new ReadySign.FirstResponse(Duration.ofSeconds(1)));
        return Applicability.withoutEffect(change, target, service.evidence());
    }

    /** Tika's server is a process that the JVM of the command starts: none of the flags came to it, and what was gained was noise. */
    @Test
    void flagsOfACommandMayReachAnotherJvmThanTheOneThatServes() {
        assertThat(ofJava("-Xbatch", "-Xmx1g", "-Xbatch")).isEmpty();
        assertThat(ofJava("-Xbatch", "-Dtika.server.id=1"))
                .hasValue(
                        "it had no effect: the JVM that served was not given -Xbatch, so the JVM of the command starts"
                                + " another one");
        assertThat(ofJava("-Xbatch", "-D" + "a".repeat(1000)))
                .as("a JVM tells the beginning of its arguments only")
                .isEmpty();
    }

    private static Optional<String> ofJava(String flag, String... given) {
        Service service = Service.healthy();
        service.made.flags = List.of(given);
        Target target = new Target(
                new Target.Program(List.of("java", "-jar", "a.jar"), List.of(), Map.of(), Optional.empty()),
                new Target.Jvm(Optional.empty(), List.of(flag), List.of(), Optional.empty()),
                new ReadySign.FirstResponse(Duration.ofSeconds(1)));
        return Applicability.withoutEffect(Change.flags(flag), target, service.evidence());
    }
}
