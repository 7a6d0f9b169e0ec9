package dev.kiln.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.Claim;
import dev.kiln.model.ClaimMetric;
import dev.kiln.model.KilnException;
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
                                new Claim.Figure(0.7, "0.7", ClaimMetric.T90, "a"),
                                Claim.Op.AT_MOST,
                                new Claim.Number(60, "60"))),
                        Optional.empty()),
                new Claim("Nobody knows", "", List.of(), Optional.of("no means")));

        StudyFile.CLAIMS.write(dir, claims);

        assertThat(StudyFile.CLAIMS.read(dir)).isEqualTo(claims);
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
                .hasMessageStartingWith(file + " holds no claims that Kiln can read: ");
    }
}
