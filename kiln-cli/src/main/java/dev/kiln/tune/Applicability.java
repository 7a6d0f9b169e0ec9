package dev.kiln.tune;

import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.experiment.JvmOptions;
import dev.kiln.model.experiment.JvmOptions.ToolOptions;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.run.Machine.JvmInfo;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.Sample.ThreadSample;
import dev.kiln.plan.Modifiers;
import dev.kiln.tune.TargetLibraries.Library;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Applicability says whether a change can do anything to a service: before it costs a run, and after its first one. */
final class Applicability {
    private static final String SPRING_BOOT = "spring-boot";

    /** Libraries of frameworks without that switch, and what decides there. */
    private static final Map<String, String> OTHERS = others();

    /** Beginnings of properties that Kiln tries, with the libraries of the framework that reads them. */
    private static final Map<String, List<String>> PROPERTIES =
            Map.of("-Dserver.", List.of(SPRING_BOOT), "-Dquarkus.", List.of("quarkus-core", "io.quarkus.quarkus-core"));

    private static final int VIRTUAL_THREADS_SINCE = 21;

    /** The property for virtual threads came with this version. */
    private static final int[] WITH_VIRTUAL_THREADS = {3, 2};

    /**
     * Carriers, and threads that the JVM starts with the first virtual thread that waits, have names that begin so. The kernel
     * cuts names to 15 characters; from JDK 26 on the JVM leaves out their middle.
     */
    private static final List<String> SERVE_VIRTUAL = List.of(
            "ForkJoinPool-",
            "ForkJoi..",
            "VirtualThread-u",
            "Virtual..",
            "Read-Poller",
            "Write-Poller",
            "MasterPoller");

    private static final String ON = "-XX:+";
    private static final String OFF = "-XX:-";
    private static final String BATCH = "-Xbatch";

    /** The JVM lists {@link #BATCH} so. */
    private static final String BATCH_LISTED = "-XX:-BackgroundCompilation";

    /** A JVM tells at most 1,024 characters of its arguments (PerfMaxStringConstLength); some are the end of the last one. */
    private static final int TOLD_OF_ARGUMENTS = 1000;

    private Applicability() {}

    private static Map<String, String> others() {
        Map<String, String> others = new LinkedHashMap<>();
        String quarkus = "Quarkus, whose code names the methods that run on virtual threads";
        others.put("quarkus-core", quarkus);
        others.put("io.quarkus.quarkus-core", quarkus);
        others.put("helidon-webserver", "Helidon, which runs on virtual threads from version 4 on");
        others.put("micronaut-core", "Micronaut, whose configuration names the pools that have virtual threads");
        others.put("tomcat-embed-core", "a Tomcat of its own, whose code decides this");
        return others;
    }

    /** Says that a change needs a later JDK than the service has; empty where it does not, and where that is not known. */
    static Optional<String> tooOld(Change change, Optional<JvmInfo> jvm) {
        OptionalInt feature = jvm.map(JvmInfo::feature).orElse(OptionalInt.empty());
        return change.modifiers().stream().anyMatch(Modifier.VirtualThreads.class::isInstance)
                        && feature.isPresent()
                        && feature.getAsInt() < VIRTUAL_THREADS_SINCE
                ? Optional.of("virtual threads came with JDK " + VIRTUAL_THREADS_SINCE
                        + ", and the service runs on JDK " + feature.getAsInt())
                : Optional.empty();
    }

    /**
     * Says why a change cannot do anything to a target; empty where it can, and where that is not known.
     *
     * @param libraries of the target; empty where its command does not tell
     */
    static Optional<String> whyNot(Change change, Target target, Optional<TargetLibraries> libraries) {
        if (libraries.isPresent() && isUnread(change, libraries.get())) {
            return Optional.of("these are properties of Spring Boot and of Quarkus, and neither is on the class path of"
                    + " the service");
        }
        if (!isOfSpring(change, target) || libraries.isEmpty()) {
            return Optional.empty();
        }
        Optional<Library> boot = libraries.get().find(SPRING_BOOT);
        if (boot.isEmpty()) {
            return Optional.of("this is a switch of Spring Boot, and "
                    + OTHERS.entrySet().stream()
                            .filter(other ->
                                    libraries.get().find(other.getKey()).isPresent())
                            .findFirst()
                            .map(other -> "the service has " + other.getValue())
                            .orElse("no Spring Boot is on the class path of the service"));
        }
        return boot.get().isAtLeast(WITH_VIRTUAL_THREADS[0], WITH_VIRTUAL_THREADS[1])
                ? Optional.empty()
                : Optional.of(boot.get().name() + " has no such switch: it came with Spring Boot 3.2");
    }

    /** Tells whether a change is nothing but properties, and the framework of none of them is there. */
    private static boolean isUnread(Change change, TargetLibraries libraries) {
        return change.modifiers().isEmpty()
                && change.aot().isEmpty()
                && !change.jvmFlags().isEmpty()
                && change.jvmFlags().stream()
                        .allMatch(flag -> PROPERTIES.entrySet().stream()
                                .anyMatch(one -> flag.startsWith(one.getKey())
                                        && one.getValue().stream()
                                                .allMatch(library ->
                                                        libraries.find(library).isEmpty())));
    }

    /** Says who reads a switch that can do something, or that this is not known; empty where the JVM itself reads it. */
    static Optional<String> reader(Change change, Target target, Optional<TargetLibraries> libraries) {
        return isOfSpring(change, target)
                ? Optional.of(libraries
                        .flatMap(some -> some.find(SPRING_BOOT))
                        .map(Applicability::reads)
                        .orElse(
                                "the command does not show whether the service has Spring Boot, which reads this switch; its first"
                                        + " run shows whether it did something"))
                : Optional.empty();
    }

