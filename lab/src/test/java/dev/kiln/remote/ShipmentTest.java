package dev.kiln.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.ReadySign;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is sent arrives: with a real shell and a real tar. */
class ShipmentTest {
    @TempDir
    private Path home;

    private FarHome far() {
        return new FarHome(home);
    }

    @Test
    void aShipmentIsKeptOnceAndFoundAgain() throws Exception {
        Shipment shipment = Shipment.ofThisKiln();
        assertThat(far().run(FarScripts.isThere(shipment)).exit()).isEqualTo(1);
        assertThat(far().run(FarScripts.receive(shipment), shipment::writeTo)).isEqualTo(new FarHome.Ended(0, ""));
        assertThat(far().run(FarScripts.receive(shipment), shipment::writeTo).exit())
                .isZero();
        assertThat(far().run(FarScripts.isThere(shipment)).exit()).isZero();
        try (Stream<Path> kept = Files.list(far().cache())) {
            assertThat(kept).singleElement().satisfies(folder -> {
                assertThat(folder.getFileName()).hasToString(shipment.folder());
                assertThat(folder.resolve("0")).exists();
            });
        }
    }

    @Test
    void aShipmentThatWasCutIsNotKept() throws Exception {
        Shipment shipment = Shipment.ofThisKiln();
        assertThat(far().run(FarScripts.receive(shipment)).exit()).isNotZero();
        assertThat(far().run(FarScripts.isThere(shipment)).exit()).isEqualTo(1);
        try (Stream<Path> kept = Files.list(far().cache())) {
            assertThat(kept).isEmpty();
        }
    }

    @Test
    void aShipmentThatWasDamagedThereIsReplaced() throws Exception {
        Shipment shipment = Shipment.ofThisKiln();
        Path folder = far().cache().resolve(shipment.folder());
        Files.createDirectories(folder);
        assertThat(far().run(FarScripts.isThere(shipment)).exit()).isEqualTo(1);
        assertThat(far().run(FarScripts.receive(shipment), shipment::writeTo)).isEqualTo(new FarHome.Ended(0, ""));
        assertThat(far().run(FarScripts.isThere(shipment)).exit()).isZero();
        assertThat(folder.resolve("0")).exists();
    }

    @Test
    void whatWasLeftThereLongAgoIsSweptAway() throws Exception {
        Path cache = far().cache();
        for (String name : List.of("agent-old", "workload-old", "part-old", "runtime-old", "mine")) {
            Files.createDirectory(cache.resolve(name));
            far().leave(name);
        }
        Files.createDirectory(cache.resolve("part-new"));
        Shipment shipment = Shipment.ofThisKiln();
        assertThat(far().run(FarScripts.receive(shipment), shipment::writeTo)).isEqualTo(new FarHome.Ended(0, ""));
        assertThat(cache.toFile().list()).containsExactlyInAnyOrder(shipment.folder(), "part-new", "mine");
    }

    @Test
    void theSameFilesAreTheSameShipment() {
        assertThat(Shipment.ofThisKiln().folder())
                .isEqualTo(Shipment.ofThisKiln().folder())
                .matches("agent-[0-9a-f]{16}");
    }

    private Shipment workload(String... command) {
        return Shipment.ofWorkload(new Target(
                new Target.Program(
                        Optional.of("fruits"),
                        false,
                        List.of(command),
                        List.of(),
                        Map.of(),
                        Optional.of(home.resolve("fruits")),
                        List.of()),
                Target.Jvm.USUAL,
                new ReadySign.FirstResponse(Duration.ofSeconds(1))));
    }

    private void file(String name, String text) throws IOException {
        Path file = home.resolve("fruits").resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    @Test
    void ofAWorkloadTheFoldersThatItsCommandNamesAreSent() throws Exception {
        file("pom.xml", "");
        file("target/app/app.jar", "jar");
        file("target/app/lib/a.jar", "library");
        file("target/server/modules/m.jar", "");
        file("target/server/configuration/standalone.xml", "");

        Shipment app = workload("java", "-jar", "target/app/app.jar", "--out=${run.dir}");
        assertThat(app.parts()).containsOnlyKeys("target/app");
        assertThat(workload("java", "-cp", "target/app/lib/*:target/server", "-Dconf=/etc", "../Main", ".", "")
                        .parts())
                .containsOnlyKeys("target/app/lib", "target/server");
        assertThat(workload(
                                "java",
                                "-mp",
                                "target/server/modules",
                                "-Dhome=target/server",
                                "--config=target/server/configuration/standalone.xml")
                        .parts())
                .containsOnlyKeys("target/server");
        assertThat(workload("java", "-jar", "pom.xml").parts()).containsOnlyKeys("pom.xml");

        assertThat(far().run(FarScripts.receive(app), app::writeTo)).isEqualTo(new FarHome.Ended(0, ""));
        Path there = far().cache().resolve(app.folder());
        assertThat(there.resolve("target/app/app.jar")).hasContent("jar");
        assertThat(there.resolve("target/app/lib/a.jar")).hasContent("library");
        assertThat(there.resolve("target/server")).doesNotExist();

        file("target/app/lib/a.jar", "another library");
        assertThat(workload("java", "-jar", "target/app/app.jar").folder())
                .matches("workload-[0-9a-f]{16}")
                .isNotEqualTo(app.folder());
    }

    @Test
    void aWorkloadWhoseFilesNobodyFindsIsTold() {
        assertThatExceptionOfType(KilnException.class)
                .isThrownBy(() -> workload("java", "-jar", "target/app/app.jar"))
                .withMessageContaining("the command of fruits names no file in " + home.resolve("fruits"))
                .satisfies(told -> assertThat(told.exit()).isEqualTo(Exit.USAGE));
    }

    @Test
    void aWorkloadThatIsGoneThereIsToldByTheShell() throws Exception {
        file("target/app/app.jar", "jar");
        Shipment agent = Shipment.ofThisKiln();
        assertThat(far().run(FarScripts.receive(agent), agent::writeTo).exit()).isZero();
        Shipment app = workload("java", "-jar", "target/app/app.jar");
        FarHome.Ended ended = far().run(FarScripts.start(agent, Optional.of(app), "Main"));
        assertThat(ended.exit()).isEqualTo(1);
        assertThat(ended.said()).contains("cd").contains(app.folder());
    }
}
