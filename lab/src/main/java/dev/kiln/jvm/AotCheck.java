package dev.kiln.jvm;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.Launcher;
import dev.kiln.host.process.Trees;
import dev.kiln.model.AotSight;
import dev.kiln.model.AotSight.Reason;
import dev.kiln.model.AotSight.Used;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.KilnException.IoReason;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Whether a JVM accepts the AOT cache that its command names. The JVM itself is asked: it is started with the command and
 * {@code --dry-run}, which ends it before the program's own code runs (agents do run). It verifies the checksums of the
 * cache, which it does not do otherwise.
 */
public final class AotCheck {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private static final Pattern TRIED = Pattern.compile("trying to map (.*)$", Pattern.MULTILINE);

    private static final Pattern REJECTED = Pattern.compile(
            "An error has occurred while processing the AOT cache|Unable to use AOT cache|Unable to map shared spaces");

    private static final Pattern CLASS = Pattern.compile("\\[aot,load *+] \\S++ ++\\S++(?! \\(initiated)");

    private static final Pattern HEAP = Pattern.compile("(?:Loaded heap .* size|Heap data mapped at .*size =) +(\\d+)");

    private static final Pattern CODE = Pattern.compile("Loaded (\\d+) AOT code entries");

    private static final Pattern NO_CODE = Pattern.compile("Unable to use AOT Code Cache|AOT Code Cache is not used");

    /** A method with its profile, as -XX:+AOTPrintTrainingInfo prints it: without one, the pointer to it is nil. */
    private static final Pattern PROFILE =
            Pattern.compile("^ *\\d+: 0x[0-9a-f]+ M (\\S+?)\\(.* mdo=0x[0-9a-f]+", Pattern.MULTILINE);

    /** What that says of a class behind its name: how far it is initialised, and whether it is an interface. */
    private static final Pattern STATE = Pattern.compile("\\[[ADLiE]]I?$");

    /** Options with which a JVM writes files that a running one may own. */
    private static final String WRITING = "-Xlog(?:gc)?:|-XX:(?:AOTCacheOutput|AOTConfiguration|ArchiveClassesAtExit"
            + "|[+]AutoCreateSharedArchive|DumpLoadedClassList|LogFile|FlightRecorderOptions)";

    private static final Pattern WRITING_WORD = Pattern.compile("(?:" + WRITING + ").*");

    private static final Pattern WRITING_OPTION = Pattern.compile("(?:" + WRITING + ")\\S*");

    private static final Pattern RECORDING = Pattern.compile("-XX:StartFlightRecording\\S*");

    /** A port that the running JVM has. */
    private static final Pattern PORT =
            Pattern.compile("(-Dcom\\.sun\\.management\\.jmxremote(?:\\.rmi)?\\.port)=\\d+");

    private static final Pattern TRAINING = Pattern.compile("-XX:AOTMode=(?:record|create)\\b|-Xshare:dump\\b");

    /** What a JVM with {@link AotFaults#UNSEEN_JAR} does not find itself. */
    private static final List<String> UNSEEN = List.of("class-path", "changed-jar");

    private AotCheck() {}

    /**
     * A running JVM: with its own command, in its folder and environment. Whether it has mapped the cache is seen.
     *
     * @throws KilnException if its command cannot be read or is not to be repeated, or it has other files than Kiln
     */
    public static AotSight ofRunning(ProcFs fs, long pid) {
        RunningCommand running = RunningCommand.of(
                fs, pid, "give its command without the options that write: kiln aot check -- java ...");
        AotSight now = of(running.jdk(), running.command(), running.folder(), running.environment());
        String maps = fs.text("proc/" + pid + "/maps").orElse("");
        boolean mapped = now.cache()
                .filter(file -> maps.lines().anyMatch(line -> line.endsWith(" " + JdkFinder.real(file))))
                .isPresent();
        if (mapped) {
            // A start now, outside its cgroup, may choose another heap and collector.
            List<Reason> unseen = now.reasons().stream()
                    .filter(reason -> UNSEEN.contains(reason.id()))
                    .toList();
            return new AotSight(
                    now.cache(), now.jdkHome(), now.jdkVersion(), unseen.isEmpty(), unseen, now.used(), now.faults());
        }
        return !now.accepted()
                ? now
                : new AotSight(
                        now.cache(),
                        now.jdkHome(),
                        now.jdkVersion(),
                        false,
                        List.of(new Reason(
                                "later",
                                "the process does not use it, though a start with the same command now would",
                                "the file came after the start, or was replaced since: start the service again")),
                        Optional.empty(),
                        now.faults());
    }

