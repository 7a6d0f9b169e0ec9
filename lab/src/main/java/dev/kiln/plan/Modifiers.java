package dev.kiln.plan;

import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Modifier.BoostedStart;
import dev.kiln.model.experiment.Modifier.CiCompilerCount;
import dev.kiln.model.experiment.Modifier.CompilerPriority;
import dev.kiln.model.experiment.Modifier.CpuQuota;
import dev.kiln.model.experiment.Modifier.Cpus;
import dev.kiln.model.experiment.Modifier.MemoryLimit;
import dev.kiln.model.experiment.Modifier.NoAotReplay;
import dev.kiln.model.experiment.Modifier.TieredStopAtLevel;
import dev.kiln.model.experiment.Modifier.VirtualThreads;
import dev.kiln.model.experiment.Modifier.XBatch;
import dev.kiln.plan.text.DurationText;
import dev.kiln.plan.text.Fields.Numbers;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Problems.BadValue;
import dev.kiln.plan.text.Section;
import dev.kiln.text.Nearest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Modifiers reads modifiers from their texts, and gives the JVM flags of those that are no more than flags. */
public final class Modifiers {
    static final List<String> NAMES = List.of(
            VirtualThreads.NAME,
            XBatch.NAME,
            CompilerPriority.NAME,
            CiCompilerCount.NAME,
            NoAotReplay.NAME,
            TieredStopAtLevel.NAME,
            Cpus.NAME,
            CpuQuota.NAME,
            BoostedStart.NAME,
            MemoryLimit.NAME);

    static final Section SECTION = new Section("modifier", NAMES);

    static final String BOOST = "CPUs at the start and later, such as '2 to 1 for 30s' or '2 to 1 until-warm'";
    static final String BOOST_TIME = BoostedStart.UNTIL_WARM + " or " + DurationText.EXPECTED;
    private static final Pattern BOOSTED = Pattern.compile("(\\S+)\\s+to\\s+(\\S+)\\s+(?:for\\s+(\\S+)|until-warm)");

    static final String MEMORY = "an amount of memory from 16m, such as 512m or 2g";
    private static final Pattern BYTES = Pattern.compile("(\\d{1,15})([kmg]?)b?");

    /** The least memory limit is less than a JVM needs to say that it is too little. */
    private static final long LEAST_BYTES = 16L << 20;

    /** The least quota is the kernel's: it takes none below 1 ms in a period of 100 ms. */
    private static final double LEAST_QUOTA = 0.01;

    private Modifiers() {}

    /** Reads a modifier of that name, which must be known. */
    static Modifier parse(String name, Optional<String> value) {
        return switch (name) {
            case VirtualThreads.NAME -> bare(name, value, new VirtualThreads());
            case XBatch.NAME -> bare(name, value, new XBatch());
            case NoAotReplay.NAME -> bare(name, value, new NoAotReplay());
            case CompilerPriority.NAME ->
                new CompilerPriority(value.map(Modifiers::by).orElse(CompilerPriority.ModifiedBy.AUTO));
            case CiCompilerCount.NAME -> new CiCompilerCount(whole(name, value, 1, 512));
            case TieredStopAtLevel.NAME -> new TieredStopAtLevel(whole(name, value, 0, 4));
            case Cpus.NAME -> new Cpus(whole(name, value, 1, 10_000));
            case CpuQuota.NAME -> new CpuQuota(quota(given(name, value, "a number of CPUs such as 1.5")));
            case BoostedStart.NAME -> boost(given(name, value, BOOST));
            case MemoryLimit.NAME -> new MemoryLimit(bytes(given(name, value, MEMORY)));
            default -> throw new BadValue(Nearest.complaint("modifier", name, NAMES));
        };
    }

    /** Reads {@code name} or {@code name:value}. */
    static Modifier parse(String text) {
        int colon = text.indexOf(':');
        return colon < 0
                ? parse(text.strip(), Optional.empty())
                : parse(
                        text.substring(0, colon).strip(),
                        Optional.of(text.substring(colon + 1).strip()));
    }

    /** Returns the modifiers of both lists. Of two with one name, the one of the second list holds. */
    static List<Modifier> joined(List<Modifier> first, List<Modifier> second) {
        Map<String, Modifier> byName = new LinkedHashMap<>();
        first.forEach(modifier -> byName.put(modifier.name(), modifier));
        second.forEach(modifier -> byName.put(modifier.name(), modifier));
        return List.copyOf(byName.values());
    }

