package dev.kiln.results;

import static dev.kiln.cli.ForeignFiles.PIDSTAT_START;
import static dev.kiln.cli.ForeignFiles.pidstat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.cli.Kiln;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ImportCommandTest extends ImportedRuns {
    @Test
    void nothingRecognisedIsAWrongUse() throws IOException {
        Files.writeString(folder.resolve("notes.txt"), "it was slow\n");
        Kiln kiln = Kiln.run(
                "import", folder.toString(), "--results", folder.resolve("out").toString());

        assertThat(kiln.exit()).isEqualTo(2);
        assertThat(kiln.err())
                .contains("nothing to import in")
                .contains("pidstat -u -w -t")
                .contains("wrk");
        assertThat(folder.resolve("out")).doesNotExist();
        assertThat(Kiln.run("import", "no-such-file").err()).contains("no such file or folder: no-such-file");
    }

    /** Imports that begin in one second must not mix their runs. */
    @Test
    void noTwoImportsShareAFolder() throws Exception {
        List<Callable<Kiln>> imports = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Path file = folder.resolve("series" + i + ".csv");
            Files.writeString(file, "phase,start_ms,end_ms,requests\n" + rows(i));
            imports.add(() -> Kiln.run(
                    "import",
                    file.toString(),
                    "--evidence-only",
                    "--results",
                    folder.resolve("out").toString()));
        }
        Set<String> told = new HashSet<>();
        try (var kilns = Executors.newFixedThreadPool(imports.size())) {
            for (var each : kilns.invokeAll(imports)) {
                assertThat(each.get().exit()).as(each.get().err()).isZero();
                told.add(each.get().out());
            }
        }
        assertThat(told).hasSize(imports.size());
        try (var made = Files.list(folder.resolve("out"))) {
            assertThat(made.toList()).hasSize(imports.size()).allSatisfy(one -> {
                try (var variants = Files.list(one)) {
                    assertThat(variants.filter(Files::isDirectory)).hasSize(1);
                }
            });
        }
    }

    private static String rows(int more) {
        StringBuilder rows = new StringBuilder();
        for (int second = 0; second < 60; second++) {
            rows.append("load,").append(second * 1000).append(',').append((second + 1) * 1000);
            rows.append(',').append(100 + more).append('\n');
        }
        return rows.toString();
    }

    @Test
    void helpNamesItsOptionsAndExamples() {
        String help = Kiln.run("import", "--help").out();

        assertThat(help)
                .contains("-h, --help")
                .contains("kiln import run/0000 pidstat.log recording.jfr")
                .doesNotContain("${");
        assertThat(Kiln.run("run", "--help").out())
                .contains("${port} stands for a free")
                .contains("5%:5-10");
    }

    @Test
    void aBrokenRunIsLeftOutAndTheOthersKept() throws IOException {
        Files.writeString(folder.resolve("a-1.csv"), table(100_000, 90));
        Files.writeString(folder.resolve("a-2.csv"), table(100_000, 90) + "load,x,2,3\n");
        Kiln kiln = Kiln.run(
                "import", folder.toString(), "--results", folder.resolve("out").toString());

        assertThat(kiln.exit()).isEqualTo(1);
        assertThat(kiln.err()).contains("left out: a 2: ").contains("a-2.csv:92: found 'x' for start");
        assertThat(kiln.err()).contains("imported a 1");
    }

    @Test
    void hostileInputsAreToldAndNeverABug() throws IOException {
        String out = folder.resolve("out").toString();
        Path empty = Files.createFile(folder.resolve("empty.csv"));
        Path binary = Files.write(folder.resolve("core"), new byte[100_000]);
        Path packed = Files.write(folder.resolve("log.gz"), new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0});
        Path good = Files.writeString(folder.resolve("a-1.csv"), table(100_000, 90));

        assertThat(importOf(out, empty.toString()).err()).contains("empty.csv is empty");
        assertThat(importOf(out, binary.toString()).err()).contains("core is not a file that Kiln can import");
        assertThat(importOf(out, packed.toString()).err()).contains("log.gz is compressed: unpack it with gunzip");
        assertThat(importOf(out, folder.resolve("no-such").toString()).exit()).isEqualTo(2);
        assertThat(importOf(empty.toString(), good.toString()).err())
                .doesNotContain("a bug in Kiln")
                .contains("empty.csv");
        Kiln named = importOf(out, good.toString(), binary.toString());
        assertThat(named.exit()).as("a file that was named is missing").isEqualTo(1);
        assertThat(named.err()).contains("left out: " + binary).contains("imported a 1");
        Kiln column = importOf(out, good.toString(), "--map", "time=when:s,requests=rps");
        assertThat(column.exit()).as("recognised without the mapping").isZero();
        Path mine = Files.writeString(folder.resolve("mine.csv"), "ts,count\n1,2\n");
        assertThat(importOf(out, mine.toString(), "--map", "time=when:s,requests=count")
                        .err())
                .contains("mine.csv has no column when, which --map names");
        Kiln own = importOf(
                out, folder.resolve("out").resolve(experiment()).resolve("a/1").toString());
        assertThat(own.exit()).isEqualTo(2);
        assertThat(own.err()).contains("is evidence that Kiln recorded").contains("kiln report");
    }

    @Test
    void aFolderThatHoldsItselfAndMoreIsRead() throws IOException {
        Path lab = Files.createDirectories(folder.resolve("lab"));
        Files.writeString(lab.resolve("a-1.csv"), table(100_000, 90));
        Files.createSymbolicLink(Files.createDirectories(lab.resolve("deep")).resolve("back"), lab);
        Files.createSymbolicLink(lab.resolve("gone.csv"), Path.of("/no/such/file"));
        Kiln kiln = importOf(folder.resolve("out").toString(), lab.toString());

        assertThat(kiln.exit()).as(kiln.err()).isZero();
        assertThat(kiln.err()).contains("imported a 1");
        assertThat(importOf(folder.resolve("out").toString(), "/dev/zero").err())
                .contains("Kiln must read /dev/zero twice");
    }

    @Test
    void countersOfOneThingComeFromOneLog() throws IOException {
        Path run = Files.createDirectories(folder.resolve("a-1"));
        Files.writeString(run.resolve("load.csv"), table(1_780_434_089L * 1000, 90));
        Files.writeString(run.resolve("pidstat-app.log"), pidstat(PIDSTAT_START, 60));
        Files.writeString(run.resolve("pidstat-load.log"), pidstat(PIDSTAT_START, 60));
        Kiln kiln = importOf(folder.resolve("out").toString(), run.toString());

        assertThat(kiln.exit()).isEqualTo(2);
        assertThat(kiln.err()).contains("run a 1 has 2 logs of threads");
    }

    @Test
    void aRecordingBesideALoadIsDigestedOnTheSameClock() throws Exception {
        Path run = Files.createDirectories(folder.resolve("a-1"));
        long end;
        try (Recording recording = new Recording(Configuration.getConfiguration("profile"))) {
            recording.start();
            Thread.sleep(300);
            recording.stop();
            recording.dump(run.resolve("any-name.bin"));
            end = System.currentTimeMillis();
        }
        Files.writeString(run.resolve("load.csv"), table(end - 80_000, 90));
        Path json = folder.resolve("result.json");
        Kiln kiln = importOf(folder.resolve("out").toString(), run.toString(), "--json", json.toString());

        assertThat(kiln.exit()).as(kiln.err()).isZero();
        JsonNode imported = run(runs(json), "a 1");
        assertThat(imported.path("provenance").path("sources").toString()).contains("a flight recording");
        assertThat(kiln.out()).doesNotContain("latency.hlog");
    }

    private static Kiln importOf(String results, String... paths) {
        List<String> args = new ArrayList<>(List.of("import"));
        args.addAll(List.of(paths));
        args.addAll(List.of("--results", results));
        return Kiln.run(args.toArray(String[]::new));
    }

    private static String table(long start, int seconds) {
        StringBuilder text = new StringBuilder("phase,start_ms,end_ms,requests\n");
        for (int i = 0; i < seconds; i++) {
            text.append("load,")
                    .append(start + 1000L * i)
                    .append(',')
                    .append(start + 1000L * (i + 1))
                    .append(',')
                    .append(1000 + i * 13 % 7)
                    .append('\n');
        }
        return text.toString();
    }
}
