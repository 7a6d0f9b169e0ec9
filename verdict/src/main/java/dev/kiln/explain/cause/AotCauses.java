package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.cause.CauseId.Role;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Treatment.AotUse;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** AotCauses judge whether an AOT cache was used, and whether it knew what traffic would need. */
final class AotCauses {
    static final CauseId REJECTED = new CauseId("aot-rejected", "AOT cache rejected", Curve.THROUGHPUT, CauseId.LEVEL);

    static final CauseId UNTRAINED = new CauseId(
            "aot-trained-without-traffic",
            "AOT cache trained without traffic",
            Curve.METHOD_LEVELS,
            CauseId.LEVEL,
            Role.NEEDS_LOAD);

    private static final List<FindingRemedy> RETRAIN = List.of(
            new FindingRemedy(
                    "train the cache with the flags, modules and collector of production",
                    "--add-modules jdk.jfr in both where Flight Recorder is used; the same -XX:+Use...GC; no -javaagent",
                    "a training run",
                    RemedyPlace.LAUNCH_FLAG),
            new FindingRemedy(
                    "make a rejected cache fatal, so that it is noticed",
                    "-XX:AOTMode=on",
                    "a service that does not start instead of one that starts slowly",
                    RemedyPlace.LAUNCH_FLAG));

    private static final List<FindingRemedy> TRAIN = List.of(Remedies.AOT_TRAFFIC, StuckAtTier2.NO_REPLAY);

    /** These weights are ranks, no shares: a cache that is not used is worse than what an untrained one lacks. */
    private static final double WEIGHT_REJECTED = 0.9;

    private static final double WEIGHT_UNTRAINED = 0.6;

    private static final String UNKNOWN_COMMAND =
            "the imported files do not say how the JVM was launched, or with which AOT cache";

    private AotCauses() {}

    static Finding rejected(WindowEvidence s, Findings earlier) {
        Optional<AotUse> use = s.evidence().info().treatment().aot();
        if (use.isEmpty() && s.evidence().info().imported()) {
            return REJECTED.notObservable(UNKNOWN_COMMAND);
        }
        if (use.isEmpty()) {
            return asked(s.evidence().info())
                    ? REJECTED.notObservable("an AOT cache was asked for, but Kiln did not record whether it was"
                            + " used: /proc/PID/maps shows it while the target runs")
                    : REJECTED.ruledOut(proof("no AOT cache was asked for"));
        }
        AotUse cache = use.get();
        if (cache.mapped() && cache.rejection().isEmpty()) {
            return REJECTED.ruledOut(proof("the cache is mapped" + classes(cache, " from it")));
        }
        return REJECTED.confirmed(
                WEIGHT_REJECTED,
                List.of(proof(String.format(
                        Locale.ROOT,
                        "%s is %s%s%s",
                        cache.file(),
                        cache.mapped() ? "mapped" : "not mapped",
                        classes(cache, " from a cache"),
                        cache.rejection().map(why -> ": " + why).orElse("")))),
                RETRAIN);
    }

    private static String classes(AotUse cache, String from) {
        return cache.sharedClasses().stream()
                .mapToObj(count -> String.format(Locale.ROOT, ", and %,d classes came%s", count, from))
                .collect(Collectors.joining());
    }

    static Finding untrained(WindowEvidence s, Findings earlier) {
        Optional<AotUse> use = s.evidence().info().treatment().aot();
        if (use.isEmpty() && s.evidence().info().imported()) {
            return UNTRAINED.notObservable(UNKNOWN_COMMAND);
        }
        if (use.isEmpty()) {
            return asked(s.evidence().info())
                    ? UNTRAINED.notObservable("how the AOT cache was trained is not recorded")
                    : UNTRAINED.ruledOut(proof("no AOT cache was asked for"));
        }
        if (earlier.confirmed(REJECTED)) {
            return UNTRAINED.ruledOut(proof("the cache was not used at all"));
        }
        return switch (use.get().trained()) {
            case "traffic" -> UNTRAINED.ruledOut(proof("the cache was trained with traffic"));
            case "startup" -> startup(earlier);
            case "variant" -> UNTRAINED.notObservable("the AOT cache is that of another variant");
            default -> UNTRAINED.notObservable("how the AOT cache was trained is not known: it came as a file");
        };
    }

    /** Judges training by start-up alone: it harms only where C2 then has too much to do. */
    private static Finding startup(Findings earlier) {
        boolean harmed = Stream.of(C2Starved.ID, C2Backlog.ID, StuckAtTier2.ID).anyMatch(earlier::confirmed);
        return harmed
                ? UNTRAINED.confirmed(
                        WEIGHT_UNTRAINED,
                        List.of(proof("the cache was trained by start-up alone: it has no profile of the code that"
                                + " requests run, and C2 does not keep up")),
                        TRAIN)
                : UNTRAINED.ruledOut(proof("the cache was trained by start-up alone, but C2 keeps up"));
    }

    private static boolean asked(RunInfo info) {
        return Stream.concat(info.command().stream(), info.jvm().stream().flatMap(jvm -> jvm.flags().stream()))
                .anyMatch(word -> word.startsWith("-XX:AOTCache="));
    }
}
