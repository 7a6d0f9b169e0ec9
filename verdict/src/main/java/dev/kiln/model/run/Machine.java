package dev.kiln.model.run;

import dev.kiln.model.CpuAssignment;
import dev.kiln.model.Secrets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A Machine is what the target ran on; remote is its own where that is not the one Kiln runs on. */
public record Machine(Optional<JvmInfo> jvm, HostInfo host, CpuAssignment cpus, Optional<RemoteHost> remote) {
    /**
     * The names of carriers of virtual threads begin so; from JDK 26 on the JVM leaves out their middle. The number of their pool
     * counts the pools that were made before it.
     */
    private static final List<String> CARRIERS = List.of("ForkJoinPool-", "ForkJoi..");

    /** Virtual threads came with JDK 19 (JEP 425). A pool of that name is the program's own before. */
    private static final int FIRST_WITH_VIRTUAL = 19;

    /** Tells whether a thread of that name may carry virtual threads. A pool of the program's own may have the name as well. */
    public boolean mayCarry(String thread) {
        int feature = jvm.map(JvmInfo::feature).orElse(OptionalInt.empty()).orElse(FIRST_WITH_VIRTUAL);
        return feature >= FIRST_WITH_VIRTUAL && CARRIERS.stream().anyMatch(thread::startsWith);
    }

    /** Returns this machine with the secrets of the JVM's flags, and of the way to the other machine, hidden. */
    Machine with(Secrets secrets) {
        return new Machine(
                jvm.map(known -> known.with(secrets)),
                host,
                cpus,
                remote.map(other ->
                        new RemoteHost(secrets.text(other.name()), other.uncertaintyNanos(), other.driftNanos())));
    }

    /**
     * A JvmInfo identifies the JVM of a run, with its flags.
     *
     * @param flags as given
     * @param inForce others that are not as built into the JVM: what it chose by the CPUs and the memory that it found at
     *     its start, or made of {@code flags}; none if it was not asked
     */
    public record JvmInfo(String home, String version, String vendor, List<String> flags, List<String> inForce) {
        private static final Pattern SIZE = Pattern.compile("\\d{1,18}");
        private static final Pattern FEATURE = Pattern.compile("(?:1\\.)?(\\d{1,3})(?!\\d).*");

        /** Returns the first number of the version, such as 25, or 8 of 1.8; empty where it has none. */
        public OptionalInt feature() {
            Matcher feature = FEATURE.matcher(version);
            return feature.matches() ? OptionalInt.of(Integer.parseInt(feature.group(1))) : OptionalInt.empty();
        }

        /** Tells whether a flag is in force, given or chosen by the JVM. */
        public boolean uses(String flag) {
            return flags.contains(flag) || inForce.contains(flag);
        }

        /** Returns a size in force in bytes, as the JVM tells it when it is asked; empty where it was not. */
        public OptionalLong bytes(String flag) {
            String beginning = "-XX:" + flag + "=";
            return inForce.stream()
                    .filter(given -> given.startsWith(beginning))
                    .map(given -> given.substring(beginning.length()))
                    .filter(size -> SIZE.matcher(size).matches())
                    .mapToLong(Long::parseLong)
                    .max();
        }

        /**
         * Tells whether the collector works beside the program. Its counters have that work too, or only a part of its pauses; and a
         * thread that waits for memory does so in no pause.
         */
        public boolean collectsBeside() {
            return uses("-XX:+UseZGC") || uses("-XX:+UseShenandoahGC");
        }

        /** Returns the JVM in words: vendor, version and home. */
        public String text() {
            return vendor + " " + version + " (" + home + ")";
        }

        private JvmInfo with(Secrets secrets) {
            return new JvmInfo(home, version, vendor, secrets.texts(flags), secrets.texts(inForce));
        }

        /** @param all that are in force, also those that were given */
        public JvmInfo running(List<String> all) {
            List<String> others =
                    all.stream().filter(flag -> !flags.contains(flag)).toList();
            return new JvmInfo(home, version, vendor, flags, others);
        }
    }

    /** A HostInfo describes a machine; settings, such as {@code governor}, also decide how fast it runs. */
    public record HostInfo(
            String kernel,
            String cpuModel,
            int cpus,
            long memoryBytes,
            String scheduler,
            Map<String, String> settings) {
        public HostInfo {
            settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
        }

        public HostInfo withCpus(int some) {
            return new HostInfo(kernel, cpuModel, some, memoryBytes, scheduler, settings);
        }
    }

    /**
     * A RemoteHost is the other machine that a target ran on. All times of a run are those of the clock here.
     *
     * @param name as it was given to ssh
     * @param uncertaintyNanos what was recorded there may be so much earlier or later than it says
     * @param driftNanos how much the two clocks moved against each other during the run; empty where the connection was
     *     lost
     */
    public record RemoteHost(String name, long uncertaintyNanos, OptionalLong driftNanos) {}

    /**
     * A LoadHost is where Kiln's own load driver ran, if not beside Kiln. All times of a run are those of the clock here.
     *
     * @param name the place as it was given, in words
     * @param host how it calls itself: of a container, the container's id or name
     * @param cpus that the driver could use there, such as 0.5
     * @param uncertaintyNanos the bins may be so much earlier or later than they say
     * @param driftNanos how much the two clocks moved against each other during the run; empty where that is not known
     */
    public record LoadHost(String name, String host, double cpus, long uncertaintyNanos, OptionalLong driftNanos) {}
}
