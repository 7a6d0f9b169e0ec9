package dev.kiln.host.proc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ThreadTableTest {
    private static final ProcFs FS = ProcFs.ofThisMachine();

    private static List<String> names(ThreadTable table) {
        return table.tids().stream()
                .flatMap(tid -> table.read(tid).stream())
                .map(ThreadTable.Counters::name)
                .toList();
    }

    @Test
    void threadsComeAndGo() throws Exception {
        try (ThreadTable table = new ThreadTable(FS, ProcessHandle.current().pid())) {
            table.refresh();
            assertThat(names(table)).contains("C1 CompilerThre", "VM Thread");
            CountDownLatch running = new CountDownLatch(1);
            CountDownLatch end = new CountDownLatch(1);
            Thread thread = Thread.ofPlatform().name("a, \"b\" of sixteen").start(() -> {
                running.countDown();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            running.await();
            assertThat(table.refresh()).isNotEmpty();
            assertThat(names(table)).contains("a, \"b\" of sixte");
            end.countDown();
            thread.join();
            // The kernel lets go of a thread a moment after Java does.
            while (names(table).contains("a, \"b\" of sixte")) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void aNewThreadChangesTheNumber() throws Exception {
        Process process = new ProcessBuilder("sleep", "1000").start();
        try (ThreadTable table = new ThreadTable(FS, process.pid())) {
            assertThat(table.hasChanged()).isTrue();
            assertThat(table.refresh()).containsExactly((int) process.pid());
            assertThat(table.hasChanged()).isFalse();
            process.destroyForcibly().waitFor();
            assertThat(table.hasChanged()).isFalse();
            assertThat(table.read((int) process.pid())).isEmpty();
            assertThat(table.tids()).isEmpty();
        } finally {
            process.destroyForcibly();
        }
    }
}
