package dev.kiln.plan;

import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.Claim;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.ClosingLoad;
import dev.kiln.model.experiment.Experiment.DatabaseSpec;
import dev.kiln.model.experiment.Experiment.PlannedRun;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.experiment.Hook;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.experiment.Modifier;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Target.AotCache;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Variant.Observe;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.load.LoadSpec.Replay;
import dev.kiln.model.load.LoadSpec.Step;
import dev.kiln.plan.LabBinder.CpuText;
import dev.kiln.plan.ObserverEffect.ObserveBinder;
import dev.kiln.plan.text.DurationText;
import dev.kiln.plan.text.JdkBinder.JdkText;
import dev.kiln.plan.text.ShellWords;
import dev.kiln.text.Show;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A PlanText is an experiment in words: what would run, in which order, and how long it takes. */
public final class PlanText {
    private final StringBuilder text = new StringBuilder();

    private PlanText() {}

    public static String render(Experiment experiment, Schedule schedule) {
        PlanText plan = new PlanText();
        plan.head(experiment, schedule);
        plan.lab(experiment);
        plan.phases(experiment);
        plan.variants(experiment.variants());
        plan.order(schedule);
        plan.claims(experiment.claims());
        return plan.text.toString();
    }

    private void head(Experiment experiment, Schedule schedule) {
        line(experiment.name() + ": " + extent(experiment, schedule));
    }

    /** Returns the number of variants and runs, and the time they need, in words. */
    public static String extent(Experiment experiment, Schedule schedule) {
        boolean sure = schedule.estimate().equals(schedule.atMost());
        String likely = DurationText.about(schedule.estimate());
        String most = DurationText.round(schedule.atMost());
        return count(experiment.variants().size(), "variant") + " x "
                + runs(experiment.runs(), experiment.variants().size()) + ", "
                + (sure ? "about " + likely : "likely " + likely + ", at most " + most)
                + (Schedule.restarts(experiment)
                        ? ", with " + DurationText.show(Schedule.RESTART) + " for each restart"
                        : "")
                + ", without builds";
    }

    private void lab(Experiment experiment) {
        LoadTemplate load = experiment.load();
        line("");
        for (LoadTemplate.TemplateCall call : load.calls()) {
            String weight = load.calls().size() > 1 ? "  (weight " + call.weight() + ")" : "";
            field(
                    "load",
                    (load.replay().isPresent() ? "requests to " : call.method() + " ")
                            + call.url()
                            + call.step().map(PlanText::step).orElse(weight));
        }
        load.replay().ifPresent(this::replay);
        field(
                "",
                connections(experiment) + ", " + loop(load) + ", timeout "
                        + DurationText.show(load.timeout())
                        + (load.engine().equals(LoadEngine.KILN)
                                ? ""
                                : ", sent by " + load.engine().id())
                        + load.from().map(PlanText::from).orElse(""));
        field("database", database(experiment.database()));
        field("CPUs", cpus(experiment.cpus()));
        field("seed", Long.toString(experiment.seed()));
        field(
                "repeats",
                experiment.runs().repeat()
                        ? "Kiln repeats a run that the machine disturbed, at most "
                                + experiment.runs().atMost() + " of a variant"
                        : "none");
        if (experiment.setting().cold()) {
            field("page cache", "dropped before each launch");
        }
        if (experiment.isDuet()) {
            field("duet", "both variants of a block at once, the first named on the first half of the CPUs");
        }
        hooks(experiment.hooks());
        observed(experiment.variants());
    }

    private static String from(Where place) {
        return ", from "
                + (place instanceof Where.Running pod
                        ? pod.words()
                        : place.elsewhere().map(Where.HostPlace::name).orElse(""));
    }

    private void hooks(List<Hook> hooks) {
        hooks.forEach(hook -> words(hook.moment().key(), hook.command()));
    }

    private static String step(Step step) {
        String take = step.take().isEmpty()
                ? ""
                : ", takes " + String.join(", ", step.take().keySet());
        String think = step.think().isZero() ? "" : ", then thinks " + DurationText.show(step.think());
        return "  (in a session" + take + think + ")";
    }

    private void replay(Replay replay) {
        field(
                "",
                "replayed from " + replay.name() + ": " + Show.plural(replay.requests(), "request") + " in "
                        + DurationText.show(
                                Duration.ofMillis(Math.round(replay.period().toNanos() / 1e6)))
                        + (replay.speed() == 1 ? "" : ", at " + Show.plain(replay.speed()) + " times the speed"));
        replay.note().ifPresent(note -> field("", note));
    }