    private static String reads(Library boot) {
        return boot.version().isEmpty()
                ? "the command does not show the version of Spring Boot, which reads this switch from 3.2 on; its first run shows"
                        + " whether it did something"
                : boot.name() + " reads this switch";
    }

    private static boolean isOfSpring(Change change, Target target) {
        return change.modifiers().stream().anyMatch(Modifier.VirtualThreads.class::isInstance)
                && target.workload().isEmpty();
    }

    /** Says why a run shows that the change of its variant had no effect; empty where it had one, and where that is not known. */
    static Optional<String> withoutEffect(Change change, RunEvidence run) {
        List<String> reasons = new ArrayList<>();
        if (change.modifiers().stream().anyMatch(Modifier.VirtualThreads.class::isInstance)
                && !run.threads().isEmpty()
                && !run.blocked().isEmpty()
                && !startedVirtual(run)) {
            reasons.add("the service started no virtual thread");
        }
        run.info().jvm().ifPresent(jvm -> notInForce(change, jvm).ifPresent(reasons::add));
        return reasons.isEmpty() ? Optional.empty() : Optional.of("it had no effect: " + String.join("; ", reasons));
    }

    /**
     * Says the same of a change whose flags may not come to the JVM that serves: they are in the target's environment, or its command
     * starts another one.
     */
    static Optional<String> withoutEffect(Change change, Target target, RunEvidence run) {
        List<String> flags = new ArrayList<>(change.jvmFlags());
        flags.addAll(Modifiers.flags(change.modifiers(), true));
        List<String> inEnvironment = new ArrayList<>(flags);
        inEnvironment.retainAll(ToolOptions.parse(target.environment().getOrDefault(ToolOptions.NAME, ""))
                .flags());
        List<String> inCommand = new ArrayList<>(flags);
        inCommand.retainAll(target.jvmFlags());
        return unreached(inEnvironment, run).or(() -> ofAnother(inCommand, run)).or(() -> withoutEffect(change, run));
    }

    /** Says that the JVM which serves is another one than that with these flags; empty where it has them, and where that is not known. */
    private static Optional<String> ofAnother(List<String> flags, RunEvidence run) {
        List<String> missing = run.info().jvm().map(jvm -> notGiven(flags, jvm)).orElse(List.of());
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of("it had no effect: the JVM that served was not given " + String.join(" ", missing)
                        + ", so the JVM of the command starts another one");
    }

    /** Says why a run shows that flags in its environment do not hold; empty where they do, and where that is not known. */
    static Optional<String> unreached(List<String> flags, RunEvidence run) {
        return run.info().jvm().flatMap(jvm -> {
            List<String> missing = notGiven(flags, jvm);
            return missing.isEmpty()
                    ? overruled(flags, jvm)
                    : Optional.of("it had no effect: the JVM that served was not given " + String.join(" ", missing)
                            + ", so the command does not pass " + ToolOptions.NAME + " on");
        });
    }

    /** Says which of the flags another one behind it sets differently: that one holds. */
    private static Optional<String> overruled(List<String> flags, JvmInfo jvm) {
        for (String flag : flags) {
            int at = jvm.flags().indexOf(flag);
            Optional<String> later = jvm.flags().stream()
                    .skip(at + 1L)
                    .filter(other -> at >= 0 && other.startsWith("-") && JvmOptions.contradict(flag, other))
                    .findFirst();
            if (later.isPresent()) {
                return Optional.of(
                        "it had no effect: the command line has " + later.get() + ", which wins over " + flag);
            }
        }
        return Optional.empty();
    }

    /** Tells whether a JVM told all of its arguments, and not their beginning only. */
    static boolean tellsAll(JvmInfo jvm) {
        return String.join(" ", jvm.flags()).length() < TOLD_OF_ARGUMENTS;
    }

    /** Returns those of the flags that a JVM certainly was not given. */
    private static List<String> notGiven(List<String> flags, JvmInfo jvm) {
        // They are split at their blanks.
        boolean whole = tellsAll(jvm);
        return flags.stream()
                .filter(flag -> whole && Placeholders.namesIn(flag).isEmpty())
                .filter(flag -> Secrets.HIDDEN.text(flag).equals(flag))
                .filter(flag -> !jvm.flags().containsAll(List.of(flag.strip().split("\\s+", -1))))
                .toList();
    }

    private static boolean startedVirtual(RunEvidence run) {
        return run.blocked().stream().anyMatch(BlockedSample::virtual)
                || run.threads().stream()
                        .map(ThreadSample::name)
                        .distinct()
                        .anyMatch(name -> SERVE_VIRTUAL.stream().anyMatch(name::startsWith));
    }

    /** Of a switch that was given twice the last holds, and that one the JVM lists. */
    private static Optional<String> notInForce(Change change, JvmInfo jvm) {
        return change.jvmFlags().stream()
                .map(flag -> flag.equals(BATCH) ? BATCH_LISTED : flag)
                .flatMap(flag -> opposite(flag).stream())
                .filter(jvm.inForce()::contains)
                .findFirst()
                .map(flag -> "the JVM has " + flag + " in force");
    }

    private static Optional<String> opposite(String flag) {
        return flag.startsWith(ON)
                ? Optional.of(OFF + flag.substring(ON.length()))
                : flag.startsWith(OFF) ? Optional.of(ON + flag.substring(OFF.length())) : Optional.empty();
    }
}