    /**
     * @param command of a JVM, as it is typed: its first word is {@code java}, or the path of one
     * @param folder that it runs in
     * @param environment all of it
     * @throws KilnException if the JVM cannot be started
     */
    public static AotSight of(Jdk jdk, List<String> command, Path folder, Map<String, String> environment) {
        if (jdk.feature() > 0 && jdk.feature() < AotFlags.SINCE) {
            return sight(
                    jdk,
                    Optional.empty(),
                    false,
                    List.of(new Reason(
                            "jdk",
                            "JDK " + jdk.version() + " has no AOT caches with profiles",
                            "use JDK " + AotFlags.SINCE + " or later")),
                    Optional.empty());
        }
        List<String> options = new ArrayList<>(command);
        Launcher.JVM_OPTIONS.forEach(name -> options.add(environment.getOrDefault(name, "")));
        if (options.stream().anyMatch(word -> TRAINING.matcher(word).find())) {
            Reason training = new Reason("training", "the command makes a cache, and uses none", "ask when it is made");
            return sight(jdk, Optional.empty(), false, List.of(training), Optional.empty());
        }
        try {
            Path scratch = Files.createTempDirectory("kiln-aot-");
            try {
                return read(jdk, folder, said(jdk, command, folder, environment, scratch));
            } finally {
                Trees.delete(scratch);
            }
        } catch (IOException e) {
            throw new KilnException(
                    Exit.MACHINE, "cannot start " + jdk.java() + ": " + IoReason.of(e), "check that it runs here", e);
        }
    }

    /**
     * @param log what the JVM logged
     * @param printed what it wrote to its standard output and error
     * @param exit its exit code
     */
    private record Said(String log, String printed, int exit) {}

