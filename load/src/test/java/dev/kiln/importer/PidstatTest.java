package dev.kiln.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.importer.format.LoadSource.Span;
import dev.kiln.importer.format.SystemLog;
import dev.kiln.importer.sysstat.Pidstat;
import dev.kiln.model.KilnException;
import dev.kiln.model.run.Sample.PartSample;
import dev.kiln.model.run.Sample.ThreadRole;
import dev.kiln.model.run.Sample.ThreadSample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PidstatTest {
    private static final long SECOND = 1_000_000_000L;
    private static final String HEAD = "Linux 5.14.0 (lab) \t06/02/2026 \t_x86_64_\t(64 CPU)\n\n";
    private static final String USE =
            "   UID      TGID       TID    %usr %system  %guest   %wait    %CPU   CPU  Command\n";
    private static final String SWITCHES = "   UID      TGID       TID   cswch/s nvcswch/s  Command\n";

    @TempDir
    private Path folder;

    @Test
    void tellsCpuAndWaitOfTheCompilersAsPrinted() {
        SystemLog log = Pidstat.of(Recorded.sample("pidstat-12.6.1.log"), OptionalInt.empty())
                .orElseThrow();
        SystemRecorded seen = SystemRecorded.of(log);

        ThreadSample c2 = seen.last(ThreadRole.C2);
        assertThat(c2.name()).isEqualTo("C2 CompilerThre");
        // 33 % user and 1 % system in the first second, nothing after it.
        assertThat(c2.cpuNanos()).isEqualTo(340_000_000L);
        assertThat(c2.waitNanos()).isEqualTo(390_000_000L);
        // C2's last row with a switch is the fourth second's.
        assertThat(c2.voluntarySwitches()).isEqualTo(49 + 7 + 11 + 1);
        assertThat(c2.involuntarySwitches()).isEqualTo(258);
        assertThat(seen.parts.getLast().cpuNanos()).isEqualTo((93 + 104 + 94 + 96) * SECOND / 100);
        assertThat(log.clock()).isEqualTo(SystemLog.LogClock.LOCAL);
        assertThat(log.machine().cpus()).hasValue(2);
        assertThat(log.span().length()).isEqualTo(4 * SECOND);
    }

    @Test
    void namesOfThreadsKeepTheirBlanksAndSigns() {
        SystemRecorded seen = SystemRecorded.of(Pidstat.of(Recorded.sample("pidstat-12.6.1.log"), OptionalInt.empty())
                .orElseThrow());

        assertThat(seen.threads).extracting(ThreadSample::name).contains("worker, # one:", "GC Thread#1");
    }

    @Test
    void readsIsoDatesAndOneLineFormsAndWholeProcesses() {
        SystemLog iso = Pidstat.of(Recorded.sample("pidstat-12.6.1-iso.log"), OptionalInt.empty())
                .orElseThrow();
        SystemLog oneLine = Pidstat.of(Recorded.sample("pidstat-12.6.1-oneline.log"), OptionalInt.empty())
                .orElseThrow();
        SystemLog process = Pidstat.of(Recorded.sample("pidstat-12.6.1-process.log"), OptionalInt.empty())
                .orElseThrow();

        assertThat(iso.clock()).isEqualTo(SystemLog.LogClock.LOCAL);
        assertThat(oneLine.clock()).isEqualTo(SystemLog.LogClock.EPOCH);
        assertThat(oneLine.span().toNanos() / SECOND).isEqualTo(1795298673L);
        SystemRecorded line = SystemRecorded.of(oneLine);
        assertThat(line.last(ThreadRole.C2).voluntarySwitches()).isPositive();
        SystemRecorded whole = SystemRecorded.of(process);
        assertThat(whole.threads).isEmpty();
        assertThat(whole.parts.getLast().cpuNanos()).isEqualTo((93 + 104) * SECOND / 100);
    }

    @Test
    void twelveHourTimesGoOverMidnight() throws IOException {
        SystemLog log = log(HEAD
                + block("11:59:59 PM", "12:00:00 AM", "50.00", "10.00")
                + block("12:00:00 AM", "12:00:01 AM", "20.00", "30.00"));
        SystemRecorded seen = SystemRecorded.of(log);

        assertThat(log.span().length()).isEqualTo(2 * SECOND);
        assertThat(seen.last(ThreadRole.C2).cpuNanos()).isEqualTo(700_000_000L);
        assertThat(seen.unseen).isEmpty();
    }

    @Test
    void decimalCommasAreDecimals() throws IOException {
        SystemLog log = log(HEAD + block("17:00:00", "17:00:01", "50,00", "10,00"));

        assertThat(SystemRecorded.of(log).last(ThreadRole.C2).waitNanos()).isEqualTo(100_000_000L);
    }

    /** {@code --human}: a sign behind shares, units behind sizes. */
    @Test
    void sharesMayHaveASignAndSizesWithUnitsAreNamed() throws IOException {
        SystemRecorded seen = SystemRecorded.of(log(HEAD
                + "17:00:00" + USE
                + "17:00:01  1000        10         -   60.0%    0.0%    0.0%    0.0%   60.0%     2  java\n"
                + "17:00:01  1000         -        11   50.0%    0.0%    0.0%   10.0%   50.0%     2  |__C2 CompilerThre\n\n"
                + "17:00:00   UID      TGID       TID  minflt/s  majflt/s     VSZ     RSS   %MEM  Command\n"
                + "17:00:01  1000        10         -      0.00      0.00    3.2G  512.0M   3.1%  java\n"));

        assertThat(seen.last(ThreadRole.C2).cpuNanos()).isEqualTo(500_000_000L);
        assertThat(seen.last(ThreadRole.C2).waitNanos()).isEqualTo(100_000_000L);
        assertThat(seen.gaps)
                .singleElement()
                .asString()
                .endsWith("pidstat.log: resident memory with a unit, as of --human, is not read");
    }

    @Test
    void aHoleBetweenSamplesIsNamed() throws IOException {
        SystemLog log = log(HEAD
                + block("17:00:00", "17:00:01", "50.00", "10.00")
                + block("17:01:10", "17:01:11", "20.00", "30.00"));
        SystemRecorded seen = SystemRecorded.of(log);

        assertThat(seen.unseen).containsExactly(new Span(SECOND, 70 * SECOND));
        // What came after the hole is not spread over it.
        assertThat(seen.threads)
                .filteredOn(thread -> thread.role() == ThreadRole.C2)
                .extracting(ThreadSample::timeNanos)
                .containsExactly(0L, SECOND, 70 * SECOND, 71 * SECOND);
    }

    @Test
    void aLogWithoutWaitsSaysSo() throws IOException {
        SystemLog log = log(HEAD
                + "17:00:00   UID      TGID       TID    %usr %system  %guest    %CPU   CPU  Command\n"
                + "17:00:01  1000        10         -   50.00    0.00    0.00   50.00     2  java\n"
                + "17:00:01  1000         -        11   50.00    0.00    0.00   50.00     2  |__C2 CompilerThre\n");

        assertThat(log.waits()).isFalse();
    }

    @Test
    void severalJvmsNeedAnId() throws IOException {
        String two = HEAD
                + "17:00:00" + USE
                + row("17:00:01", "10", "-", "java") + row("17:00:01", "-", "11", "|__C2 CompilerThre")
                + row("17:00:01", "20", "-", "java") + row("17:00:01", "-", "21", "|__C2 CompilerThre");
        Path file = Files.writeString(folder.resolve("two.log"), two);

        assertThatThrownBy(() ->
                        SystemRecorded.of(Pidstat.of(file, OptionalInt.empty()).orElseThrow()))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("several JVMs: 10 (java), 20 (java)");
        SystemRecorded chosen =
                SystemRecorded.of(Pidstat.of(file, OptionalInt.of(20)).orElseThrow());
        assertThat(chosen.threads).extracting(ThreadSample::tid).containsOnly(21);
    }

    @Test
    void anIdThatTheLogDoesNotHaveIsAGapAndNoIdleTarget() throws IOException {
        Path file =
                Files.writeString(folder.resolve("one.log"), HEAD + block("17:00:00", "17:00:01", "50.00", "10.00"));
        SystemRecorded seen =
                SystemRecorded.of(Pidstat.of(file, OptionalInt.of(99)).orElseThrow());

        assertThat(seen.parts).isEmpty();
        assertThat(seen.gaps).containsExactly("the log has no process 99, which --pid names");
    }

    @Test
    void aTargetThatBeginsLaterCountsFromThere() throws IOException {
        String later = HEAD
                + "17:00:00" + USE + row("17:00:01", "10", "-", "sh")
                + "17:00:01" + USE + row("17:00:02", "10", "-", "sh") + row("17:00:02", "20", "-", "java");
        Path file = Files.writeString(folder.resolve("later.log"), later);
        SystemRecorded seen =
                SystemRecorded.of(Pidstat.of(file, OptionalInt.of(20)).orElseThrow());

        assertThat(seen.parts)
                .containsExactly(
                        new PartSample(SECOND, "target", 0, 0, Optional.empty()),
                        new PartSample(2 * SECOND, "target", SECOND / 100, 0, Optional.empty()));
        assertThat(seen.gaps).isEmpty();
    }

    @Test
    void aTimeThatGoesBackIsAnErrorWithItsLine() throws IOException {
        Path file = Files.writeString(
                folder.resolve("back.log"),
                HEAD + block("17:00:05", "17:00:06", "1.00", "1.00") + block("17:00:01", "17:00:02", "1.00", "1.00"));

        assertThatThrownBy(() -> Pidstat.of(file, OptionalInt.empty()))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("back.log:12: found a time before that of the row above");
    }

    private SystemLog log(String text) throws IOException {
        return Pidstat.of(Files.writeString(folder.resolve("pidstat.log"), text), OptionalInt.empty())
                .orElseThrow();
    }

    private static String block(String from, String to, String cpu, String wait) {
        return from + USE
                + to + "  1000        10         -   60.00    0.00    0.00    0.00   60.00     2  java\n"
                + to + "  1000         -        11   " + cpu + "    0.00    0.00   " + wait + "   " + cpu
                + "     2  |__C2 CompilerThre\n\n"
                + from + SWITCHES
                + to + "  1000        10         -      0.00      0.00  java\n"
                + to + "  1000         -        11      2.00      3.00  |__C2 CompilerThre\n\n";
    }

    private static String row(String time, String tgid, String tid, String command) {
        return time + "  1000  " + tgid + "  " + tid + "   1.00    0.00    0.00    0.00   1.00     2  " + command
                + "\n";
    }
}
