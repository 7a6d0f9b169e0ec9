package dev.kiln.results;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.cli.Kiln;
import dev.kiln.cli.RecordedRuns;
import dev.kiln.evidence.RunReader;
import dev.kiln.evidence.RunWriter;
import dev.kiln.model.run.Course.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportCommandTest {
    @TempDir
    private Path folder;

    private Kiln report(Outcome last) {
        new RecordedRuns(folder, 60, 100, "EPYC", last).variant(List.of("a"), "a", 3, 20, 1000);
        return Kiln.run("report", folder.toString());
    }

    @Test
    void everyRunIsInIt() {
        Kiln ran = report(Outcome.COMPLETED);
        assertThat(ran.exit()).as(ran.err()).isZero();
    }

    @Test
    void anInvalidRunIsInNoFigureAndAProblem() {
        Kiln ran = report(Outcome.TARGET_FAILED);
        assertThat(ran.out()).contains("2 of 3", "Report: ");
        assertThat(ran.err()).startsWith("kiln: left out: a run 3: the target").hasLineCount(1);
        assertThat(ran.exit()).isEqualTo(1);
    }

    /** Kiln ran another in its place, so nothing is missed. */
    @Test
    void aRunThatTheMachineSpoiledIsNoProblem() {
        report(Outcome.COMPLETED);
        Path spoiled = folder.resolve("a/3");
        RunWriter.replace(spoiled, RunReader.info(spoiled).repeatedFor(List.of("it was busy")));
        Kiln ran = Kiln.run("report", folder.toString());
        assertThat(ran.out()).contains("2 of 3");
        assertThat(ran.err()).isEmpty();
        assertThat(ran.exit()).isZero();
    }

    @Test
    void aRunThatCannotBeReadIsLeftOutAndAProblem() throws Exception {
        report(Outcome.COMPLETED);
        Files.writeString(folder.resolve("a/3/run.json"), "{");
        Kiln ran = Kiln.run("report", folder.toString());
        assertThat(ran.err()).contains("kiln: left out: ", "a/3/run.json");
        assertThat(ran.out()).contains("Report: ");
        assertThat(ran.exit()).isEqualTo(1);
    }

    @Test
    void aLinkIsAnAddressAndStandsUnderAPicture() throws Exception {
        report(Outcome.COMPLETED);
        Path pictures = folder.resolve("pictures");
        String url = "https://example.org/kiln/report.html";

        Kiln ran = Kiln.run("report", folder.toString(), "--svg", pictures.toString(), "--link", url);
        assertThat(ran.exit()).as(ran.err()).isZero();
        assertThat(Files.readString(pictures.resolve("throughput-dark-pr.svg"))).contains("<a href=\"" + url + "\">");
        assertThat(Files.readString(pictures.resolve("summary.md"))).contains(url);

        Kiln alone = Kiln.run("report", folder.toString(), "--link", url);
        assertThat(alone.exit()).isEqualTo(2);
        assertThat(alone.err()).contains("--link has no picture to stand under", "--svg FOLDER");
        Kiln script = Kiln.run("report", folder.toString(), "--svg", pictures.toString(), "--link", "javascript:x()");
        assertThat(script.exit()).isEqualTo(2);
        assertThat(script.err()).contains("--link: found 'javascript:x()'", "https://HOST/PATH");
    }
}
