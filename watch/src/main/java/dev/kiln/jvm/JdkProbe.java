package dev.kiln.jvm;

import dev.kiln.files.InputFile;
import dev.kiln.files.OutputFile;
import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.Programs;
import dev.kiln.host.process.Scratch;
import dev.kiln.jvm.Jdk.ElfFile;
import dev.kiln.jvm.JdkProbe.JdkSight.Ability;
import dev.kiln.jvm.Reply.Refusal;
import dev.kiln.model.KilnException.IoReason;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Stream;

/** A JdkProbe finds out what Kiln can observe of a JDK: launches it once and tries each thing. */
public final class JdkProbe {
    private static final Duration START_LIMIT = Duration.ofSeconds(20);
    private static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);
    private static final long POLL_NANOS = 20_000_000;

    private static final Duration LAST_WORDS = Duration.ofSeconds(2);

    /** Commands that Kiln asks for compile queues and compiled methods. */
    private static final List<String> QUERIES = List.of("Compiler.queue", "Compiler.codelist");

    private static final String QUEUE_EVENT = "jdk.CompilerQueueUtilization";

    private final Jdk jdk;
    private String vendor;

    private JdkProbe(Jdk jdk) {
        this.jdk = jdk;
        this.vendor = jdk.vendor();
    }

    /** Takes about a second. */
    public static JdkSight look(Jdk jdk) {
        JdkProbe probe = new JdkProbe(jdk);
        List<Ability> abilities = probe.abilities();
        return new JdkSight(
                jdk.home(), jdk.version(), jdk.feature(), probe.vendor, ElfFile.architecture(jdk.java()), abilities);
    }

    private List<Ability> abilities() {
        try {
            try (Scratch scratch = Scratch.make("jdk")) {
                return launched(scratch);
            }
        } catch (IOException e) {
            return none("it cannot be started: " + IoReason.of(e));
        }
    }

    private List<Ability> launched(Scratch scratch) throws IOException {
        Path folder = scratch.folder();
        IdleProgram.writeInto(folder);
        Path said = folder.resolve("said.txt");
        ProcessBuilder builder = new ProcessBuilder(
                        jdk.java().toString(),
                        "-Xmx64m",
                        "-XX:+PrintFlagsFinal",
                        "-cp",
                        folder.toString(),
                        IdleProgram.NAME)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        // Flags meant for other programs must not change the result.
        List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS").forEach(builder.environment()::remove);
        Process process = scratch.start(builder);
        try {
            return observed(process, said);
        } finally {
            Programs.end(process, process.getOutputStream(), Duration.ofSeconds(5));
        }
    }

    private List<Ability> observed(Process process, Path said) throws IOException {
        JvmProbe probe = new JvmProbe(ProcFs.ofThisMachine(), process.pid());
        long deadline = System.nanoTime() + START_LIMIT.toNanos();
        while (process.isAlive()
                && probe.counters().isEmpty()
                && System.nanoTime() < deadline
                && !(started(said) && !probe.isHotSpot())) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        // A process with output that is no JVM is a launcher with an error, and is about to end.
        long lastWords = System.nanoTime() + LAST_WORDS.toNanos();
        while (process.isAlive() && !probe.isHotSpot() && System.nanoTime() < lastWords) {
            LockSupport.parkNanos(POLL_NANOS);
        }
        if (!process.isAlive()) {
            return none("it does not run here: " + lastLine(said));
        }
        // The release file of a jlink runtime names no vendor.
        probe.counters().map(counters -> counters.info().vendor()).ifPresent(this::made);
        Optional<String> counters = probe.counters().isPresent() ? Optional.empty() : Optional.of(probe.whyNone());
        try (AttachSocket socket = new AttachSocket(ProcFs.ofThisMachine(), process.pid(), ANSWER_LIMIT)) {
            Reply<String> help = help(new DiagnosticCommands(socket), deadline);
            return told(counters, help, InputFile.text(said, InputFile.DOCUMENT));
        }
    }

    private void made(String by) {
        vendor = vendor.equals("unknown") ? by : vendor;
    }

    /** A JVM that still starts is asked again. */
    private static Reply<String> help(DiagnosticCommands commands, long deadline) {
        Reply<String> help = commands.raw("help");
        while (help.refusal().filter(refusal -> !refusal.isLasting()).isPresent() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(POLL_NANOS);
            help = commands.raw("help");
        }
        return help;
    }

    private static boolean started(Path said) {
        try {
            return Files.size(said) > 0;
        } catch (IOException e) {
            return false;
        }
    }

    private List<Ability> told(Optional<String> counters, Reply<String> help, String flags) {
        Optional<String> silent = help.refusal().map(Refusal::why);
        String commands = help.told().orElse("");
        String settings = settings();
        Optional<String> recorder = !settings.isEmpty() && (silent.isPresent() || commands.contains("JFR.start"))
                ? Optional.empty()
                : Optional.of("it has no module jdk.jfr");
        return abilities(ability -> switch (ability) {
            case COUNTERS -> counters;
            case ATTACH -> silent;
            case QUEUES -> silent.or(() -> queries(commands));
            case FLIGHT_RECORDER -> recorder;
            case QUEUE_EVENTS ->
                recorder.or(() -> settings.contains('"' + QUEUE_EVENT + '"')
                        ? Optional.empty()
                        : Optional.of("its recorder has no " + QUEUE_EVENT));
            case AOT_CACHE -> aot(flags);
        });
    }

    private static Optional<String> queries(String help) {
        List<String> missing =
                QUERIES.stream().filter(query -> !help.contains(query)).toList();
        return missing.isEmpty() ? Optional.empty() : Optional.of("it has no " + String.join(", ", missing));
    }

    private Optional<String> aot(String flags) {
        if (!flags.contains(" AOTCache ")) {
            return Optional.of("it has no flag AOTCache (JDK 24 brought it)");
        }
        return jdk.feature() >= AotFlags.SINCE
                ? Optional.empty()
                : Optional.of("its caches hold only classes; Kiln trains caches from JDK " + AotFlags.SINCE + " on");
    }

    /** Returns the recorder's default settings, which name every event; empty if there is no recorder. */
    private String settings() {
        try (Stream<Path> names = Files.list(jdk.home().resolve("lib/jfr"))) {
            return names.anyMatch(file -> file.endsWith("default.jfc"))
                    ? InputFile.followedText(jdk.home().resolve("lib/jfr/default.jfc"), InputFile.DOCUMENT)
                    : "";
        } catch (IOException | UncheckedIOException e) {
            return "";
        }
    }

    private static String lastLine(Path said) throws IOException {
        List<String> lines = InputFile.text(said, InputFile.DOCUMENT)
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
        return lines.isEmpty() ? "it ended without any output" : lines.getLast().strip();
    }

    private static List<Ability> none(String why) {
        return abilities(ability -> Optional.of(why));
    }

    private static List<Ability> abilities(Function<ProbedAbility, Optional<String>> whyNot) {
        List<Ability> all = new ArrayList<>();
        for (ProbedAbility one : ProbedAbility.values()) {
            all.add(new Ability(one.id, one.text, whyNot.apply(one)));
        }
        return all;
    }

    private enum ProbedAbility {
        COUNTERS("counters", "performance counters"),
        ATTACH("attach", "attach"),
        QUEUES("compile-queues", "compile queues"),
        FLIGHT_RECORDER("flight-recorder", "flight recorder"),
        QUEUE_EVENTS("queue-events", "compiler queue events"),
        AOT_CACHE("aot-cache", "AOT cache");

        private final String id;
        private final String text;

        ProbedAbility(String id, String text) {
            this.id = id;
            this.text = text;
        }
    }

    /** An IdleProgram is one for JDK 8 and later that waits for the end of its input. A JRE could not compile it. */
    private static final class IdleProgram {
        static final String NAME = "Idle";

        private static final int JAVA_8 = 52;

        private IdleProgram() {}

        static void writeInto(Path folder) throws IOException {
            ClassDesc input = ClassDesc.of("java.io.InputStream");
            byte[] bytes = ClassFile.of()
                    .build(
                            ClassDesc.of(NAME),
                            type -> type.withVersion(JAVA_8, 0)
                                    .withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_SUPER)
                                    .withMethodBody(
                                            "main",
                                            MethodTypeDesc.of(
                                                    ConstantDescs.CD_void, ConstantDescs.CD_String.arrayType()),
                                            ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                                            code -> code.getstatic(ClassDesc.of("java.lang.System"), "in", input)
                                                    .invokevirtual(
                                                            input, "read", MethodTypeDesc.of(ConstantDescs.CD_int))
                                                    .pop()
                                                    .return_()));
            OutputFile.replace(folder.resolve(NAME + ".class"), bytes);
        }
    }

    /** A JdkSight is a JDK, and what Kiln can observe of its programs; architecture is the kernel's name. */
    public record JdkSight(
            Path home, String version, int feature, String vendor, String architecture, List<Ability> abilities) {
        public JdkSight {
            abilities = List.copyOf(abilities);
        }

        /** An Ability can be observed, or not, and then why; its id is for machines, its name for people. */
        public record Ability(String id, String name, Optional<String> whyNot) {}
    }
}
