package dev.kiln.model.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.run.Course.OutOfMemory;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutOfMemoryTest {
    /** As HotSpot of JDK 11 to 25 prints them. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            HEAP | Exception in thread "http-1" java.lang.OutOfMemoryError: Java heap space
            HEAP | Terminating due to java.lang.OutOfMemoryError: Java heap space
            HEAP | Caused by: java.lang.OutOfMemoryError: Java heap space: failed reallocation of scalar replaced objects
            GC_OVERHEAD | java.lang.OutOfMemoryError: GC overhead limit exceeded
            METASPACE | java.lang.OutOfMemoryError: Metaspace
            CLASS_SPACE | java.lang.OutOfMemoryError: Compressed class space
            DIRECT_MEMORY | java.lang.OutOfMemoryError: Direct buffer memory
            DIRECT_MEMORY | java.lang.OutOfMemoryError: Cannot reserve 1048576 bytes of direct buffer memory (allocated: 33554432, limit: 33554432)
            NATIVE_THREAD | java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory or process/resource limits reached
            ARRAY_SIZE | java.lang.OutOfMemoryError: Requested array size exceeds VM limit
            """)
    void whatAJvmPrintsTellsWhatItHadNoMoreOf(OutOfMemory error, String line) {
        assertThat(OutOfMemory.in("a line\n" + line + "\n\tat com.acme.Api.call(Api.java:3)\n"))
                .containsExactly(error);
    }

    @Test
    void otherWordsAreNoError() {
        assertThat(OutOfMemory.in("""
                Java heap space
                Exception: java.lang.OutOfMemoryError thrown from the UncaughtExceptionHandler
                java.lang.OutOfMemoryError: of the program
                """)).isEmpty();
    }

    @Test
    void severalErrorsAreOneSentence() {
        assertThat(OutOfMemory.text(OutOfMemory.in("java.lang.OutOfMemoryError: Metaspace\n".repeat(3))))
                .isEqualTo("java.lang.OutOfMemoryError: Metaspace");
        assertThat(OutOfMemory.text(Set.of(OutOfMemory.NATIVE_THREAD)))
                .isEqualTo("java.lang.OutOfMemoryError: unable to create native thread");
    }
}