    static boolean virtualThreads(List<Modifier> modifiers) {
        return modifiers.stream().anyMatch(VirtualThreads.class::isInstance);
    }

    /**
     * Returns the flags of these modifiers for the JVM; none for what is done to the process from outside.
     *
     * @param spring whether virtual threads are asked for by Spring's property: a workload has a form of its own
     */
    public static List<String> flags(List<Modifier> modifiers, boolean spring) {
        List<String> flags = new ArrayList<>();
        for (Modifier modifier : modifiers) {
            flags.addAll(
                    switch (modifier) {
                        case VirtualThreads threads ->
                            spring ? List.<String>of("-Dspring.threads.virtual.enabled=true") : List.<String>of();
                        case XBatch batch -> List.of("-Xbatch");
                        // Otherwise the JVM begins with one of each kind and adds the others when queues are long.
                        case CiCompilerCount count ->
                            List.of("-XX:CICompilerCount=" + count.threads(), "-XX:-UseDynamicNumberOfCompilerThreads");
                        case NoAotReplay replay -> List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:-AOTReplayTraining");
                        case TieredStopAtLevel stop -> List.of("-XX:TieredStopAtLevel=" + stop.level());
                        case CompilerPriority priority -> List.<String>of();
                        case Cpus cpus -> List.<String>of();
                        case CpuQuota quota -> List.<String>of();
                        case BoostedStart boost -> List.<String>of();
                        case MemoryLimit memory -> List.<String>of();
                    });
        }
        return List.copyOf(flags);
    }

    private static Modifier bare(String name, Optional<String> value, Modifier modifier) {
        if (value.isPresent()) {
            throw BadValue.of("'" + value.get() + "'", "no value after " + name);
        }
        return modifier;
    }

    private static String given(String name, Optional<String> value, String expected) {
        return value.orElseThrow(() -> BadValue.of(name + " without a value", expected));
    }

    private static int whole(String name, Optional<String> value, int min, int max) {
        String expected = "a whole number from " + min + " to " + max;
        return Math.toIntExact(Numbers.integer(given(name, value, expected), min, max, expected));
    }

    static BoostedStart boost(String text) {
        Matcher boosted = BOOSTED.matcher(text.strip());
        if (!boosted.matches()) {
            throw BadValue.of("'" + text + "'", BOOST);
        }
        return boost(
                Numbers.positive(boosted.group(1)),
                Numbers.positive(boosted.group(2)),
                boostTime(Optional.ofNullable(boosted.group(3)).orElse(BoostedStart.UNTIL_WARM)));
    }

    /** Reads the length of a boost; empty for until-warm. */
    static Optional<Duration> boostTime(String text) {
        try {
            return text.equals(BoostedStart.UNTIL_WARM) ? Optional.empty() : Optional.of(DurationText.parse(text));
        } catch (BadValue e) {
            throw BadValue.of("'" + text + "'", BOOST_TIME);
        }
    }

    static BoostedStart boost(double from, double to, Optional<Duration> time) {
        if (from <= to || to < LEAST_QUOTA) {
            throw BadValue.of(
                    "from " + from + " to " + to,
                    "more CPUs at the start than later, and then at least " + LEAST_QUOTA);
        }
        return new BoostedStart(from, to, time);
    }

    static double quota(String text) {
        double cpus = Numbers.positive(text);
        if (cpus < LEAST_QUOTA) {
            throw BadValue.of("'" + text + "'", "a number of CPUs of at least " + LEAST_QUOTA);
        }
        return cpus;
    }

    /** Reads the value of a command's option. */
    public static long bytesOption(String name, String text) {
        return Problems.option(name, "write it as " + name + " 2048m", () -> bytes(text));
    }

    static long bytes(String text) {
        Matcher amount = BYTES.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (amount.matches()) {
            int shift = amount.group(2).isEmpty() ? 0 : 10 * (1 + "kmg".indexOf(amount.group(2)));
            long bytes = Long.parseLong(amount.group(1)) << shift;
            if (bytes >= LEAST_BYTES && bytes >> shift == Long.parseLong(amount.group(1))) {
                return bytes;
            }
        }
        throw BadValue.of("'" + text + "'", MEMORY);
    }

    private static CompilerPriority.ModifiedBy by(String text) {
        return Arrays.stream(CompilerPriority.ModifiedBy.values())
                .filter(by -> by.text().equals(text))
                .findFirst()
                .orElseThrow(() -> BadValue.of("'" + text + "'", "auto, flags or renice"));
    }
}
