package dev.kiln.doctor;

import dev.kiln.load.Statuses;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.LoadSpec.HttpCall;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * BurstRequests sends requests in bursts: all connections at once, as under full load, and then none for a while. With
 * one request at a time, the code that runs only where requests compete would stay uncompiled.
 */
final class BurstRequests implements AutoCloseable {
    private static final long BURST_NANOS = 50_000_000;
    private static final double FIRST_PART = 0.02;
    private static final double LEAST_PART = 0.005;
    private static final double MOST_GROWTH = 1.3;
    private static final double MOST_FALL = 0.5;

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final List<HttpCall> calls;
    private final List<HttpRequest> requests = new ArrayList<>();
    // Without the version, each request asks the server to change to HTTP/2, whose code is not what HTTP/1.1 needs
    // warm.
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private long burstNanos = System.nanoTime();
    /** The share of the time that bursts have, from 0 to 1. */
    private volatile double part = FIRST_PART;

    private volatile boolean closed;
    private Optional<String> firstFailure = Optional.empty();
    private long followedNanos = System.nanoTime();
    private long followedCount;
    private long followedFailures;
    private double lately;

    /** @throws KilnException if one of them cannot be sent */
    BurstRequests(List<HttpCall> calls, int connections) {
        this.calls = List.copyOf(calls);
        for (HttpCall call : calls) {
            requests.add(request(call));
        }
        for (int i = 0; i < connections; i++) {
            Thread.ofVirtual().name("kiln-warm-" + i).start(this::work);
        }
    }

    private void work() {
        while (!closed) {
            long wait = nanosToBurst();
            if (wait <= 0) {
                send((int) (sent.getAndIncrement() % calls.size()));
            } else {
                // Looks at the end, and at what it was told since, now and then.
                LockSupport.parkNanos(Math.min(wait, BURST_NANOS));
            }
        }
    }

    /** Returns the nanoseconds until the next burst; 0 or less within one. A rest keeps the share of bursts. */
    private synchronized long nanosToBurst() {
        long now = System.nanoTime();
        if (now >= burstNanos + BURST_NANOS) {
            long next = burstNanos + Math.round(BURST_NANOS / part);
            if (now < next) {
                return next - now;
            }
            burstNanos = now;
        }
        return burstNanos - now;
    }

    private HttpRequest request(HttpCall call) {
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(call.url())
                    .timeout(TIMEOUT)
                    .method(
                            call.method(),
                            call.body().map(BodyPublishers::ofString).orElseGet(BodyPublishers::noBody));
            call.headers().forEach(request::header);
            return request.build();
        } catch (IllegalArgumentException e) {
            // Its message may have a password in it.
            throw KilnException.usage(
                    "request " + (requests.size() + 1) + ", a " + call.method()
                            + ", has a header or a URL that cannot be sent",
                    "take it out of the file of --requests",
                    e);
        }
    }

    private void send(int number) {
        HttpCall call = calls.get(number);
        try {
            int status = Statuses.of(client, requests.get(number), TIMEOUT);
            if (status >= 400) {
                failed(call, "answered with status " + status);
            }
        } catch (IOException e) {
            String why = Optional.ofNullable(e.getMessage()).orElse(e.getClass().getSimpleName());
            failed(call, why);
            // Who refuses a connection does so at once, and need not be asked a thousand times a second.
            LockSupport.parkNanos(BURST_NANOS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        answered.incrementAndGet();
    }

    private synchronized void failed(HttpCall call, String why) {
        if (closed) {
            return;
        }
        failed.incrementAndGet();
        if (firstFailure.isEmpty()) {
            firstFailure = Optional.of(call.method() + " " + call.path() + ": " + why);
        }
    }

    /**
     * Makes bursts a larger or smaller part of the time. While most requests fail the part stays small: a service that
     * comes up just then is to be met gently.
     *
     * @param factor between the CPU that may be used and that which is
     */
    void follow(double factor) {
        long now = System.nanoTime();
        long count = answered.get();
        long failures = failed.get();
        long good = count - followedCount - (failures - followedFailures);
        lately = now > followedNanos ? 1e9 * (count - followedCount) / (now - followedNanos) : lately;
        boolean failing = failures - followedFailures > good;
        followedNanos = now;
        followedCount = count;
        followedFailures = failures;
        double wanted = part * Math.clamp(factor, MOST_FALL, MOST_GROWTH);
        part = failing ? FIRST_PART : Math.clamp(wanted, LEAST_PART, 1);
    }

    /** Returns the answers per second in the recent past. */
    double lately() {
        return lately;
    }

    /** Returns the number of answered requests, good or bad. */
    long count() {
        return answered.get();
    }

    long failures() {
        return failed.get();
    }

    synchronized Optional<String> firstFailure() {
        return firstFailure;
    }

    /** Stops the requests, including those in flight. */
    @Override
    public void close() {
        closed = true;
        client.shutdownNow();
    }
}
