package dev.kiln.explain;

import dev.kiln.explain.window.ThreadTimes;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.ThreadRole;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A CompilerTail is what the JIT compilers did at the end of the load.
 *
 * @param observed false where nothing recorded what C2 did
 * @param starved how C2 was starved; empty where it was not
 */
public record CompilerTail(boolean observed, Optional<String> starved) {
    /** Returns that of processes that serve together: C2 was starved if that of one of them was. */
    static CompilerTail of(List<WindowEvidence> processes) {
        if (processes.size() == 1) {
            return of(processes.getFirst());
        }
        String starved = processes.stream()
                .flatMap(late -> of(late).starved.stream()
                        .map(words -> "in " + late.evidence().place() + ", " + words))
                .collect(Collectors.joining(", and "));
        return new CompilerTail(
                processes.stream().allMatch(late -> of(late).observed),
                starved.isEmpty() ? Optional.empty() : Optional.of(starved));
    }

    static CompilerTail of(WindowEvidence s) {
        // Whoever takes the CPU, be it a limit: a compiler that waits has not done its work.
        Optional<String> starved =
                s.starvedC2().map(use -> use.words("C2") + " " + s.ending()).or(() -> byEfficiency(s));
        boolean waits = s.c2().isPresent() && s.waitsRecorded();
        return new CompilerTail(waits || s.c2Queue().isPresent() || withoutC2(s.evidence(), s.threads()), starved);
    }

    private static Optional<String> byEfficiency(WindowEvidence s) {
        return s.starvedEfficiency().stream()
                .mapToObj(share -> String.format(
                        Locale.ROOT,
                        "the compilers had a CPU for %.0f %% of the time their compilations took %s",
                        100 * share,
                        s.ending()))
                .findFirst();
    }

    /** Tells whether the JVM was watched and has no C2, such as one with C1 only: nothing is left to compile. */
    private static boolean withoutC2(RunEvidence evidence, ThreadTimes threads) {
        return threads.has(ThreadRole.C1)
                && !threads.has(ThreadRole.C2)
                && !evidence.compiler().isEmpty();
    }
}
