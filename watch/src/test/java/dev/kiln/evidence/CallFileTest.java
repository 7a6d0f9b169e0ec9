package dev.kiln.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.evidence.LoadFile.CallFile;
import dev.kiln.model.load.LoadBin.CallBin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CallFileTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    Path directory;

    private final List<CallBin> bins = List.of(
            new CallBin("warm-up", SECOND, 2 * SECOND, "list", 120, 3, 4_000_000, 9_000_000),
            new CallBin("warm-up", SECOND, 2 * SECOND, "POST /a,b", 0, 7, 0, 0),
            new CallBin("warm-up", 2 * SECOND, 3 * SECOND, "list", 130, 0, 3_900_000, 8_000_000),
            new CallBin("warm-up", 2 * SECOND, 3 * SECOND, "POST /a,b", 11, 1, 1, 2));

    private Path write() {
        try (CallFile file = new CallFile(directory)) {
            bins.forEach(file::write);
        }
        return directory.resolve("calls.csv");
    }

    @Test
    void rowsComeBackAsWritten() throws IOException {
        Path file = write();
        Gaps gaps = new Gaps();
        assertThat(CallFile.read(directory, gaps)).isEqualTo(bins);
        assertThat(gaps.end()).isEmpty();
        assertThat(Files.readAllLines(file))
                .startsWith(
                        "phase,start_ns,end_ns,call,completed,errors,p50_ns,p99_ns",
                        "warm-up,1000000000,2000000000,list,120,3,4000000,9000000",
                        "warm-up,1000000000,2000000000,\"POST /a,b\",0,7,,");
    }

    @Test
    void oldEvidenceHasNone() {
        Gaps gaps = new Gaps();
        assertThat(CallFile.read(directory, gaps)).isEmpty();
        assertThat(gaps.end()).isEmpty();
    }

    @Test
    void aFileThatIsCutAnywhereKeepsItsWholeRows() throws IOException {
        Path file = write();
        byte[] all = Files.readAllBytes(file);
        for (int length = 0; length < all.length; length++) {
            Files.write(file, Arrays.copyOf(all, length));
            Gaps gaps = new Gaps();
            List<CallBin> read = CallFile.read(directory, gaps);
            assertThat(read).isEqualTo(bins.subList(0, read.size()));
            int lines =
                    (int) Files.readString(file).chars().filter(c -> c == '\n').count();
            assertThat(read).hasSize(Math.max(0, lines - 1));
            // A header without its line end is whole.
            boolean wholeHeader = lines == 0 && all[length] == '\n';
            boolean betweenRows = wholeHeader || (length > 0 && all[length - 1] == '\n');
            assertThat(gaps.end().isEmpty()).as("cut at %d", length).isEqualTo(betweenRows);
        }
    }
}
