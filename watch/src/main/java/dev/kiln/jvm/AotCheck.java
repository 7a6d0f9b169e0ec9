package dev.kiln.jvm;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.ExitCode;
import dev.kiln.host.process.Launcher;
import dev.kiln.jvm.LaunchCommand.RunningCommand;
import dev.kiln.model.AotSight;
import dev.kiln.model.AotSight.Reason;
import dev.kiln.model.AotSight.Used;
import dev.kiln.model.KilnException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An AotCheck tells whether a JVM, {@link AotQuestion asked} itself, accepts its command's AOT cache. */
public final class AotCheck {
    private static final Pattern TRIED = Pattern.compile("trying to map (.*)$", Pattern.MULTILINE);

    private static final Pattern REJECTED = Pattern.compile(
            "An error has occurred while processing the AOT cache|Unable to use AOT cache|Unable to map shared spaces");

    private static final Pattern CLASS = Pattern.compile("\\[aot,load *+] \\S++ ++\\S++(?! \\(initiated)");

    private static final Pattern HEAP =
            Pattern.compile("(?:Loaded heap .* size|Heap data mapped at .*size =) +(\\d{1,18})\\b");

    private static final Pattern CODE = Pattern.compile("Loaded (\\d{1,9}) AOT code entries");

    private static final Pattern NO_CODE = Pattern.compile("Unable to use AOT Code Cache|AOT Code Cache is not used");

    /** A method with its profile looks so in -XX:+AOTPrintTrainingInfo; without one its pointer is nil. */
    private static final Pattern PROFILE =
            Pattern.compile("^ *\\d+: 0x[0-9a-f]+ M (\\S+?)\\(.* mdo=0x[0-9a-f]+", Pattern.MULTILINE);

    /** This stands behind the name of a class: how far it is initialised, and whether it is an interface. */
    private static final Pattern STATE = Pattern.compile("\\[[ADLiE]]I?$");

    /** The JVM's own report of a crash names the signal, or the check that failed. */
    private static final Pattern CRASH = Pattern.compile(
            "^# A fatal error has been detected by the Java Runtime Environment:\\R#\\R"
                    + "# +(.+?)(?:, pid=.*)?(?:\\R# +(\\S.*))?$",
            Pattern.MULTILINE);

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** These are the signals that a program raises itself: SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV. */
    private static final Set<Integer> CRASHES = Set.of(4, 6, 7, 8, 11);

    /** A JVM chooses these options by the memory and the CPUs of its cgroup, and a cache depends on them. */
    private static final Pattern CHOSEN =
            Pattern.compile("-XX:(?:\\+Use(?:Serial|Parallel|G1|Z|Shenandoah)GC|MaxHeapSize=\\d+)");

    private static final Pattern TRAINING = Pattern.compile("-XX:AOTMode=(?:record|create)\\b|-Xshare:dump\\b");

    /** A JVM with {@link AotFaults#UNSEEN_JAR} does not find these reasons itself. */
    private static final List<String> UNSEEN = List.of("class-path", "changed-jar");

    private AotCheck() {}

