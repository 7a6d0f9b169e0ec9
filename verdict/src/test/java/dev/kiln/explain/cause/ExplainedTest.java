package dev.kiln.explain.cause;

import static dev.kiln.explain.HandMade.seconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.Service;
import dev.kiln.model.run.Finding;
import org.junit.jupiter.api.Test;

/** What a confirmed cause takes of the time of a request, and how much of what it took longer. */
class ExplainedTest {
    private static String last(Finding finding) {
        return finding.evidence().getLast().text();
    }

    @Test
    void aCauseSaysWhatItTakesAndHowMuchOfTheDifferenceItExplains() {
        // 200 ms at the end, 100 ms after the pause. Collections take 30 % of the time, and then 10 %.
        Service service = Service.of(seconds(60, 500), 1000);
        service.collectionShare = 0.3;
        service.collectionShareAfter = 0.1;
        service.safepointShare = 0.31;

        assertThat(last(service.finding("heap-too-small")))
                .isEqualTo(
                        "of the 200 ms of a request, 60.0 ms were stopped by collections; after the pause 10.0 of 100 ms:"
                                + " that can explain 50.0 of the 100 ms that it took longer");
    }

    @Test
    void whereARequestTakesNoLongerNothingIsExplained() {
        Service service = Service.healthy();
        service.collectionShare = 0.3;
        service.safepointShare = 0.31;

        assertThat(last(service.finding("heap-too-small"))).doesNotContain("of a request");
    }

    @Test
    void theCauseThatExplainsMoreComesFirst() {
        // Of 200 ms 80 wait for a CPU, after the pause none; collections take the same share in both.
        Service service = Service.of(seconds(60, 500), 1000).starved();
        service.workerWait = 40;
        service.targetWait = 40;
        service.targetWaitAfter = 0.5;
        service.waitsUntil = 70;
        service.collectionShare = 0.99;
        service.safepointShare = 0.1;

        assertThat(service.held()).startsWith("c2-starved", "too-many-runnable").contains("heap-too-small");
        // Both wait for the same CPU: what one explains the other explains as well, and not once more.
        assertThat(last(service.finding("c2-starved"))).doesNotContain("together");
        assertThat(last(service.finding("too-many-runnable")))
                .endsWith("that it took longer, together with \"C2 starved of CPU\", which has the same ms");
    }
}
