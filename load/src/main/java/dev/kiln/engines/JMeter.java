package dev.kiln.engines;

import dev.kiln.engines.ToolShell.LastWords;
import dev.kiln.engines.ToolShell.Running;
import dev.kiln.files.InputFile;
import dev.kiln.host.process.Programs;
import dev.kiln.importer.ToolOutput;
import dev.kiln.importer.format.Format.ImportOptions;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.program.JMeterCsv;
import dev.kiln.model.KilnException;
import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.EngineSettings.JMeterPlan;
import dev.kiln.model.experiment.Placeholders;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A JMeter is a user's test plan, run by the user's JMeter without its window, in a JVM of its own that ends with the phase. */
record JMeter(JMeterPlan settings) implements JvmTool {
    private static final String JAR = "bin/ApacheJMeter.jar";
    private static final String HOME = "JMETER_HOME";

    private static final int ERROR_LINES = 4;

    private static final String PORT = "port";
    private static final String URL = "url";

    /** JMeter looks into classes of the JDK; its own script opens them to it, too. */
    private static final List<String> OPENED = List.of(
            "java.base/java.lang",
            "java.base/java.lang.invoke",
            "java.base/java.lang.reflect",
            "java.base/java.util",
            "java.base/java.text");

    /** Whatever the user's JMeter is set to, its samples have the form that Kiln reads, and each is written at once. */
    private static final Map<String, String> SAVING = saving();

    private static Map<String, String> saving() {
        Map<String, String> saving = new LinkedHashMap<>();
        saving.put("output_format", "csv");
        saving.put("print_field_names", "true");
        saving.put("default_delimiter", ",");
        saving.put("timestamp_format", "ms");
        saving.put("autoflush", "true");
        Stream.of("time", "label", "response_code", "response_message", "thread_name", "successful", "idle_time")
                .forEach(column -> saving.put(column, "true"));
        return saving;
    }

