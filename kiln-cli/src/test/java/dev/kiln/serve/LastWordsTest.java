package dev.kiln.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.cli.Kiln;
import dev.kiln.cli.RecordedRuns;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.study.Experiments;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a viewer of a run gets at its end, before the server goes. */
@Timeout(60)
class LastWordsTest {
    @TempDir
    private Path folder;

    private final CountDownLatch judging = new CountDownLatch(1);
    private final CountDownLatch judged = new CountDownLatch(1);

    @BeforeEach
    void record() {
        Path live = folder.resolve("live");
        new RecordedRuns(live).variant(List.of("a"), "a", 1, 5, 1000);
        assertThat(Kiln.run("report", live.toString()).err()).isEmpty();
    }

    /** It is judged when the test says so. */
    private ExperimentResult judge(Item item) {
        judging.countDown();
        try {
            judged.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Experiments.assess(item.folder(), AnalysisConfig.defaults(), leftOut -> {});
    }

    private Live live() {
        Library library = new Library(folder);
        return new Live(library, library.item("live"), this::judge);
    }

    private static Thread watch(Live live, OutputStream out) {
        return Thread.startVirtualThread(() -> {
            try {
                live.write(out, 0);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Test
    void aViewerHasTheTimesOfTheReportHoweverLongTheseTake() throws InterruptedException {
        Live live = live();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Thread viewer = watch(live, out);
        judging.await();
        Thread closing = Thread.startVirtualThread(() -> awaitViewers(live, Duration.ofSeconds(50)));

        assertThat(closing.join(Duration.ofMillis(100))).as("it waits").isFalse();
        judged.countDown();
        closing.join();
        viewer.join();
        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("event: reported\n")
                .endsWith("event: over\ndata: {\"state\":\"finished\"}\n\n:\n\n");
    }

    @Test
    void aViewerWhoCannotHaveThemIsLeftAfterAWhile() throws InterruptedException {
        Live live = live();
        Thread viewer = watch(live, OutputStream.nullOutputStream());
        judging.await();

        awaitViewers(live, Duration.ofMillis(100));

        assertThat(viewer.isAlive()).as("it was not judged").isTrue();
        judged.countDown();
        viewer.join();
        awaitViewers(live, Duration.ofDays(1));
    }

    private static void awaitViewers(Live live, Duration most) {
        try {
            live.awaitViewers(System.nanoTime() + most.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
