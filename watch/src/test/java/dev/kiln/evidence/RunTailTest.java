package dev.kiln.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.evidence.RunReader.RunTail;
import dev.kiln.model.run.Sample.JitSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunTailTest {
    private static final String HEADER = "time_ns,tid,name,role,cpu_ns,wait_ns,slices,voluntary,involuntary\n";

    @TempDir
    private Path run;

    private void add(String file, String text) throws IOException {
        Files.writeString(run.resolve(file), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    private static String thread(long seconds, ThreadRole role) {
        return seconds + "000000000,7,a thread," + role + ",5,6,7,8,9\n";
    }

    @Test
    void eachLookTellsWhatWasAddedSinceTheOneBefore() throws IOException {
        RunTail tail = new RunTail(run);
        assertThat(tail.look().isEmpty()).as("no file yet").isTrue();
        add("threads.csv", HEADER + thread(1, ThreadRole.C2));
        assertThat(tail.look().compilers()).extracting(ThreadSample::timeNanos).containsExactly(1_000_000_000L);
        assertThat(tail.look().isEmpty()).isTrue();
        add("threads.csv", thread(2, ThreadRole.C1) + thread(2, ThreadRole.WORKER) + thread(3, ThreadRole.C2));
        assertThat(tail.look().compilers())
                .extracting(ThreadSample::timeNanos)
                .as("compilers alone")
                .containsExactly(2_000_000_000L, 3_000_000_000L);
    }

    @Test
    void aLineIsToldWhenItIsWhole() throws IOException {
        RunTail tail = new RunTail(run);
        String line = thread(4, ThreadRole.C2);
        add("threads.csv", HEADER.substring(0, 20));
        assertThat(tail.look().isEmpty()).isTrue();
        add("threads.csv", HEADER.substring(20) + line.substring(0, 15));
        assertThat(tail.look().isEmpty()).isTrue();
        add("threads.csv", line.substring(15));
        assertThat(tail.look().compilers()).hasSize(1);
    }

    @Test
    void aDamagedRowIsPassedOverAndTheOthersAreTold() throws IOException {
        RunTail tail = new RunTail(run);
        add("threads.csv", HEADER + "x,7,a,C2,5,6,7,8,9\n" + "1,7,C2,C2,\n" + thread(5, ThreadRole.C2));
        assertThat(tail.look().compilers()).extracting(ThreadSample::timeNanos).containsExactly(5_000_000_000L);
    }

    /** As another Kiln may write it. */
    @Test
    void columnsAreFoundByTheirNames() throws IOException {
        RunTail tail = new RunTail(run);
        add("jit.csv", "c2_queue,new,time_ns,c1_queue\n3012,a word,9,4\n");
        assertThat(tail.look().jit()).hasSize(1).first().satisfies(sample -> {
            assertThat(sample.timeNanos()).isEqualTo(9);
            assertThat(sample.c2Queue()).hasValue(3012);
            assertThat(sample.levels()).isEmpty();
        });
        assertThat(tail.look().jit()).extracting(JitSample::timeNanos).isEmpty();
    }

    @Test
    void aLongRunIsReadInSeveralLooks() throws IOException {
        StringBuilder rows = new StringBuilder(HEADER);
        int count = 120_000;
        for (int i = 0; i < count; i++) {
            rows.append(thread(i, ThreadRole.C2));
        }
        add("threads.csv", rows.toString());
        RunTail tail = new RunTail(run);
        int told = 0;
        int looks = 0;
        for (RunTail.Added added = tail.look(); !added.isEmpty(); added = tail.look()) {
            told += added.compilers().size();
            looks++;
        }
        assertThat(told).isEqualTo(count);
        assertThat(looks).isGreaterThan(1);
    }
}
