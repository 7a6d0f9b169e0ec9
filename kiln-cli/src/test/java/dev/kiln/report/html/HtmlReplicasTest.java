package dev.kiln.report.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.Service;
import dev.kiln.explain.study.Assessment;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.stats.AnalysisConfig;
import java.util.List;
import org.junit.jupiter.api.Test;

class HtmlReplicasTest {
    private static String html(Service first, Service second) {
        RunEvidence run = first.evidence();
        RunEvidence other = second.evidence();
        Assessment assessment = new Assessment(AnalysisConfig.defaults());
        assessment.add(run.with(List.of(run.replica(other.info(), other.jvm(), other.machine())), List.of()));
        return new HtmlReplicas(assessment.result("two")).html();
    }

    /** Its C2 threads, so many, each run for half of the time and wait for the other half. */
    private static Service busy(int threads) {
        Service service = Service.healthy();
        service.c2Cpu = 0.5;
        service.c2Wait = 0.5;
        service.c2Threads = threads;
        return service;
    }

    /** Each had its own: a C2 that wanted one CPU looked like one that wanted two. */
    @Test
    void allPicturesHaveOneScale() {
        assertThat(html(busy(1), busy(2)))
                .contains("The pictures share one scale: their height is 2.0 CPUs.")
                // 28 pixels are 2 CPUs.
                .contains("height=\"7.0\"", "height=\"14.0\"");
        assertThat(html(Service.healthy(), Service.healthy())).contains("their height is 1.0 CPUs.");
    }

    /** A kernel without CONFIG_SCHED_INFO has zeros for all waits. */
    @Test
    void aWaitThatWasNotRecordedIsNoZero() {
        Service without = Service.healthy();
        without.c2Wait = 0;
        without.workerWait = 0;
        assertThat(html(Service.healthy(), without)).contains("<td>1.0</td><td>\u2013</td><td>\u2013</td>");
    }
}
