package dev.kiln.report;

import dev.kiln.explain.Forecast;
import dev.kiln.explain.LiveFigures;
import dev.kiln.model.JitSample;
import dev.kiln.model.LiveProcess;
import dev.kiln.model.RunInfo.NotRecorded;
import java.io.StringWriter;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** {@code kiln doctor --json}. */
public final class DoctorJson {
    private final JsonOut out;

    private DoctorJson(JsonOut out) {
        this.out = out;
    }

    /** One JVM, over several lines. */
    public static String render(DoctorSubject subject) {
        StringWriter text = new StringWriter();
        try (JsonOut out = JsonOut.pretty(text)) {
            out.object(() -> new DoctorJson(out).subject(subject));
        }
        return text.append('\n').toString();
    }

    /** After a remedy, with what it was before. */
    public static String render(DoctorSubject after, DoctorSubject before) {
        StringWriter text = new StringWriter();
        try (JsonOut out = JsonOut.pretty(text)) {
            out.object(() -> {
                new DoctorJson(out).subject(after);
                out.object("before", () -> {
                    out.text("state", before.diagnosis().state().text());
                    out.text("reason", before.diagnosis().reason());
                    out.object(
                            "figures",
                            () -> new DoctorJson(out).figures(before.diagnosis().figures()));
                });
            });
        }
        return text.append('\n').toString();
    }

    /** All JVMs that were found. */
    public static String render(List<DoctorSubject> subjects) {
        StringWriter text = new StringWriter();
        try (JsonOut out = JsonOut.pretty(text)) {
            out.object(() -> out.array(
                    "jvms", () -> subjects.forEach(one -> out.object(() -> new DoctorJson(out).subject(one)))));
        }
        return text.append('\n').toString();
    }

    private void subject(DoctorSubject subject) {
        out.integer("pid", subject.process().pid());
        out.text("state", subject.diagnosis().state().text());
        out.text("reason", subject.diagnosis().reason());
        out.object("process", () -> process(subject.process()));
        out.object("figures", () -> figures(subject.diagnosis().figures()));
        ExplanationJson explanation = new ExplanationJson(out);
        out.array(
                "findings",
                () -> subject.diagnosis().findings().forEach(f -> out.object(() -> explanation.finding(f))));
        subject.diagnosis()
                .forecast()
                .ifPresentOrElse(left -> out.object("forecast", () -> forecast(left)), () -> out.nothing("forecast"));
        out.array("notRecorded", () -> subject.notRecorded().forEach(gap -> out.object(() -> gap(gap))));
    }

    private void process(LiveProcess process) {
        out.text("command", process.command());
        out.text("user", process.user());
        out.text("container", process.container().orElse(""));
        out.integer("innerPid", process.innerPid());
        out.integer("threads", process.threads());
        out.number("ageSeconds", process.ageSeconds(), 1);
    }

    private void figures(LiveFigures f) {
        out.number("seconds", f.seconds(), 1);
        out.number("targetCpu", f.targetCpu(), 4);
        out.number("programCpu", f.programCpu(), 4);
        out.number("c2Cpu", f.c2Cpu(), 4);
        out.number("c2Wait", f.c2Wait(), 4);
        out.number("c2WaitRatio", f.c2WaitRatio(), 4);
        out.number("c1Cpu", f.c1Cpu(), 4);
        out.number("c1Wait", f.c1Wait(), 4);
        out.number("compileEfficiency", f.efficiency(), 4);
        out.number("compilationsPerSecond", f.compilationsPerSecond(), 2);
        out.number("c1Queue", real(f.c1Queue()), 0);
        out.number("c2Queue", real(f.c2Queue()), 0);
        f.levels().ifPresentOrElse(levels -> out.object("methods", () -> levels(levels)), () -> out.nothing("methods"));
        out.number("level4PerSecond", f.level4Growth(), 2);
        out.number("throttled", f.throttled(), 4);
    }

    private void levels(JitSample.Levels levels) {
        out.integer("level1", levels.level1());
        out.integer("level2", levels.level2());
        out.integer("level3", levels.level3());
        out.integer("level4", levels.level4());
    }

    private void forecast(Forecast forecast) {
        out.number("c2Share", forecast.c2Share(), 4);
        out.number("c2NeedsAtLeastSeconds", forecast.low() - forecast.atSecond(), 1);
    }

    private void gap(NotRecorded gap) {
        out.text("what", gap.what());
        out.text("why", gap.why());
    }

    private static OptionalDouble real(OptionalInt value) {
        return value.isPresent() ? OptionalDouble.of(value.getAsInt()) : OptionalDouble.empty();
    }
}
