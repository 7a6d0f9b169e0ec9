package dev.kiln.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.evidence.RunReader;
import dev.kiln.importer.format.CsvMapping;
import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Format.ImportOptions;
import dev.kiln.importer.format.Format.ImportedRun;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.LoadSource.LoadSink.LoadRow;
import dev.kiln.importer.format.SystemLog;
import dev.kiln.importer.program.JMeterCsv;
import dev.kiln.importer.program.JMeterXml;
import dev.kiln.importer.program.JmhLog;
import dev.kiln.importer.program.MappedCsv;
import dev.kiln.importer.program.Renaissance;
import dev.kiln.importer.sysstat.Mpstat;
import dev.kiln.importer.sysstat.SysstatJson;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.model.run.Sample.CollectionSample;
import dev.kiln.model.run.Sample.FullCollections;
import dev.kiln.model.run.Sample.MemorySample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of programs whose samples the programs wrote here, or of which their documentation has one. */
class ProgramsTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    private Path folder;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private static Format format(Path file) {
        return Formats.of(file, Optional.empty()).orElseThrow();
    }

    private static Recorded load(Path file) {
        Format.Loads loads = (Format.Loads) format(file).content();
        return Recorded.of(loads.of().apply(file, Texts.options()).getFirst());
    }

    private static List<ImportedRun> runs(Path file, List<String> leftOut) {
        return ((Format.WholeRuns) format(file).content()).of().apply(file, leftOut::add);
    }

    private static SystemRecorded log(Path file) {
        Format.OneLog log = (Format.OneLog) format(file).content();
        return SystemRecorded.of(log.of().apply(file, Texts.options()).orElseThrow());
    }

    private Recorded mapped(Path file, String columns, ImportOptions options) {
        CsvMapping mapping = CsvMapping.parse(columns);
        assertThat(Formats.of(file, Optional.of(mapping))).contains(MappedCsv.FORMAT);
        return Recorded.of(MappedCsv.of(file, mapping, options).orElseThrow());
    }

    private static List<Long> completed(Recorded run) {
        return run.rows.stream().map(LoadRow::completed).toList();
    }

    @Test
    void jmetersCsvIsALogOfRequests() throws IOException {
        Path jtl = file("a.jtl", """
                timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,Connect
                1780390800000,12,get,200,OK,tg 1-1,text,true,,211,126,1,1,http://127.0.0.1/,10,0,2
                1780390801000,15,get,503,Busy,tg 1-1,text,false,"Test failed, code
                503",211,126,1,1,http://127.0.0.1/,10,0,2
                1780390801100,15,get,200,OK,tg 1-1,text,false,not the text,211,126,1,1,http://127.0.0.1/,10,0,2
                1780390801200,15,get,Non HTTP response code: java.net.ConnectException,Non HTTP response message: Connection refused,tg 1-1,text,false,,0,0,1,1,http://127.0.0.1/,0,0,0
                1780390801300,15,get,Non HTTP response code: java.net.SocketTimeoutException,Read timed out,tg 1-1,text,false,,0,0,1,1,http://127.0.0.1/,0,0,0
                """);
        Recorded run = load(jtl);

        assertThat(format(jtl)).isEqualTo(JMeterCsv.FORMAT);
        assertThat(run.completed()).isEqualTo(1);
        assertThat(run.latencies).isEqualTo(1);
        assertThat(run.rows.stream().map(LoadRow::errors).reduce(LoadBin.Errors.NONE, LoadBin.Errors::plus))
                .isEqualTo(new LoadBin.Errors(1, 0, 1, 1, 1));
        assertThat(run.ends).containsExactly(1_780_390_801_315L * 1_000_000);
    }

    @Test
    void jmetersXmlCountsASampleOnceWithAllThatIsInIt() throws IOException {
        String head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testResults version=\"1.2\">\n";
        String samples = """
                <httpSample t="12" lt="10" ts="1780390800000" s="true" lb="get" rc="200" rm="OK" tn="tg 1-1" dt="text" by="211">
                  <httpSample t="5" lt="4" ts="1780390800000" s="true" lb="get-0" rc="302" rm="Found"/>
                  <httpSample t="7" lt="6" ts="1780390800005" s="true" lb="get-1" rc="200" rm="OK"/>
                </httpSample>
                <sample t="3" lt="0" ts="1780390800100" s="false" lb="groovy" rc="500" rm="no"/>
                """;
        Path whole = file("a.jtl", head + samples + "</testResults>\n");
        Path killed = file("b.jtl", head + samples);

        assertThat(format(whole)).isEqualTo(JMeterXml.FORMAT);
        assertThat(load(whole).completed()).isEqualTo(1);
        assertThat(load(whole).failed()).isEqualTo(1);
        assertThat(load(whole).gaps).isEmpty();
        assertThat(load(killed).completed()).isEqualTo(1);
        assertThat(load(killed).gaps).hasSize(1).first().asString().contains("b.jtl:7: the document ends");
    }

    /** JMeter 5.6.3: a transaction of two samples, of which one is redirected; 60 rows less the header. */
    @Test
    void aRowOfJmetersCsvThatIsPartOfAnotherIsNoRequest() {
        Recorded sums = load(Recorded.sample("jmeter-5.6.3-transactions.jtl"));
        Recorded parents = load(Recorded.sample("jmeter-5.6.3-parents.jtl"));

        // 11 transactions behind their samples, and 22 redirects and their targets.
        assertThat(sums.completed()).isEqualTo(26);
        assertThat(sums.gaps)
                .singleElement()
                .asString()
                .contains("22 samples are parts of others", "11 are transactions whose samples are counted");
        // Transactions before their samples are one request, as in XML.
        assertThat(parents.completed()).isEqualTo(12);
        assertThat(parents.gaps).singleElement().asString().contains("47 samples are parts of others");
    }

    @Test
    void aTransactionOfJmetersXmlIsNoRequestBehindItsSamples() {
        Recorded run = load(Recorded.sample("jmeter-5.6.3-transactions.xml"));

        assertThat(run.completed()).isEqualTo(27);
        assertThat(run.gaps).singleElement().asString().contains("13 are transactions whose samples are counted");
    }

    @Test
    void samplesThatOnlyLookLikePartsAreRequests() throws IOException {
        Path jtl = file("a.jtl", """
                timeStamp,elapsed,label,responseCode,responseMessage,threadName,success
                1780390800000,0,order,200,OK,t 1,true
                1780390800000,0,order-1,200,OK,t 1,true
                1780390800000,5,order,200,OK,t 1,true
                1780390800005,5,order-0,200,OK,t 1,true
                1780390800003,1,order-0,200,OK,t 2,true
                1780390800020,4,tx,200,"Number of samples in transaction : 2, number of failing samples : 0",t 1,true
                1780390800024,4,tx,200,"Number of samples in transaction : 2, number of failing samples : 0",t 1,true
                """);
        Recorded run = load(jtl);

        assertThat(run.completed()).isEqualTo(7);
        assertThat(run.gaps).isEmpty();
    }

    /** JMeter 5.6.3 with another separator, formatted times and no header; a label holds a comma. */
    @Test
    void jmetersCsvNeedsNoHeader() {
        Path jtl = Recorded.sample("jmeter-5.6.3-semicolons.jtl");
        Format.Loads loads = (Format.Loads) format(jtl).content();
        Recorded utc = load(jtl);
        Recorded york = Recorded.of(loads.of()
                .apply(
                        jtl,
                        new ImportOptions(
                                Optional.of(ZoneId.of("America/New_York")),
                                OptionalInt.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()))
                .getFirst());

        assertThat(format(jtl)).isEqualTo(JMeterCsv.FORMAT);
        assertThat(utc.completed()).isEqualTo(6);
        assertThat(utc.gaps).anyMatch(gap -> gap.contains("--zone"));
        assertThat(york.gaps).noneMatch(gap -> gap.contains("--zone"));
        assertThat(york.ends.getFirst() - utc.ends.getFirst()).isEqualTo(5 * 3600 * SECOND);
    }

    @Test
    void aJtlWithoutTimesNamesTheSetting() throws IOException {
        Path jtl = file("a.jtl", "elapsed,label,responseCode,success\n12,get,200,true\n");

        assertThatThrownBy(() -> load(jtl))
                .hasMessageContaining("a.jtl:1: found no column timeStamp")
                .satisfies(e -> assertThat(((KilnException) e).remedy())
                        .contains("jmeter.save.saveservice.timestamp_format=ms"));
    }

    /** Locust 2.47 with --reset-stats, which begins to count anew once all users run. */
    @Test
    void locustsTotalsMayBeginAnew() {
        Recorded run = load(Recorded.sample("locust-2.47-reset.csv"));

        // 256 requests, of which 39 failed, until line 5; 1,349 and 231 from then on.
        assertThat(run.completed() + run.failed()).isEqualTo(256 + 1349);
        assertThat(run.failed()).isEqualTo(39 + 231);
        assertThat(run.gaps).singleElement().asString().contains("locust-2.47-reset.csv:6: the totals begin anew");
    }

    @Test
    void anEntityOfAnXmlFileIsNotRead() throws IOException {
        Path secret = file("secret.txt", "1780390800000");
        Path jtl = file(
                "a.jtl",
                "<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY e SYSTEM \"" + secret.toUri()
                        + "\">]><testResults><sample t=\"1\" ts=\"1780390800000\" s=\"true\" rc=\"200\" rm=\"OK\"/>&e;</testResults>");

        assertThat(load(jtl).completed()).isEqualTo(1);
    }

    /** Locust 2.47 against a server that fails each fiftieth request. */
    @Test
    void locustsHistoryTellsWhatItsTotalsAdd() {
        Path history = Recorded.sample("locust-history.csv");
        Recorded run = load(history);

        assertThat(format(history)).isEqualTo(MappedCsv.LOCUST);
        // The last row's totals: 752 requests, of which 15 failed.
        assertThat(run.completed() + run.failed()).isEqualTo(752);
        assertThat(run.failed()).isEqualTo(15);
        assertThat(run.rows).hasSize(11);
        assertThat(run.rows.getFirst().completed()).isEqualTo(67);
    }

    /** JMH 1.37: two benchmarks of which one has modes without a rate, two parameters, two forks, two threads. */
    @Test
    void jmhsTextLogHasTheWarmUp() {
        List<String> leftOut = new ArrayList<>();
        Path log = Recorded.sample("jmh-1.37.log");
        List<ImportedRun> runs = runs(log, leftOut);

        assertThat(format(log)).isEqualTo(JmhLog.FORMAT);
        assertThat(runs)
                .extracting(ImportedRun::variant)
                .containsExactly(
                        "b.Bench.sin-p=1",
                        "b.Bench.sin-p=1",
                        "b.Bench.sin-p=2",
                        "b.Bench.sin-p=2",
                        "b.Bench.sin-p=1-avgt",
                        "b.Bench.sin-p=1-avgt",
                        "b.Bench.sin-p=2-avgt",
                        "b.Bench.sin-p=2-avgt");
        assertThat(runs).extracting(ImportedRun::run).containsExactly(1, 2, 1, 2, 1, 2, 1, 2);
        LoadSource load = runs.getFirst().loads().getFirst();
        Recorded first = Recorded.of(load);
        assertThat(first.phases).containsExactly("warmup", "iterations");
        assertThat(load.bins().nanos()).isEqualTo(SECOND / 5);
        assertThat(completed(first)).startsWith(Math.round(17.184e6 * 0.2)).hasSize(6);
        assertThat(leftOut).anyMatch(why -> why.contains("b.Bench.cos-p=1 is in JMH's mode 'Sampling time"));
    }

    @Test
    void jmhsMeanTimesInTextAreOfEachThread() throws IOException {
        Path log = file("j.log", """
                # JMH version: 1.37
                # Warmup: 1 iterations, 10 s each
                # Measurement: 2 iterations, 10 s each
                # Threads: 4 threads, will synchronize iterations
                # Benchmark mode: Average time, time/op
                # Benchmark: a.B.c

                # Fork: 1 of 1
                # Warmup Iteration   1: 4.000 ±(99.9%) 0.100 ms/op
                Iteration   1: 2.000 ±(99.9%) 0.100 ms/op
                Iteration   2: 2,000 ms/op
                """);

        assertThat(completed(Recorded.of(
                        runs(log, new ArrayList<>()).getFirst().loads().getFirst())))
                .containsExactly(10_000L, 20_000L, 20_000L);
    }

    /** JMH runs whole operations until the time is over: none of 700 ms is lost in an iteration of 100 ms. */
    @Test
    void anIterationOfFewOperationsLastsAsLongAsTheyTook() throws IOException {
        Path log = file("j.log", """
                # JMH version: 1.37
                # Warmup: 2 iterations, 100 ms each
                # Measurement: 2 iterations, 100 ms each
                # Threads: 1 thread, will synchronize iterations
                # Benchmark mode: Average time, time/op
                # Benchmark: a.B.c
                # Fork: 1 of 1
                # Warmup Iteration   1: 700.000 ms/op
                # Warmup Iteration   2: 640.000 ms/op
                Iteration   1: 30.000 ms/op
                Iteration   2: 0.010 ms/op
                """);

        LoadSource load = runs(log, new ArrayList<>()).getFirst().loads().getFirst();
        Recorded recorded = Recorded.of(load);

        assertThat(completed(recorded)).containsExactly(1L, 1L, 4L, 10_000L);
        assertThat(recorded.rows)
                .extracting(row -> (row.endNanos() - row.startNanos()) / 1_000_000)
                .containsExactly(700L, 640L, 120L, 100L);
        assertThat(load.bins().nanos()).isEqualTo(700_000_000L);
        assertThat(load.span().length()).isEqualTo(1_560_000_000L);
    }

    @Test
    void renaissancesRepetitionsAreIterations() throws IOException {
        Path csv = file("r.csv", """
                benchmark,duration_ns,uptime_ns,vm_start_unix_ms
                scrabble,911379929,2515700351,1636206612905
                scrabble,529459711,3750527761,1636206612905
                als,2000000000,5000000000,1636206612905
                """);
        Path json = file("r.json", """
                {"format_version":5,"benchmarks":["scrabble"],"data":{"scrabble":{"results":[
                {"duration_ns":911379929,"uptime_ns":2515700351},{"duration_ns":529459711,"uptime_ns":3750527761}],
                "termination":"normal"}}}
                """);

        assertThat(format(csv)).isEqualTo(Renaissance.CSV);
        assertThat(format(json)).isEqualTo(Renaissance.JSON);
        assertThat(runs(csv, new ArrayList<>()))
                .extracting(ImportedRun::variant)
                .containsExactly("scrabble", "als");
        for (Path file : List.of(csv, json)) {
            Recorded run =
                    Recorded.of(runs(file, new ArrayList<>()).getFirst().loads().getFirst());
            assertThat(run.rows)
                    .extracting(row -> row.endNanos() - row.startNanos())
                    .containsExactly(911_379_929L, 529_459_711L);
            assertThat(completed(run)).containsExactly(1L, 1L);
        }
    }

    /** sysstat 12.6.1 of one recording, in its two forms. */
    @Test
    void sarAndSysstatsJsonSayTheSame() {
        Path sar = Recorded.sample("sar-12.6.1.txt");
        Path json = Recorded.sample("sadf-12.6.1.json");

        assertThat(format(sar)).isEqualTo(Mpstat.FORMAT);
        assertThat(format(json)).isEqualTo(SysstatJson.FORMAT);
        assertThat(log(json).cpus).hasSize(8).isEqualTo(log(sar).cpus);
        // The first row: CPU 0 was never idle, and nothing was taken from it.
        assertThat(log(sar).cpus.getFirst().busyNanos()).isEqualTo(SECOND);
        assertThat(log(Recorded.sample("mpstat-12.6.1.json")).cpus).hasSize(6);
    }

    @Test
    void otherTablesAndRestartsOfSarArePassedOver() throws IOException {
        Path sar = file("sar.txt", """
                Linux 6.1.0 (lab) \t2026-06-02 \t_x86_64_\t(1 CPU)

                17:00:00        CPU     %user     %nice   %system   %iowait    %steal     %idle
                17:00:10          0     25.00      0.00     25.00      0.00      0.00     50.00
                17:00:20          0     25.00      0.00     25.00      0.00      0.00     50.00

                17:00:00       proc/s   cswch/s
                17:00:10         1.00    100.00

                17:00:00        IFACE   rxpck/s   txpck/s   %ifutil
                17:00:10         eth0      1.00      1.00      0.00

                17:00:25     LINUX RESTART\t(1 CPU)
                Durchschn.:       CPU     %user     %nice   %system   %iowait    %steal     %idle
                Durchschn.:         0     25.00      0.00     25.00      0.00      0.00     50.00
                """);

        assertThat(log(sar).cpus).extracting(cpu -> cpu.busyNanos()).containsExactly(5 * SECOND, 10 * SECOND);
    }

    /** JDK 25.0.3, three pauses. */
    @Test
    void pausesOfACollectorAreEvidence() throws IOException {
        Path run = Files.createDirectories(folder.resolve("a-1"));
        Files.copy(Recorded.sample("gc-25.0.3.log"), run.resolve("gc.log"));
        StringBuilder csv = new StringBuilder("time,requests\n");
        for (int i = 0; i < 30; i++) {
            csv.append(1_795_716_130L + i).append(",100\n");
        }
        Files.writeString(run.resolve("load.csv"), csv);
        Path out = folder.resolve("out");

        new Importer("test", Texts.options(), line -> {}).run(List.of(run), "x", () -> out);

        RunEvidence evidence = RunReader.read(out.resolve("a").resolve("1"));
        assertThat(evidence.memory()).extracting(MemorySample::collections).containsExactly(1L, 2L, 3L);
        assertThat(evidence.memory().getLast().collectionNanos()).isEqualTo(21_385_000 + 8_388_000 + 13_955_000);
        assertThat(evidence.memory().getLast().generations().orElseThrow().full())
                .isEqualTo(1);
        assertThat(evidence.collections())
                .extracting(CollectionSample::cause)
                .containsExactly("G1 Evacuation Pause", "G1 Evacuation Pause", "System.gc()");
        assertThat(evidence.collections())
                .extracting(row -> row.full().orElseThrow())
                .containsExactly(
                        new FullCollections(0, 0), new FullCollections(0, 0), new FullCollections(1, 13_955_000));
        assertThat(evidence.info().provenance().orElseThrow().sources()).contains("-Xlog:gc");
    }

    @Test
    void aLogOfACollectorWithoutATimeOfDayIsLeftOutWithAWayOut() throws IOException {
        Path gc = file(
                "gc.log",
                "[0.002s][info][gc] Using G1\n[0.748s][info][gc] GC(0) Pause Young (Normal) 15M->4M(128M) 1.385ms\n");
        Format.OneLog log = (Format.OneLog) format(gc).content();

        assertThat(log.of().apply(gc, Texts.options())).isEmpty();
        assertThat(log.without().apply(gc)).contains("-Xlog:gc:file=gc.log:time");
    }

    @Test
    void ofAMappedTableOnlyTheRowsThatAreMeantCount() throws IOException {
        Path csv = file("l.csv", """
                Timestamp,Name,Requests/s,Failures/s
                1780390800,Aggregated,100.0,0.0
                1780390800,get,50,0
                1780390805,Aggregated,100.0,2.0
                1780390805,get,50,0
                1780390810,Aggregated,100.0,2.0
                """);
        Recorded run = mapped(
                csv,
                "time=Timestamp:s,requests=Requests/s:rate,errors=Failures/s:rate where Name=Aggregated",
                Texts.options());

        assertThat(completed(run)).containsExactly(500L, 500L, 500L);
        assertThat(run.rows).extracting(row -> row.errors().total()).containsExactly(0L, 10L, 10L);
    }

    @Test
    void totalsThatGrowTellWhatWasAdded() throws IOException {
        Path csv = file("t.csv", "t,all,bad\n1780390800,1000,0\n1780390801,1100,1\n1780390802,1250,1\n");
        Path fallen = file("f.csv", "t,all,bad\n1780390800,1000,0\n1780390801,900,1\n");
        String columns = "time=t:s,requests=all:total,errors=bad:total";
        Recorded run = mapped(csv, columns, Texts.options());

        assertThat(completed(run)).containsExactly(100L, 150L);
        assertThat(run.failed()).isEqualTo(1);
        assertThat(run.rows.getFirst().startNanos()).isEqualTo(1_780_390_800L * SECOND);
        assertThatThrownBy(() -> mapped(fallen, columns, Texts.options()))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("f.csv:3: found a total below that of line 2");
    }

    @Test
    void aRowMayBeOneRequest() throws IOException {
        Path csv = file("r.csv", """
                when;took;code;kind
                1780390800000;12;200;get
                1780390800500;7;503;get
                1780390800600;7;;get
                1780390800700;7;200;warm
                """);
        Recorded run =
                mapped(csv, "row=request,time=when:ms,latency=took:ms,status=code where kind=get", Texts.options());

        assertThat(run.completed()).isEqualTo(1);
        assertThat(run.latencies).isEqualTo(1);
        assertThat(run.rows.stream().map(LoadRow::errors).reduce(LoadBin.Errors.NONE, LoadBin.Errors::plus))
                .isEqualTo(new LoadBin.Errors(0, 1, 0, 1, 0));
        assertThat(run.ends).containsExactly(1_780_390_800_607L * 1_000_000);
    }

    @Test
    void timesOfDashboardsAreReadInTheirZone() throws IOException {
        Path csv = file(
                "g.csv",
                "\"Time\",\"http_requests\"\n2026-06-02 11:00:00,5\n2026-06-02 11:00:15,6\n2026-06-02 11:00:30,7\n");
        String columns = "time=Time:iso,requests=http_requests:rate";
        ImportOptions berlin = new ImportOptions(
                Optional.of(ZoneId.of("Europe/Berlin")),
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        Recorded utc = mapped(csv, columns, Texts.options());
        Recorded there = mapped(csv, columns, berlin);

        assertThat(completed(utc)).containsExactly(75L, 90L, 105L);
        assertThat(utc.rows.getFirst().startNanos()).isEqualTo(1_780_398_000L * SECOND);
        assertThat(there.rows.getFirst().startNanos()).isEqualTo(1_780_390_800L * SECOND);
        assertThat(utc.gaps).contains("times without a zone are read as UTC: --zone names another");
        assertThat(there.gaps).isEmpty();
        assertThat((double) utc.rows.get(1).endNanos() - utc.rows.get(1).startNanos())
                .isCloseTo(15e9, within(1.0));
    }

    @Test
    void aMappingThatCannotBeIsNamed() {
        assertThatThrownBy(() -> CsvMapping.parse("row=request,latency=x:ms")).hasMessageContaining("found no time");
        assertThatThrownBy(() -> CsvMapping.parse("time=t:s,requests=n where Name"))
                .hasMessageContaining("expected where COLUMN=VALUE");
        assertThat(CsvMapping.parse("time=t:s,requests=n where A=b").missing("t,n"))
                .containsExactly("A");
    }

    @Test
    void logsOfCpusAreOfOneKindEach() {
        SystemLog sar = Mpstat.of(Recorded.sample("sar-12.6.1.txt")).orElseThrow();

        assertThat(sar.what()).isEqualTo("sar");
        assertThat(sar.machine().cpus()).hasValue(2);
    }
}
