package dev.kiln.report;

import dev.kiln.model.CpuAssignment;
import dev.kiln.model.LoadSpec;
import dev.kiln.model.Phase;
import dev.kiln.model.Protocol;
import dev.kiln.model.Treatment.AotUse;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** How it was measured, in words. */
final class Facts {
    private static final Pattern SECRET =
            Pattern.compile("PASSW|SECRET|TOKEN|CREDENTIAL|_KEY$", Pattern.CASE_INSENSITIVE);

    private static final Pattern SECRET_ARGUMENT =
            Pattern.compile("((?:PASSW|SECRET|TOKEN|CREDENTIAL)[^=\\s]*)=\\S+", Pattern.CASE_INSENSITIVE);

    private Facts() {}

    static String protocol(Protocol protocol) {
        String planned = protocol.phases().stream().map(Facts::phase).collect(Collectors.joining(", "));
        String phases = protocol.reference().isPresent() ? planned + ", then until the reference is found" : planned;
        return protocol.name().isBlank() || protocol.name().equals("custom")
                ? phases
                : "protocol " + protocol.name() + ": " + phases;
    }

    private static String phase(Phase phase) {
        String seconds = Text.plain(phase.duration().toNanos() / 1e9) + " s ";
        return seconds + (phase instanceof Phase.Load ? "load" : "pause");
    }

    static String load(LoadSpec load) {
        String calls = load.calls().stream()
                .map(call -> call.method() + " " + call.url()
                        + (load.calls().size() > 1 ? " (weight " + call.weight() + ")" : ""))
                .collect(Collectors.joining(", "));
        String loop = load.rate().isPresent()
                ? "open loop, " + Text.three(load.rate().getAsDouble()) + " requests per second over "
                : "closed loop, ";
        return calls + "; " + loop + Text.plural(load.connections(), "connection") + "; timeout "
                + Text.plain(load.timeout().toNanos() / 1e9) + " s";
    }

    /** Whether a cache was used, and what making it took. */
    static String aot(AotUse aot) {
        String made = aot.training()
                .map(training -> ", recorded in " + Text.three(training.recordNanos() / 1e9) + " s, created in "
                        + Text.three(training.createNanos() / 1e9) + " s")
                .orElse("");
        return aot.file()
                + made
                + aot.rejection()
                        .map(why -> ": not used: " + why)
                        .orElse(": used, " + Text.whole(aot.sharedClasses()) + " classes from it");
    }

    static String cpus(CpuAssignment cpus) {
        String parts = "target on " + list(cpus.target()) + ", load on " + list(cpus.load())
                + (cpus.database().isEmpty() ? "" : ", database on " + list(cpus.database()));
        String pinned = cpus.pinned() ? parts : "not pinned";
        return cpus.notes().isEmpty() ? pinned : pinned + "; " + String.join("; ", cpus.notes());
    }

    /** Where a target runs that has no load beside it. */
    static String cpusOf(CpuAssignment cpus) {
        return cpus.pinned() ? list(cpus.target()) : "not pinned";
    }

    /** Sorted, without what looks like a secret: reports are sent around. */
    static SortedMap<String, String> environment(Map<String, String> environment) {
        SortedMap<String, String> shown = new TreeMap<>();
        environment.forEach(
                (name, value) -> shown.put(name, SECRET.matcher(name).find() ? "(not shown)" : value));
        return shown;
    }

    /** An argument of a command, without the value of what looks like a secret. */
    static String argument(String argument) {
        return SECRET_ARGUMENT.matcher(argument).replaceAll("$1=(not shown)");
    }

    private static String list(List<Integer> cpus) {
        return (cpus.size() == 1 ? "CPU " : "CPUs ")
                + cpus.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
