package dev.kiln.relay;

import java.util.concurrent.CompletableFuture;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** {@code GET /echo?calls=5&delay=10&size=100000}: no thread of Tomcat waits for the calls. */
@RestController
class EchoController {
    private static final int MOST_CALLS = 100;
    private static final int LONGEST_DELAY_MILLIS = 60_000;
    private static final int LARGEST_PAYLOAD = 10_000_000;

    private final PayloadClient client;

    EchoController(PayloadClient client) {
        this.client = client;
    }

    @GetMapping(path = "/echo", produces = MediaType.APPLICATION_OCTET_STREAM_VALUE)
    CompletableFuture<byte[]> echo(
            @RequestParam(defaultValue = "5") int calls,
            @RequestParam(defaultValue = "10") int delay,
            @RequestParam(defaultValue = "100000") int size) {
        check("calls", calls, 1, MOST_CALLS);
        check("delay", delay, 0, LONGEST_DELAY_MILLIS);
        check("size", size, 1, LARGEST_PAYLOAD / calls);
        return client.payloads(calls, delay, size);
    }

    private static void check(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new ResponseStatusException(
                    HttpStatus.BAD_REQUEST, name + ": expected a number from " + least + " to " + most);
        }
    }
}
