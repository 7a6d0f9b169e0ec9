package dev.kiln.host.proc;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
        try (ThreadTable table = new ThreadTable(FS, ProcessHandle.current().pid(), Integer.MAX_VALUE, name -> true)) {
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

    /** One that did not get a CPU since the last look may have begun to wait for one. */
    @Test
    void theStateOfAThreadThatHasNotRunIsReadAgainUnlessItSleeps(@TempDir Path root) throws Exception {
        Path thread = Files.createDirectories(root.resolve("proc/7/task/7"));
        Files.createDirectories(root.resolve("proc/self"));
        Files.writeString(root.resolve("proc/self/schedstat"), "1 1 1\n");
        Files.writeString(thread.resolve("schedstat"), "5 6 7\n");
        List<Character> seen = new ArrayList<>();
        state(thread, 'D');
        try (ThreadTable table = new ThreadTable(new ProcFs(root), 7, Integer.MAX_VALUE, name -> true)) {
            table.refresh();
            for (char state : List.of('D', 'R', 'S', 'D')) {
                state(thread, state);
                seen.add(table.read(7).orElseThrow().state());
            }
        }
        assertThat(seen).as("to get from S to D it would have to run").containsExactly('D', 'R', 'S', 'S');
    }

    private static void state(Path thread, char state) throws IOException {
        Files.writeString(
                thread.resolve("status"),
                "Name:\tx\nUmask:\t0022\nState:\t" + state
                        + " (x)\nvoluntary_ctxt_switches:\t1\nnonvoluntary_ctxt_switches:\t2\n");
    }

    @Test
    void aNewThreadChangesTheNumber() throws Exception {
        Process process = new ProcessBuilder("sleep", "1000").start();
        try (ThreadTable table = new ThreadTable(FS, process.pid(), Integer.MAX_VALUE, name -> true)) {
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
