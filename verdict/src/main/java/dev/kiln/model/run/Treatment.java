package dev.kiln.model.run;

import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Modifier.CpuQuota;
import dev.kiln.model.experiment.Modifier.MemoryLimit;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * A Treatment is what was done to a run beyond its command.
 *
 * @param modifiers the ready-made modifiers that its variant carries, such as {@code xbatch} or {@code cpu-quota: 1.5}
 * @param limits what of the machine is left to it
 * @param instruments that watched it and cost it something, such as {@code flight-recorder}
 * @param aot empty where no AOT cache was asked for
 */
public record Treatment(
        List<String> modifiers, TreatmentLimits limits, List<String> instruments, Optional<AotUse> aot) {
    public static final Treatment NONE = new Treatment(List.of(), List.of(), Optional.empty());

    public Treatment {
        modifiers = List.copyOf(modifiers);
        instruments = List.copyOf(instruments);
    }

    /** Makes a treatment without limits. */
    public Treatment(List<String> modifiers, List<String> instruments, Optional<AotUse> aot) {
        this(modifiers, TreatmentLimits.NONE, instruments, aot);
    }

    public Treatment with(Optional<AotUse> seen) {
        return new Treatment(modifiers, limits, instruments, seen);
    }

    /**
     * TreatmentLimits are what modifiers set for the whole of a run, or whoever else started the target.
     *
     * @param cpus CPU time, of one CPU; a limit of others is in the CPUs of the host
     * @param memoryBytes of the cgroup, which may be that of a container around Kiln and the target; of a target that others started,
     *     all of the machine where none limits it
     */
    public record TreatmentLimits(OptionalDouble cpus, OptionalLong memoryBytes) {
        public static final TreatmentLimits NONE = new TreatmentLimits(OptionalDouble.empty(), OptionalLong.empty());

        public static TreatmentLimits of(Collection<Modifier> modifiers) {
            return new TreatmentLimits(
                    modifiers.stream()
                            .filter(CpuQuota.class::isInstance)
                            .mapToDouble(one -> ((CpuQuota) one).cpus())
                            .findFirst(),
                    modifiers.stream()
                            .filter(MemoryLimit.class::isInstance)
                            .mapToLong(one -> ((MemoryLimit) one).bytes())
                            .findFirst());
        }

        /** Returns these with the memory that others left the target, where a modifier sets none. */
        public TreatmentLimits within(OptionalLong found) {
            return memoryBytes.isPresent() ? this : new TreatmentLimits(cpus, found);
        }
    }

    /**
     * An AotUse says whether an AOT cache was used, and how.
     *
     * @param trained {@code startup}, {@code traffic}, {@code file} or {@code variant}: as another variant's was
     * @param mapped whether the running JVM had it mapped
     * @param sharedClasses classes that came from it; empty where the JVM has no counters (-XX:-UsePerfData)
     * @param replaysTraining whether the JVM has AOTReplayTraining on; empty where it has no such flag, and where that is not known
     * @param rejection the JVM's own reason; empty when it was used
     * @param training what making it took; empty for a file that was given
     * @param coverage of the samples of the run's methods with most samples, the share in methods whose profile the
     *     cache has; empty
     *     without a flight recording
     */
    public record AotUse(
            String file,
            String trained,
            boolean mapped,
            OptionalLong sharedClasses,
            Optional<Boolean> replaysTraining,
            Optional<String> rejection,
            Optional<AotTraining> training,
            Optional<Double> coverage) {
        public AotUse covering(double share) {
            return new AotUse(
                    file, trained, mapped, sharedClasses, replaysTraining, rejection, training, Optional.of(share));
        }

        /** This text stands before the JVM's reason. */
        public static final String UNUSED = "the AOT cache was not used: ";

        /** Returns why the run is not what its variant says; another variant's cache may be rejected. */
        public Optional<String> failure() {
            return rejection.filter(why -> !trained.equals("variant"));
        }
    }

    /** An AotTraining is the making of an AOT cache: wall time of the training run, and of assembling. */
    public record AotTraining(long recordNanos, long createNanos, long cacheBytes) {}
}
