package dev.kiln.report.html;

import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.run.Machine;
import dev.kiln.model.run.Provenance;
import dev.kiln.model.run.RunInfo;
import dev.kiln.report.Facts;
import dev.kiln.text.Show;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.Collectors;

/** HtmlHow says how an experiment was measured, in enough detail to do it again. */
final class HtmlHow {
    private final StringBuilder out = new StringBuilder();

    static String html(ExperimentResult result) {
        HtmlHow how = new HtmlHow();
        how.out.append("<dl>\n");
        how.fact("Protocol", Facts.protocol(result.protocol()));
        result.how().ifPresent(how::facts);
        how.out.append("</dl>\n");
        return how.out + constants(result);
    }

    private void facts(RunInfo info) {
        if (info.imported()) {
            imported(info, info.provenance().orElseThrow());
            return;
        }
        load(info);
        machine(info);
        jvm(info);
        launch(info);
        fact("Order of runs", "randomised within blocks, seed " + info.which().seed());
        fact(
                "First launch",
                Instant.ofEpochMilli(info.launchEpochMillis()).truncatedTo(ChronoUnit.SECONDS) + " (" + info.variant()
                        + ", run " + info.run() + ": the command and the JVM above are this run's)");
        end(info);
    }

    private void load(RunInfo info) {
        fact("Load", Facts.load(info.load()));
        info.loadFrom()
                .ifPresent(from -> fact(
                        "Load sent from",
                        from.name() + (from.host().isEmpty() ? "" : ": " + from.host()) + ", " + Show.three(from.cpus())
                                + (from.cpus() == 1 ? " CPU" : " CPUs")));
        info.handshakes()
                .ifPresent(made -> fact(
                        "TLS handshakes",
                        Show.whole(made.count()) + ", " + Show.three(1e3 * made.meanSeconds())
                                + " ms on average, the longest " + Show.three(1e3 * made.maxSeconds()) + " ms ("
                                + info.variant() + ", run " + info.run() + ")"));
        info.provenance().ifPresent(foreign -> fact("Load recorded by", String.join(", ", foreign.sources())));
    }

    private void machine(RunInfo info) {
        fact(
                "Host",
                info.remote().map(remote -> remote.name() + ": ").orElse("")
                        + info.host().cpuModel() + ", "
                        + Show.plural(info.host().cpus(), "CPU") + ", "
                        + Show.three(info.host().memoryBytes() / (double) (1L << 30)) + " GiB memory");
        fact("Kernel", info.host().kernel() + "; scheduler " + info.host().scheduler());
        if (!info.host().settings().isEmpty()) {
            fact(
                    "Machine",
                    info.host().settings().entrySet().stream()
                            .map(setting -> setting.getKey() + "\u00a0" + setting.getValue())
                            .collect(Collectors.joining("; ")));
        }
        fact("CPUs", Facts.cpus(info.cpus()));
    }

    private void jvm(RunInfo info) {
        fact("JVM", info.jvm().map(Machine.JvmInfo::text).orElse("no JVM was seen"));
        code("Launch command", Facts.argument(String.join(" ", Facts.command(info.command()))));
        info.jvm()
                .filter(jvm -> !jvm.flags().isEmpty())
                .ifPresent(jvm -> code("JVM flags", Facts.argument(String.join(" ", jvm.flags()))));
        info.jvm()
                .filter(jvm -> !jvm.inForce().isEmpty())
                .ifPresent(jvm -> code("JVM flags also in force", Facts.argument(String.join(" ", jvm.inForce()))));
    }

    private void launch(RunInfo info) {
        if (!info.treatment().modifiers().isEmpty()) {
            fact("Modifiers", String.join(", ", info.treatment().modifiers()));
        }
        if (!info.course().startupPhases().isEmpty()) {
            fact(
                    "Start of the JVM",
                    info.course().startupPhases().stream()
                            .map(phase -> phase.name() + " " + Show.digits(phase.nanos() / 1e6) + " ms")
                            .collect(Collectors.joining(", ")));
        }
        info.treatment().aot().ifPresent(aot -> fact("AOT cache", Facts.aot(aot)));
        if (!info.launch().environment().isEmpty()) {
            code(
                    "Environment added",
                    String.join(
                            " ",
                            Facts.environment(info.launch().environment()).entrySet().stream()
                                    .map(e -> e.getKey() + "=" + e.getValue())
                                    .toList()));
        }
    }

    /** Adds the facts of imported runs, whose launch nobody recorded. */
    private void imported(RunInfo info, Provenance foreign) {
        fact("Imported from", String.join(", ", foreign.sources()));
        if (info.host().cpus() > 0) {
            fact(
                    "Host",
                    Show.plural(info.host().cpus(), "CPU") + ", " + info.host().kernel());
        }
        info.load().rate().ifPresent(rate -> fact("Offered", Show.three(rate) + " requests per second"));
        if (info.launchEpochMillis() > 0) {
            fact(
                    "First record",
                    Instant.ofEpochMilli(info.launchEpochMillis()).truncatedTo(ChronoUnit.SECONDS) + " ("
                            + info.variant() + ", run " + info.run() + ")");
        }
        end(info);
    }

    private void end(RunInfo info) {
        fact("Kiln", info.kilnVersion());
        info.notRecorded().forEach(missing -> fact("Not recorded", missing.what() + ": " + missing.why()));
    }

    private static String constants(ExperimentResult result) {
        return Facts.constants(result.config()).stream()
                .map(c -> "<span>" + Html.escape(c.words()) + " <b>" + Html.escape(c.text()) + "</b></span>")
                .collect(Collectors.joining(
                        "\n",
                        "<details><summary>Constants of the analysis</summary><p class=\"constants\">",
                        "</p></details>\n"));
    }

    private void fact(String name, String value) {
        out.append(Html.term(name, Html.escape(value)));
    }

    private void code(String name, String value) {
        out.append(Html.term(name, Html.code(value)));
    }
}
