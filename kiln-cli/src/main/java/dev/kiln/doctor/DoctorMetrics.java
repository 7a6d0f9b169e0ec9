package dev.kiln.doctor;

import dev.kiln.doctor.LiveDiagnosis.LiveState;
import dev.kiln.doctor.Watch.DoctorSubject;
import dev.kiln.model.Controls;
import dev.kiln.model.LiveProcess;
import dev.kiln.model.LiveProcess.Pod;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * DoctorMetrics are the doctor's diagnoses as metrics: {@link #text} for Prometheus, {@link MetricsPush.OtlpMetrics}
 * for OpenTelemetry. A value that is not known is left out.
 */
public final class DoctorMetrics {
    private final List<MetricFamily> families = new ArrayList<>();
    private final List<DoctorSubject> subjects;
    private final Function<LiveProcess, Map<String, String>> labels;

    enum MetricKind {
        GAUGE,
        STATESET,
        COUNTER
    }

    record MetricFamily(String name, MetricKind kind, String help, List<MetricPoint> points) {
        /** Returns the unit at the end of the name, which is one of OpenMetrics; empty for a mere number. */
        String unit() {
            return name.endsWith("per_second")
                    ? ""
                    : List.of("seconds", "cores", "threads", "ratio", "methods").stream()
                            .filter(unit -> name.endsWith("_" + unit))
                            .findFirst()
                            .orElse("");
        }
    }

    record MetricPoint(Map<String, String> labels, double value) {}

    private DoctorMetrics(List<DoctorSubject> subjects, Function<LiveProcess, Map<String, String>> labels) {
        this.subjects = subjects;
        this.labels = labels;
    }

    /** Returns no metrics, for the time before the first diagnosis. */
    public static DoctorMetrics none() {
        return new DoctorMetrics(List.of(), process -> Map.of());
    }

    /** Returns the metrics of one JVM, without labels that would distinguish it from others. */
    public static DoctorMetrics of(DoctorSubject subject) {
        DoctorMetrics metrics = new DoctorMetrics(List.of(subject), process -> Map.of());
        metrics.jvms();
        return metrics;
    }

    /**
     * Returns the metrics of all JVMs of a machine, each with its pid, command, container and pod.
     *
     * @param roundSeconds that the last look at all of them took
     * @param ownCpuSeconds of Kiln since its start
     */
    public static DoctorMetrics of(List<DoctorSubject> subjects, double roundSeconds, double ownCpuSeconds) {
        DoctorMetrics metrics = new DoctorMetrics(subjects, DoctorMetrics::identity);
        metrics.counts();
        metrics.jvms();
        metrics.single(
                "kiln_doctor_round_seconds",
                MetricKind.GAUGE,
                "Time that the last look at all JVMs took.",
                roundSeconds);
        metrics.single("kiln_doctor_cpu_seconds", MetricKind.COUNTER, "CPU time of kiln doctor itself.", ownCpuSeconds);
        return metrics;
    }

    List<MetricFamily> families() {
        return families;
    }

    private static Map<String, String> identity(LiveProcess process) {
        Map<String, String> labels = new LinkedHashMap<>();
        labels.put("pid", Long.toString(process.pid()));
        labels.put("command", process.command());
        process.container().ifPresent(id -> labels.put("container_id", id));
        process.pod().map(Pod::uid).ifPresent(uid -> labels.put("pod_uid", uid));
        process.pod().flatMap(Pod::name).ifPresent(name -> labels.put("pod", name));
        process.pod().flatMap(Pod::namespace).ifPresent(name -> labels.put("namespace", name));
        return labels;
    }

    private void counts() {
        Map<LiveState, Integer> counts = new TreeMap<>();
        subjects.forEach(subject -> counts.merge(subject.diagnosis().state(), 1, Integer::sum));
        List<MetricPoint> points = new ArrayList<>();
        for (LiveState state : LiveState.values()) {
            points.add(new MetricPoint(Map.of("state", state.text()), counts.getOrDefault(state, 0)));
        }
        families.add(new MetricFamily("kiln_jvms", MetricKind.GAUGE, "JVMs on this machine by state.", points));
    }

    private void jvms() {
        each(
                "kiln_jvm_warm",
                MetricKind.GAUGE,
                "1 when the JVM works and its JIT compilers have nothing left to do.",
                subject -> List.of(point(subject, subject.diagnosis().state() == LiveState.WARM ? 1 : 0)));
        each(
                "kiln_jvm_state",
                MetricKind.STATESET,
                "State of the JVM, judged by its compilers.",
                subject -> List.of(LiveState.values()).stream()
                        .map(state -> point(
                                subject,
                                "kiln_jvm_state",
                                state.text(),
                                state == subject.diagnosis().state() ? 1 : 0))
                        .toList());
        each(
                "kiln_jvm_age_seconds",
                MetricKind.GAUGE,
                "Time since the JVM's start.",
                subject -> List.of(point(subject, subject.process().ageSeconds())));
        known("kiln_jvm_cpu_cores", "CPUs that the process uses.", LiveFigures::targetCpu);
        compilers();
        known(
                "kiln_jvm_throttled_ratio",
                "Periods in which a CPU limit held the process back.",
                LiveFigures::throttled);
    }

