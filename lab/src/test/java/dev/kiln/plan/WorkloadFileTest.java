package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkloadFileTest {
    @TempDir
    private Path workloads;

    private Workload read(String text) throws IOException {
        Path folder = Files.createDirectories(workloads.resolve("service"));
        Files.writeString(folder.resolve("workload.yaml"), "command: java Main\n" + text);
        return WorkloadFile.read(workloads, "service");
    }

    private String wrong(String text) {
        KilnException e = catchThrowableOfType(KilnException.class, () -> read(text));
        return String.valueOf(e.getMessage()).replaceFirst("^.*workload.yaml:", "");
    }

    @Test
    void aBackendIsToldItsPortAndSoIsTheTarget() throws IOException {
        Workload workload = read("""
                backend: [java, Behind, '${backend.port}']
                environment: {PORT: '${port}', BEHIND: 'localhost:${backend.port}'}
                """);

        assertThat(workload.backend()).containsExactly("java", "Behind", "${backend.port}");
        assertThat(workload.launch().environment()).containsEntry("BEHIND", "localhost:${backend.port}");
        assertThat(read("").backend()).isEmpty();
        assertThat(read("needs: [native-image]\n").build().needs()).containsExactly("native-image");
        assertThat(read("").build().needs()).isEmpty();
    }

    @Test
    void aPortThatNobodyListensOnOrNobodyKnowsIsAnError() {
        assertThat(wrong("backend: java Behind\n"))
                .isEqualTo("2: backend: found no ${backend.port}, expected it in the command, which must listen on that"
                        + " port");
        assertThat(wrong("environment: {BEHIND: 'localhost:${backend.port}'}\n"))
                .startsWith("2: environment BEHIND: unknown placeholder '${backend.port}'");
        assertThat(wrong("backend: 'java Behind ${port} ${backend.port}'\n"))
                .startsWith("2: backend: unknown placeholder '${port}'; expected one of ${backend.port}, ${run.dir}");
    }
}
