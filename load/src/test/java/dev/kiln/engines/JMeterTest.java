package dev.kiln.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kiln.engines.Tool.Job;
import dev.kiln.load.LoadSession.Tick;
import dev.kiln.load.PhaseResult;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings.JMeterPlan;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.experiment.Target.JdkChoice;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.Sending;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is found out about a test plan before JMeter runs, and how it is run; the real one runs in an integration test. */
@Timeout(600)
class JMeterTest {
    private static final String PLAN = "<jmeterTestPlan version=\"1.2\">%s</jmeterTestPlan>";
    private static final Phase.Load SECOND = new Phase.Load("warmup", Duration.ofSeconds(1));

    @TempDir
    Path dir;

    private Path home = Path.of("");

    @BeforeEach
    void unpacked() throws IOException {
        home = dir.resolve("apache-jmeter");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.IMPLEMENTATION_VERSION, "5.6.3");
        Path jar = Files.createDirectories(home.resolve("bin")).resolve("ApacheJMeter.jar");
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    }

    private JMeterPlan settings(String plan, Map<String, String> properties) throws IOException {
        Path file = Files.writeString(dir.resolve("fruits.jmx"), plan);
        return new JMeterPlan(file, Optional.of(home), properties, Optional.empty(), List.of("-Xmx1g"));
    }

    private static String refused(JMeterPlan settings, OptionalDouble rate, Exit exit) {
        KilnException e = catchThrowableOfType(KilnException.class, () -> check(settings, rate));
        assertThat(e.exit()).isEqualTo(exit);
        return String.valueOf(e.getMessage());
    }

    private static void check(JMeterPlan settings, OptionalDouble rate) {
        Sending sending = new Sending(7, rate, Duration.ofSeconds(5));
        LoadTemplate load = EngineLoads.of(
                        JMeterPlan.ENGINE, sending, EngineLoads.call("GET", "http://localhost:${port}/"))
                .with(settings);
        Engines.of(load).check(load, new Protocol("test", List.of(SECOND)));
    }

    @Test
    void planAndProgramMustBeThere() throws IOException {
        JMeterPlan good = settings(PLAN.formatted(""), Map.of());
        OptionalDouble none = OptionalDouble.empty();
        assertThatCode(() -> check(good, none)).doesNotThrowAnyException();
        assertThat(new JMeter(good).version()).isEqualTo("5.6.3");
        assertThat(refused(good, OptionalDouble.of(3), Exit.USAGE))
                .isEqualTo("load: jmeter cannot use an open loop (rate): the test plan itself says what it sends");
        assertThat(refused(settings("<project/>", Map.of()), none, Exit.USAGE))
                .isEqualTo("load: " + good.plan() + " is no test plan of JMeter: it has no <jmeterTestPlan>");
        Files.delete(good.plan());
        assertThat(refused(good, none, Exit.USAGE)).startsWith("load: cannot read the test plan " + good.plan());
        Files.delete(home.resolve("bin/ApacheJMeter.jar"));
        assertThat(refused(good, none, Exit.MACHINE)).isEqualTo("load: there is no bin/ApacheJMeter.jar in " + home);
    }

    @Test
    void aPlanThatIsNotToldThePortMayLoadAnotherService() throws IOException {
        String note = "fruits.jmx reads neither the property port nor url: it sends to what it names itself";
        assertThat(new JMeter(settings(PLAN.formatted("${__P(report)}"), Map.of())).notes())
                .contains(note);
        for (String read : List.of("${__P(port)}", "${__property(url,,)}", "${__P(port,8080)}", "props.get('port')")) {
            assertThat(new JMeter(settings(PLAN.formatted(read), Map.of())).notes())
                    .as(read)
                    .doesNotContain(note);
        }
        String own = PLAN.formatted("${__P(server.port)}");
        assertThat(new JMeter(settings(own, Map.of("server.port", "${port}"))).notes())
                .doesNotContain(note);
        assertThat(new JMeter(settings(own, Map.of("server.port", "80"))).notes())
                .contains(note);
    }

    private Job job() {
        LoadSpec spec = new LoadSpec(
                List.of(HttpCall.get(URI.create("http://localhost:8080/fruits?a=b"))),
                7,
                OptionalDouble.empty(),
                Duration.ofSeconds(5));
        return new Job(spec, SECOND, dir);
    }

    @Test
    void thePlanIsToldOfTheLoad() throws IOException {
        JMeter jmeter = new JMeter(settings(PLAN.formatted(""), Map.of("server.port", "${port}", "duration", "9")));
        assertThat(jmeter.command(job()))
                .containsSubsequence(
                        "-Xmx1g",
                        "-jar",
                        home + "/bin/ApacheJMeter.jar",
                        "-n",
                        "-t",
                        dir.resolve("fruits.jmx").toString(),
                        "-l",
                        dir.resolve("samples.csv").toString())
                .contains(
                        "-Jjmeter.save.saveservice.output_format=csv",
                        "-Jjmeter.save.saveservice.autoflush=true",
                        "-Jurl=http://localhost:8080/fruits?a=b",
                        "-Jhost=localhost",
                        "-Jport=8080",
                        "-Jconnections=7",
                        "-Jphase=warmup",
                        "-Jserver.port=8080",
                        "-Jduration=9")
                .doesNotContain("-Jduration=1");
        assertThat(jmeter.remedy(job())).contains("jmeter -n -t ", " -Jport=8080 ");
    }

    /** Stands in for a plan that never ends: a sample each 50 ms, until it is asked to end. */
    private JdkChoice endless() throws IOException {
        Path java = Files.createDirectories(dir.resolve("jdk/bin")).resolve("java");
        Files.writeString(java, """
                #!/bin/sh
                while [ "$1" != -l ]; do shift; done
                echo timeStamp,elapsed,label,responseCode,responseMessage,threadName,success,IdleTime > "$2"
                while sleep 0.05; do
                  echo "$(date +%s%3N),0,get,200,OK,a 1-1,true,0" >> "$2"
                done
                """);
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        return new JdkChoice.Home(dir.resolve("jdk"));
    }

    @Test
    void aPlanThatGoesOnIsEndedAndItsPhaseIsGood() throws IOException {
        JMeter jmeter =
                new JMeter(settings(PLAN.formatted("${__P(port)}"), Map.of()).with(endless()));
        List<Tick> ticks = new ArrayList<>();
        PhaseResult result;
        try (ToolShell shell = new ToolShell(List.of(), dir);
                ToolSession session = new ToolSession(jmeter, shell, dir, job().spec(), dir, System.nanoTime())) {
            result = session.load(SECOND, ticks::add);
        }
        assertThat(result.cancelled()).isFalse();
        assertThat(result.requests().completed()).isPositive();
        assertThat(ticks).extracting(Tick::second).startsWith(1, 2);
        assertThat(result.warnings())
                .hasSize(2)
                .anyMatch(note -> note.matches("jmeter took .* s to start; the target had no load meanwhile"))
                .anyMatch(
                        note -> note.matches("jmeter sent for .* s in place of 1 s, until Kiln ended it: the test plan"
                                + " gets the length as the property duration"));
    }
}
