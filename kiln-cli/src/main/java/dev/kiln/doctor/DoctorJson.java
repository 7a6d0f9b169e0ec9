package dev.kiln.doctor;

import dev.kiln.doctor.Watch.DoctorSubject;
import dev.kiln.explain.Forecaster.Forecast;
import dev.kiln.model.LiveProcess;
import dev.kiln.model.LiveProcess.Pod;
import dev.kiln.model.run.JitState;
import dev.kiln.report.JsonOut;
import dev.kiln.report.json.ExplanationJson;
import dev.kiln.report.json.ExplanationJson.BudgetJson;
import dev.kiln.report.json.HowJson;
import java.util.List;

/** DoctorJson writes {@code kiln doctor --json}. */
public record DoctorJson(JsonOut out) {
    public static String render(DoctorSubject subject) {
        return JsonOut.render(out -> new DoctorJson(out).subject(subject));
    }

    /** Returns the diagnosis after a fix, with the one before it under {@code before}. */
    public static String render(DoctorSubject after, DoctorSubject before) {
        return JsonOut.render(out -> {
            DoctorJson json = new DoctorJson(out);
            json.subject(after);
            out.object("before", () -> {
                out.text("state", before.diagnosis().state().text());
                out.text("reason", before.diagnosis().reason());
                out.object("figures", () -> json.figures(before.diagnosis().figures()));
            });
        });
    }

    /** Returns all JVMs that were found. */
    public static String render(List<DoctorSubject> subjects) {
        return JsonOut.render(out -> out.objects("jvms", subjects, new DoctorJson(out)::subject));
    }

    private void subject(DoctorSubject subject) {
        out.integer("pid", subject.process().pid());
        out.text("state", subject.diagnosis().state().text());
        out.text("reason", subject.diagnosis().reason());
        out.object("process", () -> process(subject.process()));
        out.object("budget", subject.diagnosis().budget(), new BudgetJson(out)::live);
        out.object("figures", () -> figures(subject.diagnosis().figures()));
        new ExplanationJson(out).findings(subject.diagnosis().findings());
        out.object("forecast", subject.diagnosis().forecast(), this::forecast);
        HowJson.notRecorded(out, subject.notRecorded());
    }

    private void process(LiveProcess process) {
        out.text("command", process.command());
        out.text("user", process.user());
        out.text("container", process.container().orElse(""));
        out.object("pod", process.pod(), this::pod);
        out.integer("innerPid", process.innerPid());
        out.integer("threads", process.threads());
        out.number("ageSeconds", process.ageSeconds(), 1);
    }

    private void pod(Pod pod) {
        out.text("uid", pod.uid());
        out.text("name", pod.name().orElse(""));
        out.text("namespace", pod.namespace().orElse(""));
    }

    private void figures(LiveFigures f) {
        out.number("seconds", f.seconds(), 1);
        out.number("targetCpu", f.targetCpu(), 4);
        out.number("programCpu", f.programCpu(), 4);
        out.number("c2Cpu", f.c2().cpu(), 4);
        out.number("c2Wait", f.c2().waiting(), 4);
        out.number("c2WaitRatio", f.c2().waitRatio(), 4);
        out.number("c1Cpu", f.c1().cpu(), 4);
        out.number("c1Wait", f.c1().waiting(), 4);
        out.number("compileEfficiency", f.compilation().efficiency(), 4);
        out.number("compilationsPerSecond", f.compilation().perSecond(), 2);
        out.integer("c1Queue", f.c1().queue());
        out.integer("c2Queue", f.c2().queue());
        out.object("methods", f.compilation().levels(), this::levels);
        out.number("level4PerSecond", f.compilation().level4Growth(), 2);
        out.number("throttled", f.throttled(), 4);
    }

    private void levels(JitState.CodeLevels levels) {
        out.integer("level1", levels.level1());
        out.integer("level2", levels.level2());
        out.integer("level3", levels.level3());
        out.integer("level4", levels.level4());
    }

    private void forecast(Forecast forecast) {
        out.number("c2Share", forecast.c2Share(), 4);
        out.number("c2NeedsAtLeastSeconds", forecast.low() - forecast.atSecond(), 1);
    }
}
