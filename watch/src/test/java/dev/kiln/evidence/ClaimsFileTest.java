package dev.kiln.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Claim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClaimsFileTest {
    @TempDir
    private Path dir;

    @Test
    void whatIsWrittenIsRead() {
        List<Claim> claims = List.of(
                new Claim(
                        "One is faster",
                        "3 against 2",
                        List.of(new Claim.Check(
                                new Claim.Figure(0.7, "0.7", "t90", "a", Optional.empty()),
                                Claim.Op.AT_MOST,
                                new Claim.Number(60, "60"))),
                        Optional.empty()),
                new Claim("Nobody knows", "", List.of(), Optional.of("no means")));

        StudyFile.CLAIMS.write(dir, claims);

        assertThat(StudyFile.CLAIMS.read(dir)).isEqualTo(claims);
    }

    /** Earlier versions wrote the constants' names. */
    @Test
    void metricsOfEarlierVersionsAreRead() throws IOException {
        Files.writeString(dir.resolve("claims.json"), """
                [{"text": "It is slow", "published": "", "notObservable": null, "checks": [{
                  "left": {"kind": "figure", "factor": 1.0, "factorText": "", "metric": "END_OF_WARMUP", "variant": "a"},
                  "op": "LESS",
                  "right": {"kind": "figure", "factor": 2.0, "factorText": "2", "metric": "PEAK", "variant": "b"}}]}]
                """);

        assertThat(StudyFile.CLAIMS.read(dir).getFirst().checks())
                .extracting(Claim.Check::text)
                .containsExactly("end-of-warmup(a) < 2 * peak(b)");
    }

    @Test
    void withoutClaimsThereIsNoFile() {
        StudyFile.CLAIMS.write(dir, List.of());

        assertThat(dir).isEmptyDirectory();
        assertThat(StudyFile.CLAIMS.find(dir)).isEmpty();
    }

    @Test
    void aBrokenFileIsTold() throws IOException {
        Path file = Files.writeString(dir.resolve("claims.json"), "[{");

        assertThatThrownBy(() -> StudyFile.CLAIMS.read(dir))
                .isInstanceOf(KilnException.class)
                .hasMessageStartingWith("Kiln cannot read the claims in " + file + ": ");
    }
}
