package dev.kiln.engines;

import dev.kiln.engines.Tool.Job;
import dev.kiln.engines.ToolShell.LastWords;
import dev.kiln.engines.ToolShell.Running;
import dev.kiln.files.OutputFile;
import dev.kiln.importer.ToolOutput;
import dev.kiln.importer.program.GatlingLog;
import dev.kiln.model.KilnException;
import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipFile;

/** A Gatling is a user's simulation, run by Gatling in a JVM of its own, which ends with the phase. */
record Gatling(EngineSettings.GatlingTemplate settings) implements JvmTool {
    /** Gatling exits with this code if all ran and an assertion of the simulation failed. */
    private static final int ASSERTIONS_FAILED = 2;

    private static final int ASSERTIONS = 3;

    /** Gatling prints a failed assertion in this form, from 3.4 on with the actual value. */
    private static final Pattern FAILED = Pattern.compile(".* : false( \\(actual : .*)?");

    /** This configuration keeps Logback quiet: with none on the class path it logs everything and costs more than the load. */
    private static final String LOGBACK = """
            <configuration>
              <appender name="console" class="ch.qos.logback.core.ConsoleAppender">
                <encoder><pattern>%level %logger{0}: %msg%n</pattern></encoder>
              </appender>
              <root level="WARN"><appender-ref ref="console"/></root>
            </configuration>
            """;

    static Gatling of(LoadTemplate load) {
        return load.settings(EngineSettings.GatlingTemplate.class)
                .map(Gatling::new)
                .orElseThrow(() -> KilnException.usage(
                        "load: engine gatling needs a simulation",
                        "name it in the experiment file, below load: gatling: {simulation: CLASS, classpath: [...]};"
                                + " kiln help load has an example"));
    }

    @Override
    public String script() {
        return "simulation";
    }

    @Override
    public String lengthName() {
        return "kiln.seconds";
    }

    @Override
    public String meaning() {
        return settings.simulation() + " says what is sent, over new connections for each phase; 100 ms bins by"
                + " completion, from its log of each request, in whole ms; good is what its checks accept";
    }

    @Override
    public void require() {
        new GatlingClasses(settings).check();
    }

    @Override
    public String version() {
        return new GatlingClasses(settings).version().orElse("of unknown version");
    }

