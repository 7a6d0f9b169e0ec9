package dev.kiln.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.cli.Kiln;
import dev.kiln.cli.RecordedRuns;
import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.serve.WebServer.EventStream;
import dev.kiln.serve.WebServer.WebAnswer;
import dev.kiln.serve.WebServer.WebRequest;
import dev.kiln.stats.AnalysisConfig;
import dev.kiln.study.Experiments;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /** Another experiment goes on in the same folder, and somebody watches it: that held up the end of this one for 10 s. */
    @Test
    void whoeverWatchesAnotherExperimentIsNotWaitedFor() throws InterruptedException {
        new RecordedRuns(folder.resolve("other"), 60, 100, "EPYC", Outcome.RUNNING)
                .variant(List.of("a"), "a", 1, 5, 1000);
        Pages pages = new Pages(new Library(folder), leftOut -> {});
        CountDownLatch watching = new CountDownLatch(1);
        Thread viewer = watch(pages, "other", watching);
        watching.await();

        Thread closing = Thread.startVirtualThread(() -> pages.awaitViewers("live", Duration.ofSeconds(50)));
        assertThat(closing.join(Duration.ofSeconds(20)))
                .as("it waits for nobody")
                .isTrue();
        pages.awaitViewers("other", Duration.ofMillis(100));
        assertThat(viewer.isAlive()).isTrue();
    }

    private static Thread watch(Pages pages, String id, CountDownLatch watching) {
        WebAnswer answer = pages.answer(new WebRequest("/live/" + id, Map.of(), Optional.empty()));
        OutputStream out = new OutputStream() {
            @Override
            public void write(int one) {
                watching.countDown();
            }
        };
        return Thread.startVirtualThread(() -> {
            try {
                ((EventStream) answer).writer().write(out);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private static void awaitViewers(Live live, Duration most) {
        try {
            live.awaitViewers(System.nanoTime() + most.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
