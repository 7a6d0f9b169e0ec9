package dev.kiln.report;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a running experiment is doing.
 *
 * @param position which run of how many, for instance {@code 3/8}
 * @param second since the phase began
 * @param recent throughput of the last seconds, oldest first
 * @param c2CpuShare of one CPU
 * @param c2WaitShare C2 threads waiting for a CPU on average
 * @param forecast a few words, while C2 is starved
 */
public record LiveStatus(
        String variant,
        String position,
        String phase,
        double second,
        double phaseSeconds,
        double requestsPerSecond,
        OptionalDouble p99Millis,
        OptionalDouble c2CpuShare,
        OptionalDouble c2WaitShare,
        Optional<String> forecast,
        List<Double> recent) {}
