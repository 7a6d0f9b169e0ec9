package dev.kiln.importer;

import dev.kiln.importer.format.CsvMapping;
import dev.kiln.importer.format.Format.ImportOptions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Small texts of formats whose programs are not at hand, as their documentation and their sources lay them out. */
final class Texts {
    private static final long START = 1_780_434_089_300L;

    private Texts() {}

    /** By file name. */
    static Map<String, String> all() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("load.get.0.series.csv", series());
        all.put("total.csv", total());
        all.put("all.json", json());
        all.put("table.csv", table());
        all.put("simulation.log", gatling());
        all.put("oha.csv", ohaCsv());
        all.put("oha.json", OHA_JSON);
        all.put("k6.csv", k6());
        all.put("k6.json", k6Json());
        all.put("summary.json", K6_SUMMARY);
        all.put("metrics.json", METRICS);
        all.put("mapped.csv", mapped());
        return all;
    }

    static ImportOptions options() {
        return new ImportOptions(
                Optional.empty(),
                OptionalInt.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(CsvMapping.parse("time=when:s,requests=rps:rate,errors=bad,p50=med:ms,bin=1s")));
    }

    static String series() {
        StringBuilder text =
                new StringBuilder("Start,End,Requests,Responses,Mean,StdDev,Min,p50.0,p90.0,p99.0,p99.9,p99.99,"
                        + "Max,ConnectionErrors,RequestTimeouts,InternalErrors,Invalid,BlockedTime,http.2xx,http.3xx,http.4xx,"
                        + "http.5xx,http.CacheHits,http.OtherStatus\n");
        for (int i = 0; i < 70; i++) {
            long at = START + 1000L * i;
            int n = 100 + i;
            text.append(at)
                    .append(',')
                    .append(at + 1000)
                    .append(',')
                    .append(n)
                    .append(',')
                    .append(n);
            text.append(",3,1,1,2000000,3,9000000,4,5,9500000,0,0,0,0,0,")
                    .append(n)
                    .append(",0,0,0,0,0\n");
        }
        return text.toString();
    }

    private static String total() {
        return "Phase,Metric,Start,End,Requests,Responses,Mean,StdDev,Min,p50.0,p90.0,p99.0,p99.9,p99.99,Max,"
                + "ConnectionErrors,RequestTimeouts,InternalErrors,Invalid,BlockedTime,http.2xx,http.3xx,http.4xx,"
                + "http.5xx,http.CacheHits,http.OtherStatus,MinSessions,MaxSessions\n"
                + "load,get,1780434089298,1780434159311,9415,9415,3,1,1,2,3,9,4,5,9,0,0,0,0,0,9415,0,0,0,0,0,0,100\n";
    }

    private static String json() {
        String second = "{\"startTime\":%d,\"endTime\":%d,\"maxResponseTime\":9,\"percentileResponseTime\":"
                + "{\"50.0\":3,\"99.0\":7},\"requestCount\":10,\"responseCount\":10,\"invalid\":0,\"connectionErrors\":0,"
                + "\"requestTimeouts\":0,\"internalErrors\":0,\"extensions\":{\"http\":{\"status_2xx\":10,"
                + "\"status_3xx\":0,\"status_4xx\":0,\"status_5xx\":0,\"status_other\":0}}}";
        StringBuilder seconds = new StringBuilder();
        for (int i = 0; i < 20; i++) {
            seconds.append(i == 0 ? "" : ",\n").append(second.formatted(START + 1000L * i, START + 1000L * (i + 1)));
        }
        return "{\"$schema\":\"http://hyperfoil.io/run-schema/v3.0\",\"version\":\"0.29.2\",\n\"stats\":[{\"name\":"
                + "\"load\",\"total\":{\"start\":" + START + ",\"end\":" + (START + 20_003) + ",\"summary\":"
                + second.formatted(START, START + 20_003) + "},\n\"series\":[" + seconds + "]}]}\n";
    }

    private static String table() {
        StringBuilder text = new StringBuilder("phase,start_ms,end_ms,requests,p50_ns,p99_ns,max_ns,errors\n");
        for (int i = 0; i < 70; i++) {
            long at = START + 1000L * i + (i < 60 ? 0 : 30_000);
            text.append(i < 60 ? "warmup," : "load,").append(at).append(',').append(at + 1000);
            text.append(",1000,2000000,3000000,4000000,1\n");
        }
        return text.toString();
    }

    private static String gatling() {
        StringBuilder text = new StringBuilder("RUN\ta.B\tb\t" + START + "\t \t3.9.5\n");
        for (int i = 0; i < 100; i++) {
            long at = START + 20L * i;
            text.append("REQUEST\t\tget\t")
                    .append(at)
                    .append('\t')
                    .append(at + 12)
                    .append("\tOK\t \n");
        }
        return text.toString();
    }

    private static String ohaCsv() {
        StringBuilder text =
                new StringBuilder("request-start,DNS,DNS+dialup,Response-delay,request-duration,bytes,status\n");
        for (int i = 0; i < 100; i++) {
            text.append(i / 50.0).append(",0,0,0.001,0.002,12,200\n");
        }
        return text.toString();
    }

    private static final String OHA_JSON =
            "{\n\"summary\":{\"successRate\":1.0,\"total\":2.5,\"slowest\":0.02,\"fastest\":0.001,\"average\":0.002,"
                    + "\"requestsPerSec\":42.0},\n\"latencyPercentiles\":{\"p50\":0.002,\"p99\":0.01},\n"
                    + "\"statusCodeDistribution\":{\"200\":100,\"503\":3},\n\"errorDistribution\":"
                    + "{\"connection refused\":2,\"aborted due to deadline\":9}}\n";

    private static String k6() {
        StringBuilder text = new StringBuilder("metric_name,timestamp,metric_value,check,error,error_code,"
                + "expected_response,group,method,name,proto,scenario,service,status,subproto,tls_version,url,extra_tags,"
                + "metadata\n");
        for (int i = 0; i < 100; i++) {
            text.append("http_req_duration,")
                    .append(1595325560 + i / 10)
                    .append(",221.899000,,,,true,,GET,http://t,HTTP/1.1,default,,200,,,http://t,,\n");
        }
        return text.toString();
    }

    private static String k6Json() {
        StringBuilder text = new StringBuilder(
                "{\"type\":\"Metric\",\"data\":{\"type\":\"trend\"},\"metric\":\"http_req_duration\"}\n");
        for (int i = 0; i < 60; i++) {
            text.append("{\"type\":\"Point\",\"data\":{\"time\":\"2017-05-09T14:34:")
                    .append(i < 10 ? "0" : "")
                    .append(i)
                    .append(".625742514+02:00\",\"value\":4.5,\"tags\":{\"method\":\"GET\",\"status\":\"200\"}},"
                            + "\"metric\":\"http_req_duration\"}\n");
        }
        return text.toString();
    }

    private static final String K6_SUMMARY =
            "{\"metrics\":{\n\"http_reqs\":{\"count\":500,\"rate\":50.0},\n\"http_req_duration\":{\"med\":2.0,\"max\":30.5,"
                    + "\"p(99)\":9.5},\n\"http_req_failed\":{\"passes\":5,\"fails\":495,\"value\":0.01}}}\n";

    private static final String METRICS = """
            {"results":{"a":{"startup":{"timings":[9300.5,9400]},
            "load":{"rss":[500,510.5],"throughput":[1000,1001]}}}}
            """;

    private static String mapped() {
        StringBuilder text = new StringBuilder("when,rps,bad,med\n");
        for (int i = 0; i < 70; i++) {
            text.append(1600000000 + i).append(",100,0,2.5\n");
        }
        return text.toString();
    }
}
