package dev.kiln.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HsPerfDataTest {
    /** A file as a JVM writes it, with entries that can be added. */
    private static final class File {
        final ByteBuffer memory = ByteBuffer.allocate(4096);
        int end = 32;

        File(ByteOrder order) {
            memory.putInt(0, 0xcafec0c0);
            memory.put(4, (byte) (order == ByteOrder.BIG_ENDIAN ? 0 : 1));
            memory.order(order).put(7, (byte) 1).putInt(24, end);
        }

        File counter(String name, int unit, long value) {
            entry(name, 0, 'J', unit, 8).putLong(end - 8, value);
            return this;
        }

        File text(String name, String value) {
            byte[] bytes = (value + "\0").getBytes(StandardCharsets.UTF_8);
            entry(name, bytes.length, 'B', 5, bytes.length).put(end - bytes.length, bytes);
            return this;
        }

        private ByteBuffer entry(String name, int vector, char type, int unit, int size) {
            byte[] bytes = (name + "\0").getBytes(StandardCharsets.UTF_8);
            int length = 20 + bytes.length + size;
            memory.putInt(end, length).putInt(end + 4, 20).putInt(end + 8, vector);
            memory.put(end + 12, (byte) type).put(end + 14, (byte) unit).putInt(end + 16, 20 + bytes.length);
            memory.put(end + 20, bytes);
            memory.putInt(28, memory.getInt(28) + 1);
            end += length;
            return memory;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"BIG_ENDIAN", "LITTLE_ENDIAN"})
    void readsCountersAndTexts(String order) {
        File file = new File(order.equals("BIG_ENDIAN") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN)
                .counter("sun.ci.totalCompiles", 4, 42)
                .text("java.rt.vmArgs", "-Xmx512m -Xint");
        HsPerfData data = HsPerfData.of(file.memory).orElseThrow();
        assertThat(data.counter("sun.ci.totalCompiles")).hasValue(42);
        assertThat(data.text("java.rt.vmArgs")).contains("-Xmx512m -Xint");
        assertThat(data.counter("none")).isEmpty();
        assertThat(data.counter("java.rt.vmArgs")).isEmpty();
        assertThat(data.text("sun.ci.totalCompiles")).isEmpty();
    }

    @Test
    void entriesThatAreAddedLaterAreFound() {
        File file = new File(ByteOrder.LITTLE_ENDIAN).counter("a", 1, 1);
        HsPerfData data = HsPerfData.of(file.memory).orElseThrow();
        assertThat(data.counter("b")).isEmpty();
        file.counter("b", 1, 2);
        assertThat(data.counter("b")).hasValue(2);
    }

    @Test
    void ticksAreConvertedToNanoseconds() {
        File file = new File(ByteOrder.LITTLE_ENDIAN)
                .counter("sun.os.hrt.frequency", 6, 1_000_000)
                .counter("java.ci.totalTime", 3, 5)
                .counter("events", 4, 5);
        HsPerfData data = HsPerfData.of(file.memory).orElseThrow();
        assertThat(data.counter("java.ci.totalTime")).hasValue(5_000);
        assertThat(data.counter("events")).hasValue(5);
    }

    /** HotSpot of Java 8 has 25 as its own version, and says elsewhere which Java it is. */
    @Test
    void aJvmOfJava8IsNotOneOfJava25() {
        File java8 = new File(ByteOrder.LITTLE_ENDIAN)
                .text("java.property.java.vm.version", "25.412-b08")
                .text("java.property.java.vm.specification.version", "1.8");
        File java25 = new File(ByteOrder.LITTLE_ENDIAN)
                .text("java.property.java.vm.version", "25.0.3+9-LTS")
                .text("java.property.java.vm.specification.version", "25");

        assertThat(new JvmCounters(HsPerfData.of(java8.memory).orElseThrow()).info())
                .satisfies(jvm -> assertThat(jvm.version()).isEqualTo("1.8 (25.412-b08)"))
                .satisfies(jvm -> assertThat(jvm.feature()).hasValue(8));
        assertThat(new JvmCounters(HsPerfData.of(java25.memory).orElseThrow())
                        .info()
                        .version())
                .isEqualTo("25.0.3+9-LTS");
    }

    @Test
    void anUnfinishedOrForeignFileIsNone() {
        File file = new File(ByteOrder.LITTLE_ENDIAN);
        file.memory.put(7, (byte) 0);
        assertThat(HsPerfData.of(file.memory)).isEmpty();
        assertThat(HsPerfData.of(ByteBuffer.allocate(64))).isEmpty();
    }

    /** Whoever owns the process owns the file, and may write anything into it while Kiln reads. */
    @Test
    void noContentCrashesOrHangsTheReader() {
        byte[] good = new File(ByteOrder.LITTLE_ENDIAN)
                .counter("sun.os.hrt.frequency", 6, 1_000_000)
                .counter("sun.ci.totalCompiles", 4, 42)
                .text("java.rt.vmArgs", "-Xmx512m")
                .memory
                .array();
        Random random = new Random(7);
        for (int i = 0; i < 10_000; i++) {
            byte[] bytes = Arrays.copyOf(good, i % 10 == 0 ? random.nextInt(good.length) : good.length);
            for (int n = random.nextInt(8); n >= 0 && bytes.length > 0; n--) {
                bytes[random.nextInt(Math.min(bytes.length, 200))] = (byte) random.nextInt();
            }
            HsPerfData.of(ByteBuffer.wrap(bytes)).ifPresent(data -> {
                var unusedCounter = data.counter("sun.ci.totalCompiles");
                var unusedText = data.text("java.rt.vmArgs");
            });
        }
    }

    @Test
    void nonsenseOffsetsAreNotFollowed() {
        File file = new File(ByteOrder.LITTLE_ENDIAN).counter("a", 1, 1);
        file.memory.putInt(28, 1000).putInt(32 + 16, Integer.MAX_VALUE);
        assertThat(HsPerfData.of(file.memory).orElseThrow().counter("a")).isEmpty();
        file.memory.putInt(24, -5).putInt(28, 1001);
        assertThat(HsPerfData.of(file.memory).orElseThrow().counter("a")).isEmpty();
    }
}
