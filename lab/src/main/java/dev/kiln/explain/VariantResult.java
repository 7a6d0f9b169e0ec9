package dev.kiln.explain;

import dev.kiln.stats.ReferencePeak;
import java.util.List;
import java.util.Optional;

/**
 * A variant over its runs.
 *
 * @param referencePeak of the variant's valid runs; empty where the protocol has no measuring phase
 */
public record VariantResult(String name, Optional<ReferencePeak> referencePeak, List<RunResult> runs) {}
