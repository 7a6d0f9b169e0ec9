package dev.kiln.stats.series;

import java.util.Optional;

/**
 * A PeakReference is what times and shares refer to.
 *
 * @param measured what the load after the pause itself says of the peak; empty without one
 * @param own what the series itself says of its peak, whatever other runs found; empty where that is nothing
 * @param peak its own, that of other runs where its own is a lower bound, or that of another variant where it is held
 *     against it; empty where there is none
 * @param absence why there is no peak; empty where there is one, and where that of other runs stands in for it
 */
public record PeakReference(
        Optional<Peak> measured, Optional<Peak> own, Optional<Peak> peak, Optional<Peak.Absence> absence) {}