    private static String loop(LoadTemplate load) {
        if (load.rate().isEmpty()) {
            return "closed loop";
        }
        double rate = load.rate().getAsDouble();
        return "open loop at "
                + (load.replay().isPresent()
                        ? "about " + Show.three(rate)
                        : BigDecimal.valueOf(rate).stripTrailingZeros().toPlainString())
                + " requests/s";
    }

    private static String connections(Experiment experiment) {
        List<String> levels = experiment.variants().stream()
                .flatMapToInt(variant -> variant.connections().stream())
                .distinct()
                .mapToObj(Integer::toString)
                .toList();
        String connections = levels.isEmpty()
                ? count(experiment.load().connections(), "connection")
                : String.join(", ", levels) + " connections";
        return connections
                + experiment
                        .load()
                        .http2()
                        .map(http2 -> " of " + count(http2.streams(), "stream") + " (HTTP/2)")
                        .orElse("");
    }

    /** Writes which instruments the runs have, if not the usual ones. Each variant has a line where they differ. */
    private void observed(List<Variant> variants) {
        Observe first = variants.getFirst().observe();
        if (variants.stream().allMatch(variant -> variant.observe().equals(first))) {
            if (!first.equals(Observe.USUAL)) {
                field("observed", ObserveBinder.show(first));
            }
            return;
        }
        variants.forEach(variant -> field("observed", variant.name() + " " + ObserveBinder.show(variant.observe())));
    }

    private void phases(Experiment experiment) {
        line("");
        Protocol protocol = experiment.protocol();
        line("each run: protocol " + protocol.name() + ", "
                + DurationText.show(protocol.duration())
                + (protocol.reference().isPresent()
                        ? " typically, " + DurationText.show(protocol.atMost()) + " at most"
                        : ""));
        for (Phase phase : protocol.phases()) {
            String kind = phase instanceof Phase.Load ? "load" : "no load";
            String until = phase instanceof Phase.Load load ? until(load) : "";
            String shape = phase instanceof Phase.Load load
                    ? load.shape().map(some -> ", " + some.text()).orElse("")
                    : "";
            field(phase.name(), until + DurationText.show(phase.duration()) + " " + kind + shape);
        }
        protocol.reference()
                .ifPresent(asked -> reference(asked, experiment.runs().atMost() > 1));
        boolean closes = experiment.variants().stream()
                .anyMatch(variant -> ClosingLoad.follows(experiment, new PlannedRun(1, 1, variant)));
        if (closes) {
            field(
                    ClosingLoad.PHASE.name(),
                    DurationText.show(ClosingLoad.PHASE.duration())
                            + " load under a flight recording, after all of a variant's first run was measured");
        }
    }

    private static String until(Phase.Load load) {
        return load.earliestEnd()
                .map(from -> "until " + (load.untilKnownFrom().isPresent() ? "known" : "steady") + ", from "
                        + DurationText.show(from) + " to ")
                .orElse("");
    }

    private void reference(FoundReference reference, boolean again) {
        field(
                "reference",
                "no load until the compilers are quiet, at most " + DurationText.show(FoundReference.LONGEST_PAUSE)
                        + ", then " + DurationText.show(FoundReference.LOAD) + " load"
                        + (reference.favoured() ? ", with the compilers favoured where permitted" : ""));
        field(
                "",
                String.format(
                        Locale.ROOT,
                        "again while the level rises by more than %.0f %%, the first round is not known to be within %.0f %% of"
                                + " the load before, a round is not level or was disturbed, or C2 has work or was not seen, at most %d times",
                        100 * FoundReference.RISE,
                        100 * FoundReference.FALL,
                        FoundReference.MOST_ROUNDS));
        if (again) {
            field("", "a round that agrees with the peak of the variant's earlier runs ends it");
        }
    }