    /**
     * Returns the sight of a running JVM: with its own command, in its folder and environment. Whether it has mapped
     * the cache is seen.
     *
     * @throws KilnException if its command cannot be read or is not to be repeated, or it has other files than Kiln
     */
    public static AotSight ofRunning(ProcFs fs, long pid) {
        RunningCommand running = RunningCommand.of(
                fs, pid, "give its command without the options that write: kiln aot check -- java ...");
        AotSight now =
                of(running.jdk(), running.command(), () -> chosen(fs, pid), running.folder(), running.environment());
        String maps = fs.text("proc/" + pid + "/maps").orElse("");
        boolean mapped = now.cache()
                .filter(file -> maps.lines().anyMatch(line -> line.endsWith(" " + JdkFinder.real(file))))
                .isPresent();
        if (mapped) {
            // Reasons that the JVM would have acted on are those of another start.
            List<Reason> seen = now.reasons().stream()
                    .filter(reason -> UNSEEN.contains(reason.id()) || AotReasons.PARTIAL.contains(reason.id()))
                    .toList();
            boolean fits = seen.stream().noneMatch(reason -> UNSEEN.contains(reason.id()));
            return new AotSight(now.cache(), now.jdkHome(), now.jdkVersion(), fits, seen, now.used(), now.faults());
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

    /** Returns the heap and the collector that the process has: outside its cgroup a start may choose others. */
    private static List<String> chosen(ProcFs fs, long pid) {
        try (AttachSocket socket = new AttachSocket(fs, pid, PATIENCE)) {
            return new DiagnosticCommands(socket)
                    .flags().told().stream()
                            .flatMap(List::stream)
                            .filter(flag -> CHOSEN.matcher(flag).matches())
                            .toList();
        }
    }

    /**
     * @param command of a JVM, as it is typed: its first word is {@code java}, or the path of one
     * @param folder that it runs in
     * @param environment all of it
     * @throws KilnException if the JVM cannot be started
     */
    public static AotSight of(Jdk jdk, List<String> command, Path folder, Map<String, String> environment) {
        return of(jdk, command, List::of, folder, environment);
    }

    /** @param more options before those of the command; asked for only if the JVM is */
    private static AotSight of(
            Jdk jdk, List<String> command, Supplier<List<String>> more, Path folder, Map<String, String> environment) {
        if (jdk.feature() == AotFlags.SINCE - 1) {
            throw KilnException.machine(
                    "JDK " + jdk.version() + " has AOT caches, but Kiln does not know what it says of them",
                    "start it with -Xlog:aot,cds, and it says why it rejects one; or use JDK " + AotFlags.SINCE
                            + " or later");
        }
        if (jdk.feature() > 0 && jdk.feature() < AotFlags.SINCE) {
            return sight(
                    jdk,
                    Optional.empty(),
                    false,
                    List.of(new Reason(
                            "jdk",
                            "JDK " + jdk.version() + " has no AOT caches",
                            "use JDK " + AotFlags.SINCE + " or later")),
                    Optional.empty());
        }
        List<String> options = new ArrayList<>(command);
        Launcher.JVM_OPTIONS.forEach(name -> options.add(environment.getOrDefault(name, "")));
        if (options.stream().anyMatch(word -> TRAINING.matcher(word).find())) {
            Reason training = new Reason("training", "the command makes a cache, and uses none", "ask when it is made");
            return sight(jdk, Optional.empty(), false, List.of(training), Optional.empty());
        }
        List<String> words = new ArrayList<>(command);
        words.addAll(1, more.get());
        try {
            return read(jdk, folder, AotQuestion.ask(jdk, words, folder, environment));
        } catch (IOException e) {
            throw KilnException.machine(e, "cannot start " + jdk.java(), "check that it runs here");
        }
    }

    static AotSight read(Jdk jdk, Path folder, AotQuestion said) {
        // Class names would pass for messages.
        String log = String.join(
                "\n",
                said.log().lines().filter(line -> !line.contains("[aot,load")).toList());
        String all = log + "\n" + said.printed();
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
        if (said.exit() != 0) {
            return sight(jdk, cache, false, List.of(noStart(cache, said)), Optional.empty());
        }
        boolean looks = AotFaults.of(jdk.version()).stream()
                        .noneMatch(fault -> fault.id().equals(AotFaults.UNSEEN_JAR))
                || log.contains("Archived app classpath validation: passed");
        List<Reason> unseen = looks ? List.of() : ClassPathCheck.of(log, said.printed(), folder, cache.get());
        reasons.addAll(unseen);
        return sight(
                jdk,
                cache,
                unseen.isEmpty(),
                reasons,
                unseen.isEmpty() ? Optional.of(used(said.log(), said.printed())) : Optional.empty());
    }

    private static Reason untold(Optional<Path> cache, AotQuestion said) {
        if (cache.isPresent()) {
            return new Reason(
                    "other", AotReasons.said(said.log()).orElse("the JVM does not say why"), "make the cache anew");
        }
        if (said.exit() == 0) {
            return new Reason(
                    "no-cache",
                    "the command names no AOT cache, or switches it off",
                    "add -XX:AOTCache=FILE; kiln aot train makes one");
        }
        return noStart(cache, said);
    }

    private static Reason noStart(Optional<Path> cache, AotQuestion said) {
        int signal = ExitCode.unsure(said.exit()).signal().orElse(0);
        Optional<String> crash = first(CRASH, said.printed())
                .map(match -> match.group(1) + (match.group(2) == null ? "" : ": " + match.group(2)))
                .or(() -> CRASHES.contains(signal) ? Optional.of("signal " + signal) : Optional.empty());
        if (crash.isPresent()) {
            return new Reason(
                    "crash",
                    "the JVM crashes while it starts" + (cache.isPresent() ? " with it: " : ": ") + crash.get(),
                    (cache.isPresent() ? "make the cache anew, on this kind of machine; " : "")
                            + "run the command by hand: the JVM then leaves its report (hs_err_pidN.log)");
        }
        if (signal > 0) {
            return new Reason(
                    "no-start",
                    "the JVM " + ExitCode.unsure(said.exit()).text() + " while it started",
                    "look whether the machine or the container is short of memory, and ask again");
        }
        return new Reason(
                "no-start",
                "the JVM does not start: "
                        + said.printed()
                                .lines()
                                .filter(line -> !line.isBlank()
                                        && line.matches("(?:Error|Exception|Caused|Unrecogni|Invalid).*"))
                                .findFirst()
                                .orElse("it says nothing, and its exit code is " + said.exit()),
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

    /** Returns the methods with a profile, {@code class.method}, of {@link AotFlags#tellProfiles}' output. */
    public static Set<String> profiled(String printed) {
        return PROFILE.matcher(printed)
                .results()
                .flatMap(match -> names(match.group(1).replace('/', '.')))
                .collect(Collectors.toSet());
    }

    /**
     * Returns the names that may be meant: behind an initialised class an I is the last letter of its name, or says that it is
     * an interface.
     */
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
