package dev.kiln.report;

import dev.kiln.model.CpuAssignment;
import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.Feed;
import dev.kiln.model.load.LoadSpec.Step;
import dev.kiln.model.load.LoadSpec.Variables;
import dev.kiln.model.load.Sending.Http2;
import dev.kiln.model.load.Sending.Tls;
import dev.kiln.model.run.Treatment.AotUse;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.text.Show;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Facts says in words how a run was measured. */
public final class Facts {
    private Facts() {}

    public static String protocol(Protocol protocol) {
        String planned = protocol.phases().stream().map(Facts::phase).collect(Collectors.joining(", "));
        String phases = protocol.reference().isPresent()
                ? planned + ", then pauses and loads until the peak is found"
                : planned;
        return protocol.name().isBlank() || protocol.name().equals("custom")
                ? phases
                : "protocol " + protocol.name() + ": " + phases;
    }

    private static String phase(Phase phase) {
        String seconds = Show.plain(phase.duration().toNanos() / 1e9) + " s ";
        return switch (phase) {
            case Phase.Load load ->
                seconds + "load" + (load.untilKnownFrom().isPresent() ? " at most, until it was known" : "")
                        + load.shape().map(shape -> " (" + shape.text() + ")").orElse("");
            case Phase.Pause pause -> seconds + "pause";
        };
    }

    /** Returns the level of the intervals of a series, and why two have another one. */
    public static String levels(AnalysisConfig config) {
        double end = AnalysisConfig.level(config.end().endZ());
        return "intervals of one run are of " + Show.plain(100 * config.confidence())
                + " %, but for two: that of the end over the peak is of "
                + level(config.end().endZ())
                + " %, because it decides the verdict (each side is wrong in " + Show.whole((100 - end) / 2)
                + " %), and that of the change at the end is of "
                + level(config.end().slopeZ())
                + " %, because it tells a level from a rise";
    }

    /** Returns the level of an interval of so many standard errors, in percent; with one decimal from 99 % on. */
    public static String level(double z) {
        double percent = AnalysisConfig.level(z);
        return Show.trimmed(percent, percent < 99 ? 0 : 1);
    }

    public static String load(LoadSpec load) {
        String calls = load.replay().isPresent()
                ? "requests to " + load.calls().getFirst().url()
                : calls(load);
        String trust = load.tls().filter(Tls::insecure).isPresent() ? "; certificates not checked" : "";
        return calls + "; " + loop(load) + "; timeout "
                + Show.plain(load.timeout().toNanos() / 1e9) + " s" + trust
                + load.variables().flatMap(Variables::feed).map(Facts::feed).orElse("")
                + (load.inSession() ? session(load) : "")
                + load.success()
                        .map(success -> "; success: " + String.join(", ", success.statuses()))
                        .orElse("")
                + load.slo().map(slo -> "; to keep " + slo.text()).orElse("");
    }

    /** Returns how much is sent at a time: the rate, or the closed loop, and over how many connections. */
    public static String loop(LoadSpec load) {
        return (load.rate().isPresent() ? "open loop, " + rate(load) + " over " : "closed loop, ")
                + Show.plural(load.connections(), "connection")
                + load.http2().map(Facts::http2).orElse("");
    }

    /** Returns a moment of the wall clock, such as {@code 2026-01-18 10:00 UTC}. */
    public static String minute(long epochMillis) {
        return Instant.ofEpochMilli(epochMillis).toString().substring(0, 16).replace('T', ' ') + " UTC";
    }

    private static String rate(LoadSpec load) {
        String rate = Show.three(load.rate().orElse(0));
        return load.replay()
                .map(replay -> "about " + rate + " requests per second, replayed from " + replay.name() + " ("
                        + Show.plural(replay.requests(), "request") + " in "
                        + Show.plain(Math.round(replay.period().toNanos() / 1e6) / 1e3) + " s"
                        + (replay.speed() == 1 ? "" : ", at " + Show.plain(replay.speed()) + " times the speed") + ")")
                .orElseGet(() -> rate + " requests per second" + (load.poisson() ? ", Poisson arrivals," : ""));
    }

    private static String calls(LoadSpec load) {
        return load.calls().stream()
                .map(call -> call.method() + " " + call.url()
                        + (load.calls().size() > 1 && !load.inSession() ? " (weight " + call.weight() + ")" : ""))
                .collect(Collectors.joining(", "));
    }

