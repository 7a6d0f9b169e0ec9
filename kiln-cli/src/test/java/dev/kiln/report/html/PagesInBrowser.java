package dev.kiln.report.html;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.kiln.evidence.StudyFile;
import dev.kiln.serve.Served;
import dev.kiln.startup.StartupSamples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** PagesInBrowser are those of {@code kiln serve} as a browser has them. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class PagesInBrowser {
    Path results = Path.of("");
    Path starts = Path.of("");
    Path search = Path.of("");
    Path compiling = Path.of("");
    Optional<Chromium> browser = Optional.empty();

    @BeforeAll
    void launch(@TempDir Path folder, @TempDir Path other, @TempDir Path tune, @TempDir Path compiles)
            throws IOException {
        results = folder;
        starts = other;
        search = tune;
        compiling = compiles;
        Optional<Path> program = Chromium.find();
        assumeTrue(program.isPresent(), Chromium.ABSENT);
        browser = Optional.of(Chromium.launch(program.get()));
        Served.judged(results.resolve("one"), "platform", "virtual");
        Served.judged(results.resolve("two"), "platform", "virtual");
        StudyFile.STARTUP.write(Files.createDirectory(starts.resolve("starts")), StartupSamples.evidence());
        Served.search(search);
        compiles();
    }

    /** Runs whose C2 runs for 30 % of each second and waits for 50 %. */
    void compiles() throws IOException {
        Path variant = Served.judged(compiling.resolve("c2"), "platform").resolve("platform");
        StringBuilder threads =
                new StringBuilder("time_ns,tid,name,role,cpu_ns,wait_ns,slices,voluntary,involuntary\n");
        for (long second = 0; second <= 90; second++) {
            threads.append(second * 1_000_000_000L + 1)
                    .append(",7,C2 CompilerThre,C2,%d,%d,1,1,1\n"
                            .formatted(second * 300_000_000L, second * 500_000_000L));
        }
        for (String run : List.of("1", "2", "3")) {
            Files.writeString(variant.resolve(run).resolve("threads.csv"), threads.toString());
        }
    }

    @AfterAll
    void close() {
        browser.ifPresent(Chromium::close);
    }

    BrowserPage open(Served served, String path) {
        return browser.orElseThrow().page(1200, 900).open(served.url(path));
    }

    static void untilOver(BrowserPage page) {
        for (int i = 0; i < 200 && !page.eval("over").asString().equals("finished"); i++) {
            page.settled();
        }
        page.settled();
    }
}