    private void compilers() {
        known(
                "kiln_jvm_c2_cpu_cores",
                "CPUs that the C2 threads use.",
                figures -> figures.c2().cpu());
        known(
                "kiln_jvm_c2_waiting_threads",
                "C2 threads waiting for a CPU, on average.",
                figures -> figures.c2().waiting());
        known(
                "kiln_jvm_c2_wait_ratio",
                "Wait of C2 over its CPU and wait.",
                figures -> figures.c2().waitRatio());
        known(
                "kiln_jvm_compile_efficiency_ratio",
                "CPU time of the compilers over compile time.",
                figures -> figures.compilation().efficiency());
        known(
                "kiln_jvm_compilations_per_second",
                "Compilations that ended.",
                figures -> figures.compilation().perSecond());
        each("kiln_jvm_compile_queue_methods", MetricKind.GAUGE, "Methods that wait to be compiled.", this::queues);
        each(
                "kiln_jvm_compiled_methods",
                MetricKind.GAUGE,
                "Compiled methods in use by level: 4 is C2, 1 to 3 are C1.",
                this::levels);
    }

    private List<MetricPoint> queues(DoctorSubject subject) {
        List<MetricPoint> points = new ArrayList<>();
        OptionalInt c1 = figures(subject).c1().queue();
        OptionalInt c2 = figures(subject).c2().queue();
        c1.ifPresent(methods -> points.add(point(subject, "compiler", "C1", methods)));
        c2.ifPresent(methods -> points.add(point(subject, "compiler", "C2", methods)));
        return points;
    }

    private List<MetricPoint> levels(DoctorSubject subject) {
        return figures(subject)
                .compilation()
                .levels()
                .map(levels -> List.of(
                        point(subject, "level", "1", levels.level1()),
                        point(subject, "level", "2", levels.level2()),
                        point(subject, "level", "3", levels.level3()),
                        point(subject, "level", "4", levels.level4())))
                .orElse(List.of());
    }

    private static LiveFigures figures(DoctorSubject subject) {
        return subject.diagnosis().figures();
    }

    private MetricPoint point(DoctorSubject subject, double value) {
        return new MetricPoint(labels.apply(subject.process()), value);
    }

    private MetricPoint point(DoctorSubject subject, String label, String of, double value) {
        Map<String, String> more = new LinkedHashMap<>(labels.apply(subject.process()));
        more.put(label, of);
        return new MetricPoint(more, value);
    }

    private void known(String name, String help, Function<LiveFigures, OptionalDouble> value) {
        each(
                name,
                MetricKind.GAUGE,
                help,
                subject -> value.apply(figures(subject)).stream()
                        .mapToObj(known -> point(subject, known))
                        .toList());
    }

    private void single(String name, MetricKind kind, String help, double value) {
        families.add(new MetricFamily(name, kind, help, List.of(new MetricPoint(Map.of(), value))));
    }

    private void each(String name, MetricKind kind, String help, Function<DoctorSubject, List<MetricPoint>> of) {
        List<MetricPoint> points =
                subjects.stream().flatMap(subject -> of.apply(subject).stream()).toList();
        if (!points.isEmpty()) {
            families.add(new MetricFamily(name, kind, help, points));
        }
    }

    /** Returns the text format of OpenMetrics 1.0. */
    public String text() {
        StringBuilder out = new StringBuilder();
        for (MetricFamily family : families) {
            String name = family.name();
            out.append("# TYPE ").append(name).append(' ');
            out.append(family.kind().name().toLowerCase(Locale.ROOT)).append('\n');
            if (!family.unit().isEmpty()) {
                out.append("# UNIT ")
                        .append(name)
                        .append(' ')
                        .append(family.unit())
                        .append('\n');
            }
            out.append("# HELP ").append(name).append(' ').append(family.help()).append('\n');
            for (MetricPoint point : family.points()) {
                out.append(name).append(family.kind() == MetricKind.COUNTER ? "_total" : "");
                out.append(text(point.labels())).append(' ');
                out.append(digits(point.value())).append('\n');
            }
        }
        return out.append("# EOF\n").toString();
    }

    private static String text(Map<String, String> labels) {
        return labels.isEmpty()
                ? ""
                : labels.entrySet().stream()
                        .map(label -> label.getKey() + "=\""
                                + Controls.text(label.getValue())
                                        .replace("\\", "\\\\")
                                        .replace("\"", "\\\"")
                                        .replace("\n", "\\n")
                                + "\"")
                        .collect(Collectors.joining(",", "{", "}"));
    }

    private static String digits(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : BigDecimal.valueOf(value).toPlainString();
    }
}
