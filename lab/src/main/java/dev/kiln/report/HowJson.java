package dev.kiln.report;

import dev.kiln.model.CpuAssignment;
import dev.kiln.model.LoadSpec;
import dev.kiln.model.RunInfo;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;

/** How the first run was measured, for {@code result.json}. */
record HowJson(JsonOut out) {

    void write(RunInfo info) {
        out.text("kilnVersion", info.kilnVersion());
        out.text("launchedAt", Instant.ofEpochMilli(info.launchEpochMillis()).toString());
        out.integer("seed", info.seed());
        out.texts("command", info.command().stream().map(Facts::argument).toList());
        out.object("environment", () -> Facts.environment(info.environment()).forEach(out::text));
        info.jvm()
                .ifPresentOrElse(
                        jvm -> out.object("jvm", () -> {
                            out.text("version", jvm.version());
                            out.text("vendor", jvm.vendor());
                            out.text("home", jvm.home());
                            out.texts(
                                    "flags",
                                    jvm.flags().stream().map(Facts::argument).toList());
                        }),
                        () -> out.nothing("jvm"));
        new TreatmentJson(out).write(info.treatment());
        out.object("host", () -> {
            out.text("kernel", info.host().kernel());
            out.text("cpuModel", info.host().cpuModel());
            out.integer("cpus", info.host().cpus());
            out.integer("memoryBytes", info.host().memoryBytes());
            out.text("scheduler", info.host().scheduler());
        });
        info.remote()
                .ifPresent(remote -> out.object("remote", () -> {
                    out.text("name", remote.name());
                    out.number("clockUncertaintySeconds", remote.uncertaintyNanos() / 1e9, 9);
                    out.number(
                            "clockDriftSeconds",
                            remote.driftNanos().isPresent()
                                    ? OptionalDouble.of(remote.driftNanos().getAsLong() / 1e9)
                                    : OptionalDouble.empty(),
                            9);
                }));
        out.object("cpus", () -> cpus(info.cpus()));
        out.object("load", () -> load(info.load()));
        out.array(
                "notRecorded",
                () -> info.notRecorded()
                        .forEach(missing -> out.object(() -> {
                            out.text("what", missing.what());
                            out.text("why", missing.why());
                        })));
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
        out.number("rate", load.rate(), 3);
        out.number("timeoutSeconds", load.timeout().toNanos() / 1e9, 3);
        out.array(
                "calls",
                () -> load.calls()
                        .forEach(call -> out.object(() -> {
                            out.text("method", call.method());
                            out.text("url", call.url().toString());
                            out.integer("weight", call.weight());
                        })));
    }
}
