package dev.kiln.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.load.Sending;
import dev.kiln.plan.FlagExperiment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The documentation of the engines has what each of them says of itself. */
class EnginesTest {
    private static final LoadTemplate LOAD = new LoadTemplate(
            List.of(),
            new Sending(1, OptionalDouble.empty(), Duration.ofSeconds(1)),
            LoadTemplate.LoadEngine.KILN,
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    private static final EngineSettings.GhzCall GHZ = new EngineSettings.GhzCall(
            "a.B/C", Optional.empty(), List.of(), new EngineSettings.GhzData.Json("{}"), Map.of());
    private static final Set<LoadEngine> OF_A_USERS_OWN = Set.of(
            EngineSettings.GatlingTemplate.ENGINE, EngineSettings.Hyperfoil.ENGINE, EngineSettings.JMeterPlan.ENGINE);

    /** The row of the table that begins so, in cells. */
    private static List<String> row(String begin) throws IOException {
        return Files.readAllLines(Path.of("../docs/reference/load.md")).stream()
                .filter(line -> line.startsWith("| " + begin))
                .flatMap(line -> Stream.of(line.split("\\|")).map(String::strip).skip(2))
                .toList();
    }

    @Test
    void theTableComparesAllThatRunHere() throws IOException {
        assertThat(row("|"))
                .containsExactlyInAnyOrderElementsOf(Engines.names().stream()
                        .filter(engine -> !engine.equals(EngineSettings.Hyperfoil.ENGINE))
                        .map(engine -> "`" + engine.id() + "`")
                        .collect(Collectors.toSet()));
    }

    private static void assertRefused(LoadTemplate load, String phase, String what) {
        Protocol protocol = FlagExperiment.protocol(phase + ",load=10s");
        assertThatThrownBy(() -> Engines.of(load).check(load, protocol))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining(what);
    }

    @Test
    void aLoadThatCannotChangeAsAskedIsRefused() {
        assertRefused(LOAD, "ramp=0-200/30s", "phase warmup goes up to 200 connections, and the load has 1");
        assertRefused(LOAD, "ramp=0-200rps/30s", "phase warmup changes the rate, and the load has none");
        Engines.of(LOAD).check(LOAD, FlagExperiment.protocol("slow-start=30s,load=10s"));
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/wrk")), "wrk is not installed");
        assertRefused(LOAD.with(Wrk.NAME), "slow-start=30s", "load that changes (phase warmup)");
    }

    @Test
    void theTableSaysHowToInstallThem() throws IOException {
        List<String> engines = row("|");
        List<String> needs = row("needs");
        for (LoadEngine name : Engines.names()) {
            if (!OF_A_USERS_OWN.contains(name)
                    && Engines.of(LOAD.with(name).with(GHZ)) instanceof ToolEngine engine
                    && engine.tool() instanceof Tool.Installed tool) {
                String install = needs.get(engines.indexOf("`" + name.id() + "`"));
                assertThat(tool.packages()).startsWith(install.replaceAll("^.*; |`", ""));
                assertThat(tool.engine()).isEqualTo(name);
            }
        }
    }
}
