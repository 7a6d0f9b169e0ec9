package dev.kiln.report.json;

import dev.kiln.explain.LiveDiagnosis.LiveState;
import dev.kiln.explain.LiveFigures;
import dev.kiln.model.LiveProcess;
import dev.kiln.model.LiveProcess.Pod;
import dev.kiln.report.DoctorSubject;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** What the doctor sees, in the text format of OpenMetrics 1.0. A value that is not known is left out. */
public final class DoctorMetrics {
    private final StringBuilder out = new StringBuilder();
    private final List<DoctorSubject> subjects;
    private final Function<LiveProcess, String> labels;

    private DoctorMetrics(List<DoctorSubject> subjects, Function<LiveProcess, String> labels) {
        this.subjects = subjects;
        this.labels = labels;
    }

    /** Of one JVM, without labels that tell it from others. */
    public static String render(DoctorSubject subject) {
        DoctorMetrics metrics = new DoctorMetrics(List.of(subject), process -> "");
        metrics.jvms();
        return metrics.end();
    }

    /**
     * Of all JVMs of a machine, each with its pid, command, container and pod.
     *
     * @param roundSeconds that the last look at all of them took
     * @param ownCpuSeconds of Kiln since its start
     */
    public static String render(List<DoctorSubject> subjects, double roundSeconds, double ownCpuSeconds) {
        DoctorMetrics metrics = new DoctorMetrics(subjects, DoctorMetrics::identity);
        metrics.counts();
        metrics.jvms();
        metrics.head("kiln_doctor_round_seconds", "gauge", "Time that the last look at all JVMs took.");
        metrics.sample("kiln_doctor_round_seconds", "", roundSeconds);
        metrics.head("kiln_doctor_cpu_seconds", "counter", "CPU time of kiln doctor itself.");
        metrics.sample("kiln_doctor_cpu_seconds_total", "", ownCpuSeconds);
        return metrics.end();
    }

    private static String identity(LiveProcess process) {
        List<String> pairs = new ArrayList<>();
        pairs.add(pair("pid", Long.toString(process.pid())));
        pairs.add(pair("command", process.command()));
        process.container().ifPresent(id -> pairs.add(pair("container_id", id)));
        process.pod().map(Pod::uid).ifPresent(uid -> pairs.add(pair("pod_uid", uid)));
        process.pod().flatMap(Pod::name).ifPresent(name -> pairs.add(pair("pod", name)));
        process.pod().flatMap(Pod::namespace).ifPresent(name -> pairs.add(pair("namespace", name)));
        return String.join(",", pairs);
    }

    private static String pair(String name, String value) {
        return name + "=\"" + value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
    }

    private void counts() {
        Map<LiveState, Integer> counts = new TreeMap<>();
        subjects.forEach(subject -> counts.merge(subject.diagnosis().state(), 1, Integer::sum));
        head("kiln_jvms", "gauge", "JVMs on this machine by state.");
        for (LiveState state : LiveState.values()) {
            sample("kiln_jvms", pair("state", state.text()), counts.getOrDefault(state, 0));
        }
    }

    private void jvms() {
        each("kiln_jvm_warm", "gauge", "1 when the JVM works and its JIT compilers have nothing left to do.", subject ->
                sample("kiln_jvm_warm", of(subject), subject.diagnosis().state() == LiveState.WARM ? 1 : 0));
        each("kiln_jvm_state", "stateset", "State of the JVM, judged by its compilers.", subject -> {
            for (LiveState one : LiveState.values()) {
                sample(
                        "kiln_jvm_state",
                        and(of(subject), pair("kiln_jvm_state", one.text())),
                        one == subject.diagnosis().state() ? 1 : 0);
            }
        });
        each("kiln_jvm_age_seconds", "gauge", "Time since the JVM's start.", subject ->
                sample("kiln_jvm_age_seconds", of(subject), subject.process().ageSeconds()));
        known("kiln_jvm_cpu_cores", "CPUs that the process uses.", LiveFigures::targetCpu);
        known("kiln_jvm_c2_cpu_cores", "CPUs that the C2 threads use.", LiveFigures::c2Cpu);
        known("kiln_jvm_c2_waiting_threads", "C2 threads waiting for a CPU, on average.", LiveFigures::c2Wait);
        known("kiln_jvm_c2_wait_ratio", "Wait of C2 over its CPU and wait.", LiveFigures::c2WaitRatio);
        known(
                "kiln_jvm_compile_efficiency_ratio",
                "CPU time of the compilers over compile time.",
                LiveFigures::efficiency);
        known("kiln_jvm_compilations_per_second", "Compilations that ended.", LiveFigures::compilationsPerSecond);
        each("kiln_jvm_compile_queue_methods", "gauge", "Methods that wait to be compiled.", subject -> {
            queue(subject, "C1", figures(subject).c1Queue());
            queue(subject, "C2", figures(subject).c2Queue());
        });
        each("kiln_jvm_compiled_methods", "gauge", "Compiled methods in use by level: 4 is C2, 1 to 3 are C1.", subject ->
                figures(subject).levels().ifPresent(levels -> {
                    level(subject, 1, levels.level1());
                    level(subject, 2, levels.level2());
                    level(subject, 3, levels.level3());
                    level(subject, 4, levels.level4());
                }));
        known(
                "kiln_jvm_throttled_ratio",
                "Periods in which a CPU limit held the process back.",
                LiveFigures::throttled);
    }

    private void queue(DoctorSubject subject, String compiler, OptionalInt length) {
        length.ifPresent(methods ->
                sample("kiln_jvm_compile_queue_methods", and(of(subject), pair("compiler", compiler)), methods));
    }

    private void level(DoctorSubject subject, int level, int methods) {
        sample("kiln_jvm_compiled_methods", and(of(subject), pair("level", Integer.toString(level))), methods);
    }

    private static LiveFigures figures(DoctorSubject subject) {
        return subject.diagnosis().figures();
    }

    private void known(String name, String help, Function<LiveFigures, OptionalDouble> value) {
        each(name, "gauge", help, subject -> value.apply(figures(subject))
                .ifPresent(known -> sample(name, of(subject), known)));
    }

    /** All samples of a name stand together, under one head; without a sample there is none. */
    private void each(String name, String type, String help, Consumer<DoctorSubject> samples) {
        int begin = out.length();
        head(name, type, help);
        int headed = out.length();
        subjects.forEach(samples);
        if (out.length() == headed) {
            out.setLength(begin);
        }
    }

    private void head(String name, String type, String help) {
        out.append("# TYPE ").append(name).append(' ').append(type).append('\n');
        for (String unit : new String[] {"seconds", "cores", "threads", "ratio", "methods"}) {
            if (name.endsWith("_" + unit) && !name.endsWith("per_second")) {
                out.append("# UNIT ").append(name).append(' ').append(unit).append('\n');
            }
        }
        out.append("# HELP ").append(name).append(' ').append(help).append('\n');
    }

    private String of(DoctorSubject subject) {
        return labels.apply(subject.process());
    }

    private static String and(String labels, String pair) {
        return labels.isEmpty() ? pair : labels + "," + pair;
    }

    private void sample(String name, String labels, double value) {
        String digits = value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : BigDecimal.valueOf(value).toPlainString();
        out.append(name)
                .append(labels.isEmpty() ? "" : "{" + labels + "}")
                .append(' ')
                .append(digits)
                .append('\n');
    }

    private String end() {
        return out.append("# EOF\n").toString();
    }
}
