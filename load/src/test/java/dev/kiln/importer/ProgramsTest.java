package dev.kiln.importer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.kiln.importer.format.CsvMapping;
import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Format.ImportOptions;
import dev.kiln.importer.format.LoadSource.LoadSink.LoadRow;
import dev.kiln.importer.program.JMeterCsv;
import dev.kiln.importer.program.JMeterXml;
import dev.kiln.importer.program.MappedCsv;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.LoadBin;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Files of load generators whose samples the programs wrote here, or of which their documentation has one, and tables that a mapping explains. */
class ProgramsTest extends ProgramFiles {
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
}
