package dev.kiln.explain;

import static dev.kiln.explain.Named.AOT_REJECTED;
import static dev.kiln.explain.Named.AOT_TRAINED_WITHOUT_TRAFFIC;
import static dev.kiln.explain.Named.C2_BACKLOG;
import static dev.kiln.explain.Named.C2_STARVED;
import static dev.kiln.explain.Named.STUCK_AT_TIER_2;
import static dev.kiln.explain.Named.proof;

import dev.kiln.model.Finding;
import dev.kiln.model.RunInfo;
import dev.kiln.model.Treatment.AotUse;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Whether an AOT cache was used, and whether it knew what traffic would need. */
final class AotCauses {
    private static final String UNKNOWN_COMMAND =
            "the imported files do not tell how the JVM was launched, nor with which AOT cache";

    private AotCauses() {}

    static Finding rejected(Situation s, Judged earlier) {
        Optional<AotUse> use = s.evidence().info().treatment().aot();
        if (use.isEmpty() && s.evidence().info().imported()) {
            return AOT_REJECTED.notObservable(UNKNOWN_COMMAND);
        }
        if (use.isEmpty()) {
            return asked(s.evidence().info())
                    ? AOT_REJECTED.notObservable(
                            "an AOT cache was asked for, but whether it was used was not recorded: it"
                                    + " shows in /proc/PID/maps while the target runs")
                    : AOT_REJECTED.ruledOut(proof("no AOT cache was asked for"));
        }
        AotUse cache = use.get();
        if (cache.mapped() && cache.rejection().isEmpty()) {
            return AOT_REJECTED.ruledOut(proof(String.format(
                    Locale.ROOT, "the cache is mapped, and %,d classes came from it", cache.sharedClasses())));
        }
        return AOT_REJECTED.held(
                0.9,
                List.of(proof(String.format(
                        Locale.ROOT,
                        "%s is %s, and %,d classes came from a cache%s",
                        cache.file(),
                        cache.mapped() ? "mapped" : "not mapped",
                        cache.sharedClasses(),
                        cache.rejection().map(why -> ": " + why).orElse("")))),
                Remedies.AOT_RETRAIN);
    }

    static Finding untrained(Situation s, Judged earlier) {
        Optional<AotUse> use = s.evidence().info().treatment().aot();
        if (use.isEmpty() && s.evidence().info().imported()) {
            return AOT_TRAINED_WITHOUT_TRAFFIC.notObservable(UNKNOWN_COMMAND);
        }
        if (use.isEmpty()) {
            return asked(s.evidence().info())
                    ? AOT_TRAINED_WITHOUT_TRAFFIC.notObservable("how the AOT cache was trained is not recorded")
                    : AOT_TRAINED_WITHOUT_TRAFFIC.ruledOut(proof("no AOT cache was asked for"));
        }
        if (earlier.held(AOT_REJECTED)) {
            return AOT_TRAINED_WITHOUT_TRAFFIC.ruledOut(proof("the cache was not used at all"));
        }
        return switch (use.get().trained()) {
            case "traffic" -> AOT_TRAINED_WITHOUT_TRAFFIC.ruledOut(proof("the cache was trained with traffic"));
            case "startup" -> startup(earlier);
            default ->
                AOT_TRAINED_WITHOUT_TRAFFIC.notObservable(
                        "how the AOT cache was trained is not known: it came as a file");
        };
    }

    /** Training without traffic harms only where C2 then has too much to do. */
    private static Finding startup(Judged earlier) {
        boolean harmed = Stream.of(C2_STARVED, C2_BACKLOG, STUCK_AT_TIER_2).anyMatch(earlier::held);
        return harmed
                ? AOT_TRAINED_WITHOUT_TRAFFIC.held(
                        0.6,
                        List.of(proof(
                                "the cache was trained by start-up alone: it has no profile of what requests run, and"
                                        + " C2 does not keep up")),
                        Remedies.AOT_UNTRAINED)
                : AOT_TRAINED_WITHOUT_TRAFFIC.ruledOut(
                        proof("the cache was trained by start-up alone, but C2 keeps up"));
    }

    private static boolean asked(RunInfo info) {
        return Stream.concat(info.command().stream(), info.jvm().stream().flatMap(jvm -> jvm.flags().stream()))
                .anyMatch(word -> word.startsWith("-XX:AOTCache="));
    }
}