    private void variants(List<Variant> variants) {
        for (Variant variant : variants) {
            Target target = variant.target();
            line("");
            line("variant " + variant.name()
                    + (variant.optional() ? " (left out where this machine lacks what it needs)" : ""));
            String threads = target.virtualThreads() ? ", with virtual threads" : "";
            target.workload().ifPresent(workload -> field("workload", workload + threads));
            words("command", target.command());
            words("JVM flags", target.jvmFlags());
            words("arguments", target.arguments());
            if (!target.modifiers().isEmpty()) {
                field("with", target.modifiers().stream().map(Modifier::text).collect(Collectors.joining(", ")));
            }
            target.aot().ifPresent(aot -> field("AOT cache", aotCache(aot)));
            target.jdk().ifPresent(jdk -> field("JDK", JdkText.show(jdk)));
            if (!(target.where() instanceof Where.Here)) {
                field("where", target.where().text());
            }
            target.workingDirectory().ifPresent(directory -> field("directory", directory.toString()));
            Map<String, String> environment = new TreeMap<>(target.environment());
            environment.forEach((name, value) -> field("environment", name + "=" + Secrets.HIDDEN.value(name, value)));
            hooks(target.hooks());
            field("ready", ready(target.readiness()));
        }
    }

    private static String aotCache(AotCache aot) {
        String first = "first, once: ";
        String then = " and create it, about " + DurationText.show(Schedule.training(aot));
        return switch (aot) {
            case AotCache.Startup startup ->
                first + "record a start"
                        + (startup.flags().isEmpty() ? "" : " with " + String.join(" ", startup.flags())) + then;
            case AotCache.Traffic traffic ->
                first + "record a start and " + DurationText.show(traffic.duration()) + " of the load" + then;
            case AotCache.GivenCache given -> given.file() + ", as it is";
            case AotCache.OfVariant other -> "that of " + other.variant() + "; the JVM may reject it";
        };
    }

    private void claims(List<Claim> claims) {
        if (!claims.isEmpty()) {
            line("");
            line("claims");
            claims.forEach(claim -> {
                line("  " + claim.text());
                claim.checks().forEach(check -> line("    agrees if " + check.text()));
                claim.notObservable().ifPresent(why -> line("    not observable here: " + why));
            });
        }
    }

    private void order(Schedule schedule) {
        line("");
        line("order");
        Map<Integer, List<String>> blocks = schedule.runs().stream()
                .collect(Collectors.groupingBy(
                        PlannedRun::block,
                        TreeMap::new,
                        Collectors.mapping(run -> run.variant().name(), Collectors.toList())));
        blocks.forEach((block, names) -> field("block " + block, String.join(", ", names)));
    }

    private static String ready(ReadySign readiness) {
        String when = switch (readiness) {
            case ReadySign.FirstResponse first -> "at the first good response";
            case ReadySign.HttpStatus http -> "when " + http.url() + " answers " + http.status();
            case ReadySign.TcpPort tcp ->
                "when port " + (tcp.port().isPresent() ? tcp.port().getAsInt() : "${port}") + " is open";
            case ReadySign.LogPattern log -> "when its output has /" + log.regex() + "/";
        };
        return when + ", within " + DurationText.show(readiness.timeout());
    }

    private static String database(DatabaseSpec database) {
        return switch (database) {
            case DatabaseSpec.None none -> "none";
            case DatabaseSpec.Managed managed ->
                "PostgreSQL, a new one for each run"
                        + managed.script().map(script -> ", with " + script).orElse("");
            case DatabaseSpec.External external -> external.jdbcUrl() + ", left as it is between runs";
        };
    }

    private static String cpus(CpuRequest cpus) {
        List<String> parts = new ArrayList<>();
        addCpus(parts, "target", cpus.target());
        addCpus(parts, "load", cpus.load());
        addCpus(parts, "database", cpus.database());
        return parts.isEmpty() ? "auto" : String.join("; ", parts) + (parts.size() < 3 ? "; others auto" : "");
    }

    private static void addCpus(List<String> parts, String part, List<Integer> cpus) {
        if (!cpus.isEmpty()) {
            parts.add(part + " " + CpuText.show(cpus));
        }
    }

    private void words(String label, List<String> words) {
        if (!words.isEmpty()) {
            field(
                    label,
                    Secrets.HIDDEN.command(words).stream()
                            .map(ShellWords::quote)
                            .collect(Collectors.joining(" ")));
        }
    }

    private static String runs(Runs runs, int variants) {
        return runs.width().isEmpty()
                ? count(runs.atMost(), "run")
                : runs.atLeast() + " to " + runs.atMost() + " runs (until the interval of " + Runs.subject(variants)
                        + " is within "
                        + BigDecimal.valueOf(runs.width().getAsDouble() * 100)
                                .stripTrailingZeros()
                                .toPlainString() + " %)";
    }

    private static String count(int number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    private void field(String label, String value) {
        line("  " + label + " ".repeat(Math.max(1, 13 - label.length())) + Secrets.HIDDEN.text(value));
    }

    private void line(String line) {
        text.append(line).append('\n');
    }
}
