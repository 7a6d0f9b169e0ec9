package dev.kiln.doctor;

import dev.kiln.model.LoadSpec.HttpCall;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Sends requests one after the other, again and again, at a rate that follows what it is told. */
final class PacedRequests implements AutoCloseable {
    /** In flight at a time. */
    private static final int WORKERS = 32;

    private static final double FIRST_RATE = 20;
    private static final double LEAST_RATE = 1;
    private static final double MOST_GROWTH = 1.3;
    private static final double MOST_FALL = 0.5;

    /** A rate far above what the service answers would be a burst as soon as it is faster. */
    private static final double OVER_ANSWERED = 1.5;

    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final List<HttpCall> calls;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private final AtomicLong dueNanos = new AtomicLong(System.nanoTime());
    private Optional<String> firstFailure = Optional.empty();
    private volatile double rate = FIRST_RATE;
    private volatile boolean closed;
    private long followedNanos = System.nanoTime();
    private long followedCount;
    private double lately;

    PacedRequests(List<HttpCall> calls) {
        this.calls = List.copyOf(calls);
        for (int i = 0; i < WORKERS; i++) {
            Thread.ofVirtual().name("kiln-warm-" + i).start(this::work);
        }
    }

    private void work() {
        while (!closed) {
            long now = System.nanoTime();
            long interval = Math.round(1e9 / rate);
            // What could not be sent in time is not made up for.
            long due = dueNanos.updateAndGet(before -> Math.max(before, now - interval) + interval);
            while (!closed && System.nanoTime() < due) {
                // Looks at the end now and then, however low the rate is.
                LockSupport.parkNanos(Math.min(100_000_000, due - System.nanoTime()));
            }
            if (!closed) {
                send(calls.get((int) (sent.getAndIncrement() % calls.size())));
            }
        }
    }

    private void send(HttpCall call) {
        HttpRequest.Builder request = HttpRequest.newBuilder(call.url())
                .timeout(TIMEOUT)
                .method(call.method(), call.body().map(BodyPublishers::ofString).orElseGet(BodyPublishers::noBody));
        call.headers().forEach(request::header);
        try {
            int status = client.send(request.build(), BodyHandlers.discarding()).statusCode();
            if (status >= 400) {
                failed(call, "answered with status " + status);
            }
        } catch (IOException e) {
            String why = Optional.ofNullable(e.getMessage()).orElse(e.getClass().getSimpleName());
            failed(call, why);
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

    /** @param factor between the CPU that may be used and that which is */
    void follow(double factor) {
        long now = System.nanoTime();
        long count = answered.get();
        if (now > followedNanos) {
            lately = 1e9 * (count - followedCount) / (now - followedNanos);
        }
        followedNanos = now;
        followedCount = count;
        double wanted = rate * Math.clamp(factor, MOST_FALL, MOST_GROWTH);
        rate = Math.max(LEAST_RATE, Math.min(wanted, Math.max(FIRST_RATE, OVER_ANSWERED * lately)));
    }

    /** Answers a second, of late. */
    double lately() {
        return lately;
    }

    /** Answered ones, good or bad. */
    long count() {
        return answered.get();
    }

    long failures() {
        return failed.get();
    }

    synchronized Optional<String> firstFailure() {
        return firstFailure;
    }

    /** What is in flight is given up. */
    @Override
    public void close() {
        closed = true;
        client.shutdownNow();
    }
}
