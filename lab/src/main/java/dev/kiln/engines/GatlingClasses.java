package dev.kiln.engines;

import dev.kiln.importer.ToolOutput;
import dev.kiln.model.EngineSettings;
import dev.kiln.model.IoReason;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipFile;

/** The class path of a simulation, looked at before anything starts: Gatling itself says what is amiss after seconds. */
record GatlingClasses(EngineSettings.Gatling settings) {
    private static final String MAIN = "io/gatling/app/Gatling.class";

    /** As Maven names it; its class files do not tell. */
    private static final Pattern JAR = Pattern.compile("gatling-app-(\\d.*)\\.jar");

    void check() {
        if (place(MAIN).isEmpty()) {
            throw new KilnException(
                    Exit.USAGE,
                    "load: there is no Gatling in gatling: classpath ("
                            + settings.classPath().size() + " entries were searched for gatling-app)",
                    "add Gatling's jars, such as mvn dependency:copy-dependencies puts into target/dependency;"
                            + " docs/reference/load.md has an example");
        }
        version().filter(version -> !ToolOutput.readsGatling(version)).ifPresent(version -> {
            throw new KilnException(
                    Exit.USAGE,
                    "load: gatling: classpath has Gatling " + version + ", whose logs Kiln cannot read; "
                            + ToolOutput.gatlingVersions() + " are known",
                    "put one of those on the class path");
        });
        if (place(settings.simulation().replace('.', '/') + ".class").isEmpty()) {
            throw new KilnException(
                    Exit.USAGE,
                    "load: there is no class " + settings.simulation() + " in gatling: classpath",
                    "compile the simulation, or add the folder or jar that holds it");
        }
    }

    /** Empty where the jar has another name. */
    Optional<String> version() {
        return place(MAIN)
                .map(place -> JAR.matcher(String.valueOf(place.getFileName())))
                .filter(Matcher::matches)
                .map(jar -> jar.group(1));
    }

    private Optional<Path> place(String resource) {
        return settings.classPath().stream()
                .filter(entry -> holds(entry, resource))
                .findFirst();
    }

    private static boolean holds(Path entry, String resource) {
        if (Files.isDirectory(entry)) {
            return Files.isRegularFile(entry.resolve(resource));
        }
        try (ZipFile jar = new ZipFile(entry.toFile())) {
            return jar.getEntry(resource) != null;
        } catch (IOException e) {
            throw new KilnException(
                    Exit.USAGE,
                    "load: gatling: classpath has " + entry + ", which cannot be read as a jar: " + IoReason.of(e),
                    "leave it out, or restore it",
                    e);
        }
    }
}