    /** Returns the words that follow the number of connections: how many streams each has. */
    public static String http2(Http2 http2) {
        return " of " + Show.plural(http2.streams(), "stream") + " (HTTP/2)";
    }

    private static String session(LoadSpec load) {
        List<Step> steps =
                load.calls().stream().flatMap(call -> call.step().stream()).toList();
        String think = steps.stream()
                .map(step -> Show.plain(step.think().toNanos() / 1e9) + " s")
                .distinct()
                .collect(Collectors.joining(", "));
        return "; users send the calls in their order (session), "
                + (steps.getFirst().cookies() ? "with" : "without") + " cookies"
                + (steps.stream().allMatch(step -> step.think().isZero())
                        ? ""
                        : ", and think " + think + " between them");
    }

    private static String feed(Feed feed) {
        return "; fed from " + feed.name() + " (" + Show.plural(feed.rows(), "row") + ", "
                + feed.order().name().toLowerCase(Locale.ROOT) + ")";
    }

    /** Returns the cache's file, how long it took to make, and whether it was used. */
    public static String aot(AotUse aot) {
        String made = aot.training()
                .map(training -> ", recorded in " + Show.three(training.recordNanos() / 1e9) + " s, created in "
                        + Show.three(training.createNanos() / 1e9) + " s")
                .orElse("");
        return aot.file()
                + made
                + aot.rejection()
                        .map(why -> ": not used: " + why)
                        .orElse(": used"
                                + aot.sharedClasses().stream()
                                        .mapToObj(classes -> ", " + Show.whole(classes) + " classes from it")
                                        .collect(Collectors.joining()));
    }

    public static String cpus(CpuAssignment cpus) {
        String parts = "target on " + list(cpus.target())
                + (cpus.load().isEmpty() ? "" : ", load on " + list(cpus.load()))
                + (cpus.database().isEmpty() ? "" : ", database on " + list(cpus.database()));
        String pinned = cpus.pinned() ? parts : "not pinned";
        return cpus.notes().isEmpty() ? pinned : pinned + "; " + String.join("; ", cpus.notes());
    }

    /** Returns the CPUs of a target without a load. */
    public static String cpusOf(CpuAssignment cpus) {
        return cpus.pinned() ? list(cpus.target()) : "not pinned";
    }

    /** Returns the environment sorted, without values that resemble secrets: reports are passed on. */
    public static SortedMap<String, String> environment(Map<String, String> environment) {
        return new TreeMap<>(Secrets.HIDDEN.named(environment));
    }

    /** Returns an argument of a command, without a value that resembles a secret. */
    public static String argument(String argument) {
        return Secrets.HIDDEN.text(argument);
    }

    /** Returns the words of a command without values that resemble secrets; an option's value stands behind it. */
    public static List<String> command(List<String> words) {
        return Secrets.HIDDEN.command(words);
    }

    private static String list(List<Integer> cpus) {
        return (cpus.size() == 1 ? "CPU " : "CPUs ")
                + cpus.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }

    /** Returns the analysis constants in words for a footnote. */
    public static String constantsToSet(AnalysisConfig config) {
        return constants(config).stream()
                .map(constant -> constant.name() + "\u00a0" + constant.text())
                .collect(Collectors.joining(", ", "constants (change one with --set NAME=VALUE): ", ""));
    }

    public record Constant(String name, Object value) {
        public void write(JsonOut out) {
            switch (value) {
                case Double d -> out.number(name, d, 9);
                case Number n -> out.integer(name, n.longValue());
                case Boolean b -> out.flag(name, b);
                default -> out.text(name, String.valueOf(value));
            }
        }

        /** Returns the name in words, such as {@code min segment} for {@code minSegment}. */
        public String words() {
            return name.replaceAll("([a-z0-9])([A-Z])", "$1 $2").toLowerCase(Locale.ROOT);
        }

        public String text() {
            return value instanceof Double d ? Show.plain(d) : String.valueOf(value);
        }
    }

    /** Returns the constants of the analysis, by the record's components, so that none is left out. */
    public static List<Constant> constants(AnalysisConfig config) {
        return flat(config).toList();
    }

    /** Returns the constants of a record; records within it are groups of constants. */
    private static Stream<Constant> flat(Record group) {
        return Arrays.stream(group.getClass().getRecordComponents()).flatMap(component -> {
            Object value = value(component, group);
            return value instanceof Record nested ? flat(nested) : Stream.of(new Constant(component.getName(), value));
        });
    }

    private static Object value(RecordComponent component, Record group) {
        try {
            return component.getAccessor().invoke(group);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
