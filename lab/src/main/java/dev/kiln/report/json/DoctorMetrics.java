package dev.kiln.report.json;

import dev.kiln.explain.LiveDiagnosis.LiveState;
import dev.kiln.explain.LiveFigures;
import dev.kiln.report.DoctorSubject;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** What the doctor sees, in the text format of OpenMetrics 1.0. A value that is not known is left out. */
public final class DoctorMetrics {
    private final StringBuilder out = new StringBuilder();

    private DoctorMetrics() {}

    public static String render(DoctorSubject subject) {
        return new DoctorMetrics().text(subject);
    }

    private String text(DoctorSubject subject) {
        LiveState state = subject.diagnosis().state();
        LiveFigures f = subject.diagnosis().figures();
        gauge("kiln_jvm_warm", "1 when the JVM works and its JIT compilers have nothing left to do.");
        sample("kiln_jvm_warm", "", state == LiveState.WARM ? 1 : 0);
        out.append("# TYPE kiln_jvm_state stateset\n# HELP kiln_jvm_state State of the JVM, judged by its"
                + " compilers.\n");
        for (LiveState one : LiveState.values()) {
            sample("kiln_jvm_state", "{kiln_jvm_state=\"" + one.text() + "\"}", one == state ? 1 : 0);
        }
        one(
                "kiln_jvm_age_seconds",
                "Time since the JVM's start.",
                OptionalDouble.of(subject.process().ageSeconds()));
        one("kiln_jvm_cpu_cores", "CPUs that the process uses.", f.targetCpu());
        one("kiln_jvm_c2_cpu_cores", "CPUs that the C2 threads use.", f.c2Cpu());
        one("kiln_jvm_c2_waiting_threads", "C2 threads waiting for a CPU, on average.", f.c2Wait());
        one("kiln_jvm_c2_wait_ratio", "Wait of C2 over its CPU and wait.", f.c2WaitRatio());
        one("kiln_jvm_compile_efficiency_ratio", "CPU time of the compilers over compile time.", f.efficiency());
        one("kiln_jvm_compilations_per_second", "Compilations that ended.", f.compilationsPerSecond());
        queues(f);
        levels(f);
        one("kiln_jvm_throttled_ratio", "Periods in which a CPU limit held the process back.", f.throttled());
        return out.append("# EOF\n").toString();
    }

    private void queues(LiveFigures f) {
        if (f.c1Queue().isPresent() || f.c2Queue().isPresent()) {
            gauge("kiln_jvm_compile_queue_methods", "Methods that wait to be compiled.");
            queue("C1", f.c1Queue());
            queue("C2", f.c2Queue());
        }
    }

    private void queue(String compiler, OptionalInt length) {
        length.ifPresent(
                methods -> sample("kiln_jvm_compile_queue_methods", "{compiler=\"" + compiler + "\"}", methods));
    }

    private void levels(LiveFigures f) {
        f.levels().ifPresent(levels -> {
            String name = "kiln_jvm_compiled_methods";
            gauge(name, "Compiled methods in use by level: 4 is C2, 1 to 3 are C1.");
            sample(name, "{level=\"1\"}", levels.level1());
            sample(name, "{level=\"2\"}", levels.level2());
            sample(name, "{level=\"3\"}", levels.level3());
            sample(name, "{level=\"4\"}", levels.level4());
        });
    }

    private void one(String name, String help, OptionalDouble value) {
        value.ifPresent(known -> {
            gauge(name, help);
            sample(name, "", known);
        });
    }

    private void gauge(String name, String help) {
        out.append("# TYPE ").append(name).append(" gauge\n");
        for (String unit : new String[] {"seconds", "cores", "threads", "ratio", "methods"}) {
            if (name.endsWith("_" + unit) && !name.endsWith("per_second")) {
                out.append("# UNIT ").append(name).append(' ').append(unit).append('\n');
            }
        }
        out.append("# HELP ").append(name).append(' ').append(help).append('\n');
    }

    private void sample(String name, String labels, double value) {
        String digits = value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : BigDecimal.valueOf(value).toPlainString();
        out.append(name).append(labels).append(' ').append(digits).append('\n');
    }
}