    @Override
    public void prepare(Job job) throws IOException {
        if (Files.exists(results(job))) {
            try (Stream<Path> old = Files.walk(results(job))) {
                for (Path path : old.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
        Files.createDirectories(fallback(job));
        OutputFile.replace(fallback(job).resolve("logback.xml"), LOGBACK);
    }

    private static Path results(Job job) {
        return job.folder().resolve("gatling");
    }

    /** Returns the folder of Kiln's defaults, last on the class path, so that the user's own configuration has precedence. */
    private static Path fallback(Job job) {
        return job.folder().resolve("gatling-defaults");
    }

    @Override
    public List<String> command(Job job) {
        Stream<String> classPath = Stream.concat(settings.classPath().stream(), Stream.of(fallback(job)))
                .map(Path::toString);
        List<String> command = new ArrayList<>(java(job));
        command.addAll(List.of(
                // Gatling's log writer looks into strings.
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                // Gatling would fetch a page from a host of its maker first, and report the run to that host at the
                // end.
                "-Dgatling.http.warmUpUrl=",
                "-Dgatling.data.enableAnalytics=false",
                "-Dgatling.http.requestTimeout=" + job.spec().timeout().toMillis()));
        command.addAll(settings.jvmFlags());
        command.addAll(told(job));
        command.addAll(List.of(
                "-cp",
                classPath.collect(Collectors.joining(File.pathSeparator)),
                "io.gatling.app.Gatling",
                "-s",
                settings.simulation(),
                "-rf",
                results(job).toString(),
                "-nr"));
        return command;
    }

    private static List<String> told(Job job) {
        URI url = job.call().url();
        return List.of(
                "-Dkiln.url=" + url,
                "-Dkiln.host=" + url.getHost(),
                "-Dkiln.port=" + JvmTool.port(url),
                "-Dkiln.connections=" + job.spec().connections(),
                "-Dkiln.phase=" + job.phase().name(),
                "-Dkiln.seconds=" + job.phase().duration().toSeconds());
    }

    @Override
    public String remedy(Job job) {
        return "correct the simulation; to run it without Kiln: java --add-opens=java.base/java.lang=ALL-UNNAMED "
                + String.join(" ", Secrets.HIDDEN.command(told(job))) + " -cp CLASSPATH io.gatling.app.Gatling -s "
                + settings.simulation()
                + " -rf target -nr";
    }

    @Override
    public boolean done(int exit) {
        return exit == 0 || exit == ASSERTIONS_FAILED;
    }

    /** Reads the growing log. Gatling writes it in pieces of 8 KiB, so a log that does not grow says nothing about the load. */
    @Override
    public LiveSeconds live(Job job, Running running) {
        return new LiveLog(
                job.phase().name(),
                new LiveLog.Log(
                        () -> log(job),
                        false,
                        (file, log, requests) -> GatlingLog.parse(file, log, requests, gap -> {})));
    }

    @Override
    public Optional<ToolOutput.ToolPhase> read(Job job, Ended ended) {
        Optional<Path> log = log(job);
        if (log.isEmpty() && !ended.stopped()) {
            throw KilnException.usage(
                    "gatling left no simulation.log", "add file to data.writers in the gatling.conf of the simulation");
        }
        // How many requests are in flight, its log does not say.
        return log.flatMap(GatlingLog::of).map(requests -> job.told(requests, ended, 0));
    }

    /** Returns the run's log if it has content. After an early stop it may be empty, because Gatling buffers what it writes. */
    private static Optional<Path> log(Job job) {
        if (!Files.exists(results(job))) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.walk(results(job), 2)) {
            return files.filter(file -> file.endsWith("simulation.log"))
                    .filter(file -> file.toFile().length() > 0)
                    .findFirst();
        } catch (IOException e) {
            throw job.noRoom(e);
        }
    }

    @Override
    public List<String> notes(Job job, Ended ended, ToolOutput.ToolPhase phase) {
        List<String> notes = new ArrayList<>(JvmTool.super.notes(job, ended, phase));
        if (ended.exit() == ASSERTIONS_FAILED) {
            notes.add("assertions of the simulation failed"
                    + LastWords.of(ended.running().output())
                            .filter(line -> FAILED.matcher(line).matches())
                            .limit(ASSERTIONS)
                            .collect(Collectors.joining("; ", ": ", "")));
        }
        return notes;
    }

    /** A GatlingClasses is a simulation's class path, checked before all: Gatling takes seconds for that. */
    private record GatlingClasses(EngineSettings.GatlingTemplate settings) {
        private static final String MAIN = "io/gatling/app/Gatling.class";

        /** Maven gives the jar this name, which has the version; the class files have none. */
        private static final Pattern JAR = Pattern.compile("gatling-app-(\\d.*)\\.jar");

        void check() {
            if (place(MAIN).isEmpty()) {
                throw KilnException.usage(
                        "load: there is no Gatling in gatling: classpath ("
                                + settings.classPath().size() + " entries were searched for gatling-app)",
                        "add Gatling's jars, such as mvn dependency:copy-dependencies puts into target/dependency;"
                                + " kiln help load has an example");
            }
            version().filter(version -> !GatlingLog.reads(version)).ifPresent(version -> {
                throw KilnException.usage(
                        "load: gatling: classpath has Gatling " + version + ", whose logs Kiln cannot read; "
                                + GatlingLog.VERSIONS + " are known",
                        "put one of those on the class path");
            });
            if (place(settings.simulation().replace('.', '/') + ".class").isEmpty()) {
                throw KilnException.usage(
                        "load: there is no class " + settings.simulation() + " in gatling: classpath",
                        "compile the simulation, or add the folder or jar that contains it");
            }
        }

        /** Reads Gatling's version from the name of its jar; empty where the jar has another name. */
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
                throw KilnException.usage(
                        e,
                        "load: gatling: classpath has " + entry + ", which cannot be read as a jar",
                        "leave it out, or replace it with a good one");
            }
        }
    }
}
