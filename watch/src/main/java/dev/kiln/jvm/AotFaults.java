package dev.kiln.jvm;

import dev.kiln.model.AotSight.Fault;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** AotFaults are the faults of JDKs that hit users of AOT caches. */
final class AotFaults {
    static final String UNSEEN_JAR = "JDK-8377932";

    /** These faults were known in {@link Fault#AS_OF}. */
    private static final List<Fault> KNOWN = List.of(
            new Fault(
                    UNSEEN_JAR,
                    "a jar that was changed or removed since the training is not noticed: classes of the old jar run",
                    "make the cache anew after each change of a jar",
                    List.of("25.0.4", "26.0.1"),
                    "openjdk/jdk#29728, corretto/corretto-25#48, openjdk/jdk26u#87"),
            new Fault(
                    "JDK-8386852",
                    "methods with training data stay at level 2 while C2 is busy, so that the peak is lower",
                    "-XX:+UnlockDiagnosticVMOptions -XX:-AOTReplayTraining",
                    List.of("25.0.5", "27"),
                    "measured with 25.0.3 and 25.0.5; openjdk/jdk26u#215"),
            new Fault(
                    "JDK-8386853",
                    "a JVM that rejects its cache keeps -XX:+AOTReplayTraining, and is then slower than without a cache",
                    "-XX:AOTMode=on ends such a JVM at once",
                    List.of(),
                    "measured with 25.0.3"),
            new Fault(
                    "JDK-8388703",
                    "on a CPU with fewer features than that of the training, the JVM may crash (SIGILL)",
                    "make the cache on the kind of machine that uses it, or give both -XX:+UnlockDiagnosticVMOptions"
                            + " -XX:-AOTAdapterCaching",
                    List.of("25.0.5", "27"),
                    "adoptium/adoptium-support#1507"));

    private AotFaults() {}

    /** Returns those of a version such as 25.0.3; none of one that Kiln cannot read. */
    static List<Fault> of(String version) {
        int[] numbers = numbers(version);
        return numbers[0] < AotFlags.SINCE
                ? List.of()
                : KNOWN.stream().filter(fault -> in(fault, numbers)).toList();
    }

    /** A release that is newer than all with a fix has it from its start. */
    private static boolean in(Fault fault, int[] version) {
        List<int[]> fixes = fault.fixed().stream().map(AotFaults::numbers).toList();
        boolean later = !fixes.isEmpty() && version[0] > fixes.getLast()[0];
        return !later && fixes.stream().noneMatch(fix -> fix[0] == version[0] && Arrays.compare(fix, version) <= 0);
    }

    /** Returns three numbers of a version such as 26-ea or 25.0.3; all are 0 where it is no version. */
    private static int[] numbers(String version) {
        String[] parts = version.replaceFirst("[^0-9.].*", "").split("\\.", 0);
        return IntStream.range(0, 3)
                .map(i -> i < parts.length && parts[i].matches("\\d{1,4}") ? Integer.parseInt(parts[i]) : 0)
                .toArray();
    }
}
