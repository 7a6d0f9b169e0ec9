package dev.kiln.engines;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import tools.jackson.databind.JsonNode;

/** A run of the stand-in: counts by the start of requests, in seconds from the phase's own beginning. */
final class StandInRun {
    private final String id;
    private final StandInController owner;
    private final JsonNode benchmark;
    private final TreeMap<Long, Second> seconds = new TreeMap<>();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean cancelled;
    private volatile boolean stop;
    private volatile boolean terminated;
    private volatile boolean persisted;
    private volatile long beginMillis;
    private volatile long endMillis;

    private static final class Second {
        private final Histogram latencies = new Histogram(3);
        private long requests;
        private long good;
        private long bad;
        private long lost;
    }

    StandInRun(String id, StandInController owner, JsonNode benchmark) {
        this.id = id;
        this.owner = owner;
        this.benchmark = benchmark;
    }

    boolean terminated() {
        return terminated;
    }

    boolean cancelled() {
        return cancelled;
    }

    void start() {
        Thread.ofVirtual().start(this::run);
    }

    /** Unheard before the phase has begun, as in the original. */
    void kill() {
        cancelled = true;
        if (beginMillis > 0) {
            stop = true;
        }
    }

    void awaitEnd() {
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        sleep(owner.deployMillis);
        if (owner.failing.isEmpty()) {
            beginMillis = System.currentTimeMillis();
            load();
        }
        endMillis = System.currentTimeMillis();
        terminated = true;
        ended.countDown();
        sleep(100);
        persisted = true;
    }

    private JsonNode phase() {
        return benchmark.path("phases").path(0).values().iterator().next().path("always");
    }

    private void load() {
        JsonNode phase = phase();
        String path = phase.findPath("GET").path("value").asString("/");
        URI url = URI.create(benchmark.at("/http/host").asString("") + path);
        String duration = phase.path("duration").asString("");
        long end = beginMillis + Long.parseLong(duration.replace("ms", ""));
        List<Thread> users = new ArrayList<>();
        for (int i = 0; i < phase.path("users").asInt(0); i++) {
            users.add(Thread.ofVirtual().start(() -> {
                while (!stop && System.currentTimeMillis() < end) {
                    request(url);
                }
            }));
        }
        for (Thread user : users) {
            try {
                user.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void request(URI url) {
        long second = (System.currentTimeMillis() - beginMillis) / 1000;
        long start = System.nanoTime();
        int status = 0;
        try {
            status = StandInController.get(url);
        } catch (IOException e) {
            // Counted as a connection that was lost.
        }
        long nanos = System.nanoTime() - start;
        synchronized (seconds) {
            Second counts = seconds.computeIfAbsent(second, any -> new Second());
            counts.requests++;
            counts.good += status / 100 == 2 ? 1 : 0;
            counts.bad += status / 100 > 2 ? 1 : 0;
            counts.lost += status == 0 ? 1 : 0;
            if (status > 0) {
                counts.latencies.recordValue(nanos);
            }
        }
    }

    String state() {
        String status = terminated ? "TERMINATED" : "RUNNING";
        String phases =
                beginMillis == 0 ? "" : "{\"name\": \"load\", \"status\": \"" + status + "\", \"failed\": false}";
        String errors = owner.failing.map(text -> "\"" + text + "\"").orElse("");
        return """
                {"id": "%s", "benchmark": "x", "terminated": %s, "cancelled": %b, "completed": %b, "persisted": %b,
                 "phases": [%s], "agents": [], "errors": [%s]}
                """.formatted(
                        id,
                        terminated ? "\"2026/11/22 08:52:54.732\"" : null,
                        cancelled,
                        terminated,
                        persisted,
                        phases,
                        errors);
    }

    /** The last second but one, as it is whole. */
    String recent() {
        synchronized (seconds) {
            String one = terminated || seconds.size() < 2
                    ? ""
                    : "{\"phase\": \"load\", \"stepId\": 0, \"metric\": \"request\", \"summary\": "
                            + row(seconds.lowerKey(seconds.lastKey())) + "}";
            return "{\"status\": \"RUNNING\", \"statistics\": [" + one + "]}";
        }
    }

    String all() {
        synchronized (seconds) {
            if (seconds.isEmpty()) {
                return "{\"version\": \"0.30\", \"stats\": []}";
            }
            String rows = seconds.keySet().stream().map(this::row).collect(Collectors.joining(",\n"));
            Histogram all = new Histogram(3);
            seconds.values().forEach(second -> all.add(second.latencies));
            return """
                    {"version": "0.30", "stats": [{"name": "load", "metric": "request",
                     "total": {"start": %d, "end": %d, "summary": {"responseCount": %d, "maxResponseTime": %d,
                      "percentileResponseTime": {"50.0": %d, "99.0": %d}}},
                     "series": [%s]}]}
                    """.formatted(
                            beginMillis + owner.aheadMillis,
                            endMillis + owner.aheadMillis,
                            all.getTotalCount(),
                            all.getMaxValue(),
                            all.getValueAtPercentile(50),
                            all.getValueAtPercentile(99),
                            rows);
        }
    }

    private String row(long number) {
        Second second = seconds.get(number);
        long start = beginMillis + owner.aheadMillis + 1000 * number;
        long last = endMillis == 0 ? Long.MAX_VALUE : endMillis + owner.aheadMillis;
        return second == null
                ? "{}"
                : """
                {"startTime": %d, "endTime": %d, "requestCount": %d, "responseCount": %d, "connectionErrors": %d,
                 "requestTimeouts": 0, "internalErrors": 0, "invalid": 0, "maxResponseTime": %d,
                 "percentileResponseTime": {"50.0": %d, "99.0": %d},
                 "extensions": {"http": {"@type": "http", "status_2xx": %d, "status_3xx": 0, "status_4xx": 0,
                  "status_5xx": %d, "status_other": 0, "cacheHits": 0}}}
                """.formatted(
                                start,
                                Math.max(start + 1, Math.min(start + 1000, last)),
                                second.requests,
                                second.good + second.bad,
                                second.lost,
                                second.latencies.getMaxValue(),
                                second.latencies.getValueAtPercentile(50),
                                second.latencies.getValueAtPercentile(99),
                                second.good,
                                second.bad);
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
