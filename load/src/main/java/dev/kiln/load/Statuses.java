package dev.kiln.load;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Statuses are what answers begin with, asked for by the JDK's client; their bodies are read and left. */
public final class Statuses {
    private Statuses() {}

    /**
     * Returns the status of a whole answer. The request's own timeout ends with the headers (until JDK 26): a body
     * without an end would be waited for without an end.
     *
     * @param limit of the whole answer
     */
    public static int of(HttpClient client, HttpRequest request, Duration limit)
            throws IOException, InterruptedException {
        CompletableFuture<HttpResponse<Void>> answer = client.sendAsync(request, BodyHandlers.discarding());
        try {
            return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS).statusCode();
        } catch (TimeoutException e) {
            throw new HttpTimeoutException("no complete answer within " + limit.toSeconds() + " s");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException reason ? reason : new IOException(e.getCause());
        } finally {
            answer.cancel(true);
        }
    }
}
