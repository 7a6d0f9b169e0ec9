package dev.kiln.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.doctor.LiveDiagnosis.LiveState;
import dev.kiln.doctor.Watch.DoctorSubject;
import dev.kiln.host.proc.ProcFs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DoctorRoundsTest {
    private static final int MANY = 1_000;

    /** Their figures stand still, so nothing is known of them but that they are there. */
    @Test
    void aThousandJvmsAreLookedAt(@TempDir Path root) throws Exception {
        for (int pid = 100_000; pid < 100_000 + MANY; pid++) {
            Path process = root.resolve("proc/" + pid);
            Path thread = Files.createDirectories(process.resolve("task/" + pid));
            String stat = pid + " (java) S" + " 1".repeat(49);
            Files.writeString(thread.resolve("stat"), stat);
            Files.writeString(process.resolve("stat"), stat);
            Files.writeString(process.resolve("maps"), "7f00 r-xp 0 0:0 1 /opt/jdk/lib/server/libjvm.so\n");
        }
        List<DoctorSubject> all = new DoctorRounds(new ProcFs(root), Duration.ofSeconds(2)).once();
        assertThat(all)
                .hasSize(MANY)
                .allMatch(subject -> subject.diagnosis().state() == LiveState.UNKNOWN)
                .extracting(subject -> subject.process().pid())
                .doesNotHaveDuplicates();
    }
}