    private static final ImportOptions NOTHING_ADDED = new ImportOptions(
            Optional.empty(), OptionalInt.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    static JMeter of(LoadTemplate load) {
        return load.settings(JMeterPlan.class)
                .map(JMeter::new)
                .orElseThrow(() -> KilnException.usage(
                        "load: engine jmeter needs a test plan",
                        "name it in the experiment file, below load: jmeter: {plan: test.jmx};"
                                + " kiln help load has an example"));
    }

    @Override
    public String script() {
        return "test plan";
    }

    @Override
    public String lengthName() {
        return "the property duration";
    }

    @Override
    public String meaning() {
        return settings.plan().getFileName() + " says what is sent, over new connections for each phase; 100 ms bins by"
                + " completion, from its samples, in whole ms; good is what its assertions accept";
    }

    @Override
    public boolean endless() {
        return true;
    }

    @Override
    public void require() {
        home();
        plan();
    }

    /** Returns the text of the plan. */
    private String plan() {
        String text;
        try {
            text = InputFile.followedText(settings.plan(), InputFile.DOCUMENT);
        } catch (IOException e) {
            throw KilnException.usage(
                    e, "load: cannot read the test plan " + settings.plan(), "name a .jmx that can be read");
        }
        if (!text.contains("<jmeterTestPlan")) {
            throw KilnException.usage(
                    "load: " + settings.plan() + " is no test plan of JMeter: it has no <jmeterTestPlan>",
                    "name the .jmx that JMeter's window saves");
        }
        return text;
    }

    /** Finds JMeter's folder: where the file names it, the environment does, or the program in the PATH is. */
    private Path home() {
        Optional<Path> named = settings.home()
                .or(() -> Optional.ofNullable(System.getenv(HOME)).map(Path::of));
        if (named.isPresent() && !Files.isRegularFile(named.get().resolve(JAR))) {
            throw KilnException.machine(
                    "load: there is no " + JAR + " in " + named.get(),
                    "name the folder of JMeter: jmeter: {home: FOLDER}, or " + HOME);
        }
        return named.or(() -> Programs.find("jmeter").flatMap(JMeter::homeOf))
                .orElseThrow(() -> KilnException.machine(
                        "load: JMeter was not found: there is no jmeter in the PATH with " + JAR + " beside it",
                        "unpack the archive of jmeter.apache.org, and name its folder: jmeter: {home: FOLDER}, or "
                                + HOME));
    }

    private static Optional<Path> homeOf(Path program) {
        try {
            Path home = program.toRealPath().resolve("../..").normalize();
            return Optional.of(home).filter(some -> Files.isRegularFile(some.resolve(JAR)));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    public String version() {
        try (JarFile jar = new JarFile(home().resolve(JAR).toFile())) {
            return Optional.ofNullable(jar.getManifest())
                    .flatMap(manifest -> Optional.ofNullable(
                            manifest.getMainAttributes().getValue(Attributes.Name.IMPLEMENTATION_VERSION)))
                    .orElse("of unknown version");
        } catch (IOException e) {
            throw KilnException.machine(
                    e, "load: cannot read " + home().resolve(JAR), "unpack JMeter's archive once more");
        }
    }

    @Override
    public List<String> notes() {
        List<String> notes = new ArrayList<>(JvmTool.super.notes());
        if (!told(PORT, URL)) {
            notes.add(settings.plan().getFileName()
                    + " reads neither the property port nor url: it sends to what it names itself");
        }
        return notes;
    }

    /** Tells whether the plan reads one of these properties, or one that the user fills with the port. */
    private boolean told(String... names) {
        Stream<String> own = settings.properties().entrySet().stream()
                .filter(entry -> Placeholders.namesIn(entry.getValue()).contains(Placeholders.PORT))
                .map(Map.Entry::getKey);
        String any = Stream.concat(Stream.of(names), own).map(Pattern::quote).collect(Collectors.joining("|"));
        return Pattern.compile("__(?:P|property)\\(\\s*(?:" + any + ")\\s*[,)]|props\\.get\\(\\W+(?:" + any + ")\\W")
                .matcher(plan())
                .find();
    }

    @Override
    public void prepare(Job job) throws IOException {
        Files.deleteIfExists(samples(job));
    }

    private static Path samples(Job job) {
        return job.folder().resolve("samples.csv");
    }

    @Override
    public List<String> command(Job job) {
        List<String> command = new ArrayList<>(java(job));
        OPENED.forEach(some -> command.add("--add-opens=" + some + "=ALL-UNNAMED"));
        command.add("-Djava.awt.headless=true");
        command.addAll(settings.jvmFlags());
        command.addAll(List.of(
                "-jar",
                home().resolve(JAR).toString(),
                "-n",
                "-t",
                settings.plan().toString(),
                "-l",
                samples(job).toString(),
                "-j",
                job.folder().resolve("jmeter.log").toString(),
                // It would listen at a port for whoever wants to end it.
                "-Jjmeterengine.nongui.port=0"));
        SAVING.forEach((name, value) -> command.add("-Jjmeter.save.saveservice." + name + "=" + value));
        command.addAll(properties(job));
        return command;
    }

    private List<String> properties(Job job) {
        URI url = job.call().url();
        Map<String, String> all = new LinkedHashMap<>();
        all.put(URL, url.toString());
        all.put("host", url.getHost());
        all.put(PORT, Integer.toString(JvmTool.port(url)));
        all.put("connections", Integer.toString(job.spec().connections()));
        all.put("phase", job.phase().name());
        all.put("duration", Long.toString(job.phase().duration().toSeconds()));
        Placeholders values = new Placeholders(
                Map.of(Placeholders.HOST, url.getHost(), Placeholders.PORT, Integer.toString(JvmTool.port(url))));
        settings.properties().forEach((name, value) -> all.put(name, values.fill(value)));
        return all.entrySet().stream()
                .map(entry -> "-J" + entry.getKey() + "=" + entry.getValue())
                .toList();
    }

    @Override
    public String remedy(Job job) {
        return "correct the test plan; to run it without Kiln: jmeter -n -t " + settings.plan() + " -l samples.csv "
                + String.join(" ", Secrets.HIDDEN.command(properties(job)));
    }

    /** Returns the beginning of JMeter's error: what it adds to that is long, and its last line is a rule. */
    @Override
    public String why(Path output) {
        String error = LastWords.of(output)
                .dropWhile(line -> !line.startsWith("Error in NonGUIDriver") && !line.startsWith("An error occurred"))
                .takeWhile(line -> !line.startsWith("Detail:"))
                .limit(ERROR_LINES)
                .collect(Collectors.joining(" "));
        return error.isEmpty() ? JvmTool.super.why(output) : error;
    }

    /** Reads the growing file, into which JMeter writes each sample as soon as it has ended. */
    @Override
    public LiveSeconds live(Job job, Running running) {
        return LiveLog.prompt(
                job, samples(job), (file, log, requests) -> JMeterCsv.parse(new Lines(file.toString(), log), requests));
    }

    @Override
    public Optional<ToolOutput.ToolPhase> read(Job job, Ended ended) {
        // How many samples are in flight, the file does not say.
        return samples(job).toFile().length() == 0
                ? Optional.empty()
                : JMeterCsv.of(samples(job), NOTHING_ADDED).map(samples -> job.told(samples, ended, 0));
    }
}
