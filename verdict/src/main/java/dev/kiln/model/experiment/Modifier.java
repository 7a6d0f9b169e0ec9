package dev.kiln.model.experiment;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A Modifier is a ready-made change that adds or removes a possible cause, to show whether it is real. */
public sealed interface Modifier {
    /** Returns the modifier's name in experiment files. */
    default String name() {
        return switch (this) {
            case VirtualThreads virtualThreads -> VirtualThreads.NAME;
            case XBatch xBatch -> XBatch.NAME;
            case CompilerPriority compilerPriority -> CompilerPriority.NAME;
            case CiCompilerCount ciCompilerCount -> CiCompilerCount.NAME;
            case NoAotReplay noAotReplay -> NoAotReplay.NAME;
            case TieredStopAtLevel tieredStopAtLevel -> TieredStopAtLevel.NAME;
            case Cpus cpus -> Cpus.NAME;
            case CpuQuota cpuQuota -> CpuQuota.NAME;
            case BoostedStart cpuBoost -> BoostedStart.NAME;
            case MemoryLimit memoryLimit -> MemoryLimit.NAME;
        };
    }

    /** The service runs requests on virtual threads. */
    record VirtualThreads() implements Modifier {
        public static final String NAME = "virtual-threads";
    }

    /** Callers wait until the compiler has compiled their method. */
    record XBatch() implements Modifier {
        public static final String NAME = "xbatch";
    }

    /** The JIT compilers' threads have priority over all others: nice -20. */
    record CompilerPriority(ModifiedBy by) implements Modifier {
        public static final String NAME = "compiler-priority";

        /** The flags give compiler threads the priority at the launch. Without the policy, the kernel is passed none. */
        public static final List<String> FLAGS =
                List.of("-XX:ThreadPriorityPolicy=1", "-XX:CompilerThreadPriority=-20");

        /** A ModifiedBy is the way in which the compilers get their priority. */
        public enum ModifiedBy {
            /** Launch flags set the priority where they take effect, else renice does. */
            AUTO("auto"),
            FLAGS("flags"),
            RENICE("renice");

            private final String text;

            ModifiedBy(String text) {
                this.text = text;
            }

            public String text() {
                return text;
            }
        }
    }

    /** The JVM has this many compiler threads all the time, C1 and C2 together. */
    record CiCompilerCount(int threads) implements Modifier {
        public static final String NAME = "ci-compiler-count";
    }

    /** The JVM takes classes and methods from the AOT cache, but not the profiles of its training. */
    record NoAotReplay() implements Modifier {
        public static final String NAME = "no-aot-replay";
    }

    /** The JVM compiles no method above this level. */
    record TieredStopAtLevel(int level) implements Modifier {
        public static final String NAME = "tiered-stop-at-level";
    }

    /** The target runs on the first of its CPUs, no more than this many. */
    record Cpus(int cpus) implements Modifier {
        public static final String NAME = "cpus";
    }

    /** A cgroup limits the target's CPU time to this multiple of one CPU. */
    record CpuQuota(double cpus) implements Modifier {
        public static final String NAME = "cpu-quota";
    }

    /** A cgroup gives more CPU, of one, until a time since launch, or while compilers are busy under load. */
    record BoostedStart(double from, double to, Optional<Duration> time) implements Modifier {
        public static final String NAME = "cpu-boost";
        public static final String UNTIL_WARM = "until-warm";

        private String value() {
            return plain(from) + " to " + plain(to) + " "
                    + time.map(until -> "for " + plain(until.toMillis() / 1000.0) + "s")
                            .orElse(UNTIL_WARM);
        }
    }

    /** A cgroup limits the target's memory to this many bytes. */
    record MemoryLimit(long bytes) implements Modifier {
        public static final String NAME = "memory";
    }

    /** Returns the modifier as it stands in experiment files and in results: {@code cpu-quota: 1.5}. */
    default String text() {
        return switch (this) {
            case VirtualThreads threads -> name();
            case XBatch batch -> name();
            case NoAotReplay replay -> name();
            case CompilerPriority priority ->
                priority.by() == CompilerPriority.ModifiedBy.AUTO
                        ? name()
                        : name() + ": " + priority.by().text();
            case CiCompilerCount count -> name() + ": " + count.threads();
            case TieredStopAtLevel stop -> name() + ": " + stop.level();
            case Cpus some -> name() + ": " + some.cpus();
            case CpuQuota quota -> name() + ": " + plain(quota.cpus());
            case BoostedStart boost -> name() + ": " + boost.value();
            case MemoryLimit memory ->
                name() + ": "
                        + (memory.bytes() % (1 << 20) == 0 ? memory.bytes() / (1 << 20) + "m" : memory.bytes() + "");
        };
    }

    /** Tells whether it does no more than let C2's code come sooner, or do without it. */
    default boolean isOfCompilers() {
        return switch (this) {
            case VirtualThreads threads -> true;
            case XBatch batch -> true;
            case CompilerPriority priority -> true;
            case CiCompilerCount count -> true;
            case TieredStopAtLevel stop -> true;
            case NoAotReplay replay -> false;
            case Cpus cpus -> false;
            case CpuQuota quota -> false;
            case BoostedStart boost -> false;
            case MemoryLimit memory -> false;
        };
    }

    private static String plain(double number) {
        return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }
}