    private static Said said(Jdk jdk, List<String> command, Path folder, Map<String, String> environment, Path scratch)
            throws IOException {
        Path log = scratch.resolve("log");
        Path printed = scratch.resolve("printed");
        List<String> words = new ArrayList<>(List.of(
                jdk.java().toString(),
                "--dry-run",
                "-XshowSettings:properties",
                "-XX:+IgnoreUnrecognizedVMOptions",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:+VerifySharedSpaces",
                "-XX:+AOTPrintTrainingInfo",
                "-Xlog:aot=info,cds=info,class+path=info,aot+codecache+init=debug,aot+load=info:file=" + log
                        + ":level,tags:filecount=0"));
        command.stream()
                .skip(1)
                .filter(word -> !WRITING_WORD.matcher(word).matches())
                .map(word -> harmless(word, scratch))
                .forEach(words::add);
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(printed.toFile());
        builder.environment().clear();
        environment.forEach((name, value) -> builder.environment()
                .put(
                        name,
                        Launcher.JVM_OPTIONS.contains(name)
                                ? harmless(WRITING_OPTION.matcher(value).replaceAll(""), scratch)
                                : value));
        Process process = builder.start();
        try {
            if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                throw new KilnException(
                        Exit.PROBLEM,
                        "the JVM did not end within " + LIMIT.toMinutes()
                                + " min: an agent keeps it, or the machine is busy",
                        "leave the agent out, and ask again");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
        return new Said(text(log), text(printed), process.isAlive() ? -1 : process.exitValue());
    }

    private static String harmless(String options, Path scratch) {
        String recording = "-XX:StartFlightRecording:filename=" + scratch.resolve("recording.jfr");
        String elsewhere = RECORDING.matcher(options).replaceAll(Matcher.quoteReplacement(recording));
        return PORT.matcher(elsewhere).replaceAll("$1=0");
    }

    private static String text(Path file) throws IOException {
        return Files.exists(file) ? new String(Files.readAllBytes(file), StandardCharsets.UTF_8) : "";
    }

    private static AotSight read(Jdk jdk, Path folder, Said said) {
        // Class names would pass for messages.
        String log = String.join(
                "\n",
                said.log.lines().filter(line -> !line.contains("[aot,load")).toList());
        String all = log + "\n" + said.printed;
        // The archive of its own that every JDK has is mapped too, and is no AOT cache.
        Optional<Path> cache = first(TRIED, log)
                .map(match -> folder.resolve(match.group(1)))
                .filter(file -> log.contains("AOT cache") && !file.startsWith(jdk.home()));
        List<Reason> reasons = new ArrayList<>(AotReasons.in(all));
        boolean refused = cache.isEmpty() || REJECTED.matcher(all).find();
        if (refused) {
            reasons.removeIf(reason -> AotReasons.PARTIAL.contains(reason.id()));
            if (reasons.isEmpty()) {
                reasons.add(untold(cache, said));
            }
            return sight(jdk, cache, false, reasons, Optional.empty());
        }
        if (said.exit != 0) {
            return sight(jdk, cache, false, List.of(noStart(said)), Optional.empty());
        }
        boolean looks = AotFaults.of(jdk.version()).stream()
                        .noneMatch(fault -> fault.id().equals(AotFaults.UNSEEN_JAR))
                || log.contains("Archived app classpath validation: passed");
        List<Reason> unseen = looks ? List.of() : ClassPathCheck.of(log, said.printed, folder, cache.get());
        reasons.addAll(unseen);
        return sight(
                jdk,
                cache,
                unseen.isEmpty(),
                reasons,
                unseen.isEmpty() ? Optional.of(used(said.log, said.printed)) : Optional.empty());
    }

    private static Reason untold(Optional<Path> cache, Said said) {
        if (cache.isPresent()) {
            return new Reason(
                    "other", AotLog.reason(said.log).orElse("the JVM does not say why"), "make the cache anew");
        }
        if (said.exit == 0) {
            return new Reason(
                    "no-cache",
                    "the command names no AOT cache, or switches it off",
                    "add -XX:AOTCache=FILE; kiln aot train makes one");
        }
        return noStart(said);
    }

    private static Reason noStart(Said said) {
        return new Reason(
                "no-start",
                "the JVM does not start: "
                        + said.printed
                                .lines()
                                .filter(line -> !line.isBlank()
                                        && line.matches("(?:Error|Exception|Caused|Unrecogni|Invalid).*"))
                                .findFirst()
                                .orElse("it says nothing"),
                "run the command by hand");
    }

    private static Used used(String log, String printed) {
        int classes = (int) CLASS.matcher(log).results().count();
        boolean code = !NO_CODE.matcher(log).find();
        return new Used(
                classes == 0 ? OptionalInt.empty() : OptionalInt.of(classes),
                (int) PROFILE.matcher(printed).results().count(),
                first(HEAP, log)
                        .map(match -> OptionalLong.of(Long.parseLong(match.group(1))))
                        .orElse(OptionalLong.empty()),
                first(CODE, log)
                        .filter(match -> code)
                        .map(match -> OptionalInt.of(Integer.parseInt(match.group(1))))
                        .orElse(OptionalInt.empty()));
    }

    /**
     * Methods that have a profile, as {@code class.method}.
     *
     * @param printed what a JVM with {@link AotFlags#tellProfiles} wrote
     */
    public static Set<String> profiled(String printed) {
        return PROFILE.matcher(printed)
                .results()
                .flatMap(match -> names(match.group(1).replace('/', '.')))
                .collect(Collectors.toSet());
    }

    /** Of an initialised class an I may be the last letter of its name, or say that it is an interface. */
    private static Stream<String> names(String told) {
        int dot = told.lastIndexOf('.');
        String type = told.substring(0, Math.max(0, dot));
        String method = told.substring(dot + 1);
        String bare = STATE.matcher(type).replaceFirst("");
        return (bare.equals(type) && type.endsWith("I")
                        ? Stream.of(type, type.substring(0, type.length() - 1))
                        : Stream.of(bare))
                .map(name -> name + "." + method);
    }

    private static Optional<MatchResult> first(Pattern pattern, String text) {
        return pattern.matcher(text).results().findFirst();
    }

    private static AotSight sight(
            Jdk jdk, Optional<Path> cache, boolean accepted, List<Reason> reasons, Optional<Used> used) {
        return new AotSight(cache, jdk.home(), jdk.version(), accepted, reasons, used, AotFaults.of(jdk.version()));
    }
}
