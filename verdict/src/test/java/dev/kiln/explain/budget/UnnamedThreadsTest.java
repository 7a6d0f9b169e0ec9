package dev.kiln.explain.budget;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.budget.BudgetKit.budget;
import static dev.kiln.explain.budget.BudgetKit.sum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.explain.Service;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.CompilerSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A JVM of Java 8 that a script became: the kernel has no names of its threads but those of the programs. */
class UnnamedThreadsTest {
    /** @param compiled ns of compilation in each second */
    private static RunEvidence unnamed(long compiled) {
        RunEvidence evidence = Service.healthy().evidence();
        RunEvidence.JvmEvidence jvm = evidence.jvm();
        List<ThreadSample> threads = jvm.threads().stream()
                .map(thread -> new ThreadSample(
                        thread.timeNanos(),
                        thread.tid(),
                        thread.tid() % 2 == 0 ? "java" : "sh",
                        ThreadRole.OTHER,
                        thread.cpuNanos(),
                        thread.waitNanos(),
                        thread.slices(),
                        thread.voluntarySwitches(),
                        thread.involuntarySwitches(),
                        thread.state()))
                .toList();
        List<CompilerSample> compiler = IntStream.rangeClosed(0, 105)
                .mapToObj(second -> new CompilerSample(second * SECOND, 0, 0, second * compiled, 0, 0, 0))
                .toList();
        return new RunEvidence(
                evidence.info(),
                evidence.sent(),
                new RunEvidence.JvmEvidence(
                        threads,
                        compiler,
                        jvm.jit(),
                        jvm.blocked(),
                        jvm.flight(),
                        jvm.collections(),
                        jvm.classes(),
                        List.of()),
                evidence.machine(),
                evidence.gaps());
    }

    @Test
    void whatRequestsRanIsNotKnownWhileCompilersWork() {
        Budget budget = budget(unnamed(SECOND / 2), 55, 70);

        assertThat(budget.missing()).contains(BudgetPart.RUNNING, BudgetPart.KERNEL, BudgetPart.CPU_WAIT);
        assertThat(sum(budget)).isCloseTo(100, within(0.1));
    }

    @Test
    void compilersThatAreDoneHideNothing() {
        assertThat(budget(unnamed(SECOND / 1000), 55, 70).missing()).doesNotContain(BudgetPart.RUNNING);
    }
}
