package dev.kiln.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.importer.program.GatlingLog;
import dev.kiln.load.LoadSession.Tick;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A log of Gatling that grows in pieces, cut wherever its buffer was full. */
@Timeout(600)
class LiveLogTest {
    private static final long BEGIN = 1_700_000_000_000L;

    @TempDir
    Path dir;

    private final List<Tick> ticks = new ArrayList<>();
    private Optional<LiveLog> live = Optional.empty();

    @AfterEach
    void close() {
        live.ifPresent(LiveLog::close);
    }

    private Path file() {
        return dir.resolve("simulation.log");
    }

    private LiveLog open() {
        LiveLog log = new LiveLog(
                "load",
                new LiveLog.Log(
                        () -> Optional.of(file()),
                        false,
                        (file, in, requests) -> GatlingLog.parse(file, in, requests, gap -> {})));
        live = Optional.of(log);
        return log;
    }

    private void write(String text) throws IOException {
        Files.writeString(file(), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    /** @param end in ms since the first request */
    private static String request(long end, String status) {
        return "REQUEST\t\tfruits\t" + (BEGIN + end - 10) + "\t" + (BEGIN + end) + "\t" + status + "\t \n";
    }

    private void await(int seconds) {
        while (ticks.size() < seconds) {
            live.orElseThrow().tell(false, ticks::add);
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void aSecondIsToldOnceTheLogHasGoneBeyondIt() throws IOException {
        LiveLog log = open();
        write("RUN\tFruits\tfruits\t" + BEGIN + "\t \t3.9.5\n");
        String second = request(1500, "OK");
        write(request(10, "OK") + request(500, "OK") + request(900, "KO") + second.substring(0, 20));
        log.tell(false, ticks::add);
        assertThat(ticks).isEmpty();
        write(second.substring(20) + request(3500, "OK") + request(4990, "OK"));
        await(4);
        log.tell(true, ticks::add);
        assertThat(ticks)
                .extracting(Tick::second, Tick::errors)
                .containsExactly(tuple(1, 1L), tuple(2, 0L), tuple(3, 0L), tuple(4, 0L), tuple(5, 0L));
        assertThat(ticks.subList(0, 4)).extracting(Tick::requestsPerSecond).containsExactly(2.0, 1.0, 0.0, 1.0);
        // Of the last second there is 0.99 s.
        assertThat(ticks.getLast().requestsPerSecond()).isBetween(1.0, 1.02);
        assertThat(ticks.getFirst().p99Nanos()).isBetween(10_000_000L, 10_010_000L);
        assertThat(ticks.get(2).p99Nanos()).isZero();
    }

    /** Its texts come once, and later by number: the reader keeps them from piece to piece. */
    @Test
    void aBinaryLogIsReadPieceByPiece() throws IOException {
        // The tests run in the module's folder.
        byte[] whole =
                Files.readAllBytes(Path.of("src/test/resources/dev/kiln/importer/gatling-3.15.1-simulation.log"));
        int cut = whole.length * 3 / 4;
        LiveLog log = open();
        Files.write(file(), Arrays.copyOf(whole, cut));
        await(1);
        Files.write(file(), Arrays.copyOfRange(whole, cut, whole.length), StandardOpenOption.APPEND);
        log.tell(true, ticks::add);
        // From 721 to 3658 ms.
        assertThat(ticks).extracting(Tick::second).containsExactly(1, 2, 3);
        assertThat(ticks.stream().mapToLong(Tick::errors).sum()).isEqualTo(162);
        assertThat(ticks.get(0).requestsPerSecond()
                        + ticks.get(1).requestsPerSecond()
                        + ticks.get(2).requestsPerSecond() * 0.937)
                .isCloseTo(163, within(0.5));
    }

    @Test
    void aLogThatNeverComesTellsNothing() {
        LiveLog log = open();
        log.tell(false, ticks::add);
        log.tell(true, ticks::add);
        assertThat(ticks).isEmpty();
    }

    /** What is wrong with it is reported by who reads it when the program has ended. */
    @Test
    void aLogThatIsNoneTellsWhatCameBefore() throws IOException {
        LiveLog log = open();
        write("RUN\tFruits\tfruits\t" + BEGIN + "\t \t3.9.5\n" + request(10, "OK") + request(1990, "OK") + "HUH\n");
        log.tell(true, ticks::add);
        assertThat(ticks).extracting(Tick::second).containsExactly(1, 2);
    }
}
