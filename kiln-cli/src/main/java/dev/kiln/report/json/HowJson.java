package dev.kiln.report.json;

import dev.kiln.model.CpuAssignment;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.run.Machine.HostInfo;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.RunInfo.NotRecorded;
import dev.kiln.model.run.Treatment;
import dev.kiln.model.run.Treatment.AotUse;
import dev.kiln.report.Facts;
import dev.kiln.report.JsonOut;
import java.time.Instant;
import java.util.List;

/** A HowJson writes how the first run was measured, for {@code result.json}. */
public record HowJson(JsonOut out) {
    public void write(RunInfo info) {
        out.text("kilnVersion", info.kilnVersion());
        out.text("launchedAt", Instant.ofEpochMilli(info.launchEpochMillis()).toString());
        out.integer("seed", info.which().seed());
        out.texts("command", Facts.command(info.command()));
        out.object(
                "environment",
                () -> Facts.environment(info.launch().environment()).forEach(out::text));
        startedByOthers(info);
        out.object("jvm", info.jvm(), jvm -> {
            out.text("version", jvm.version());
            out.text("vendor", jvm.vendor());
            out.text("home", jvm.home());
            out.texts("flags", jvm.flags().stream().map(Facts::argument).toList());
        });
        if (!info.treatment().equals(Treatment.NONE)) {
            out.object("treatment", () -> treatment(info.treatment()));
        }
        out.object("host", () -> host(info.host()));
        out.some("remote", info.remote(), remote -> {
            out.text("name", remote.name());
            out.number("clockUncertaintySeconds", remote.uncertaintyNanos() / 1e9, 9);
            out.seconds("clockDriftSeconds", remote.driftNanos(), 9);
        });
        out.some("loadFrom", info.loadFrom(), from -> {
            out.text("name", from.name());
            out.text("host", from.host());
            out.number("cpus", from.cpus(), 3);
            out.number("clockUncertaintySeconds", from.uncertaintyNanos() / 1e9, 9);
            out.seconds("clockDriftSeconds", from.driftNanos(), 9);
        });
        out.object("cpus", () -> cpus(info.cpus()));
        out.object("load", () -> load(info.load()));
        notRecorded(out, info.notRecorded());
    }

    public static void notRecorded(JsonOut out, List<NotRecorded> gaps) {
        out.objects("notRecorded", gaps, gap -> {
            out.text("what", gap.what());
            out.text("why", gap.why());
        });
    }

    private void startedByOthers(RunInfo info) {
        out.some("attached", info.attached(), before -> {
            out.text("to", before.to());
            out.integer("pid", before.pid());
            out.number("ranSeconds", before.ageNanos() / 1e9, 3);
            out.number("cpuSeconds", before.cpuNanos() / 1e9, 3);
        });
        out.some("restarted", info.launch().restarted(), by -> {
            out.text("to", by.to());
            out.integer("pid", by.pid());
            out.texts("by", Facts.command(by.by()));
            out.number("afterSeconds", by.afterNanos() / 1e9, 3);
        });
    }

    private void host(HostInfo host) {
        out.text("kernel", host.kernel());
        out.text("cpuModel", host.cpuModel());
        out.integer("cpus", host.cpus());
        out.integer("memoryBytes", host.memoryBytes());
        out.text("scheduler", host.scheduler());
        if (!host.settings().isEmpty()) {
            out.object("settings", () -> host.settings().forEach(out::text));
        }
    }

    private void treatment(Treatment treatment) {
        out.texts("modifiers", treatment.modifiers());
        out.texts("instruments", treatment.instruments());
        out.some("aot", treatment.aot(), this::aot);
    }

    private void aot(AotUse aot) {
        out.text("file", aot.file());
        out.text("trained", aot.trained());
        out.flag("mapped", aot.mapped());
        out.integer("sharedClasses", aot.sharedClasses());
        aot.replaysTraining().ifPresent(replays -> out.flag("replaysTraining", replays));
        aot.rejection().ifPresent(why -> out.text("rejection", why));
        aot.training().ifPresent(training -> {
            out.number("recordSeconds", training.recordNanos() / 1e9, 3);
            out.number("createSeconds", training.createNanos() / 1e9, 3);
            out.integer("cacheBytes", training.cacheBytes());
        });
    }

    private void cpus(CpuAssignment cpus) {
        numbers("target", cpus.target());
        numbers("load", cpus.load());
        numbers("database", cpus.database());
        out.flag("pinned", cpus.pinned());
        out.texts("notes", cpus.notes());
    }

    private void numbers(String name, List<Integer> cpus) {
        out.array(name, () -> cpus.forEach(cpu -> out.number(cpu, 0)));
    }

    private void load(LoadSpec load) {
        out.integer("connections", load.connections());
        load.http2().ifPresent(http2 -> out.integer("streams", http2.streams()));
        if (load.inSession()) {
            out.flag("session", true);
        }
        out.number("rate", load.rate(), 3);
        load.replay().ifPresent(replay -> out.text("replay", replay.name()));
        out.number("timeoutSeconds", load.timeout().toNanos() / 1e9, 3);
        out.objects("calls", load.calls(), call -> {
            out.text("method", call.method());
            out.text("url", Facts.argument(call.url().toString()));
            out.integer("weight", call.weight());
        });
    }
}
