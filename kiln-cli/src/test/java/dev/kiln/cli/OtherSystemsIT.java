package dev.kiln.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kiln in a JVM that says that it is on macOS. The files and processes are those of this machine all the same. */
class OtherSystemsIT {
    @TempDir
    Path folder;

    @BeforeEach
    void record() throws Exception {
        List<String> variants = List.of("slow", "fast");
        new RecordedRuns(folder.resolve("results"))
                .variant(variants, "slow", 3, 100, 1000)
                .variant(variants, "fast", 3, 5, 1000);
    }

    private Kiln onMacOs(String command) throws Exception {
        List<String> words = new ArrayList<>(List.of(command.split(" ", -1)));
        words.replaceAll(
                word -> word.equals("RESULTS") ? folder.resolve("results").toString() : word);
        return Kiln.started(List.of(), List.of("-Dos.name=Mac OS X"), Map.of(), words.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "report RESULTS",
                "explain RESULTS",
                "compare RESULTS",
                "history RESULTS",
                "analyze ../docs/examples/series.csv",
                "import ../docs/examples/series.csv --map phase=phase,requests=requests,bin=1s --variant checkout"
                        + " --results RESULTS",
                "gate --baseline ../docs/examples/before.csv --tolerance ../docs/examples/tolerances.yaml"
                        + " ../docs/examples/before.csv"
            })
    void whatReadsWorksThere(String command) throws Exception {
        Kiln ran = onMacOs(command);
        assertThat(ran.exit()).as(ran.out() + ran.err()).isIn(0, 5);
        assertThat(ran.out()).isNotEmpty();
        assertThat(ran.err()).doesNotContain("Linux", "a bug in Kiln");
    }

    @ParameterizedTest
    @ValueSource(strings = {"doctor", "run --url http://localhost:1/ -- java -version"})
    void whatObservesSaysWhereItWorks(String command) throws Exception {
        Kiln ran = onMacOs(command);
        assertThat(ran.exit()).as(ran.out() + ran.err()).isEqualTo(3);
        assertThat(ran.err()).contains("on Linux, and this machine has Mac OS X", "results can be read here");
    }
}
