package dev.kiln.relay;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.server.ResponseStatusException;

/**
 * {@code POST /echo?calls=5&delay=10} with the payload as its body, or {@code GET} with its {@code size}: a JSON array of
 * the strings that the service behind answered. No thread of Tomcat waits for the calls.
 */
@RestController
@RequestMapping(path = "/echo", produces = MediaType.APPLICATION_JSON_VALUE)
class EchoController {
    private static final int MOST_CALLS = 100;
    private static final int LONGEST_DELAY_MILLIS = 60_000;
    private static final int LARGEST_ANSWER = 10_000_000;

    private final PayloadClient client;

    EchoController(PayloadClient client) {
        this.client = client;
    }

    // Of a form, Tomcat has read the body before it comes here.
    @PostMapping(consumes = "!" + MediaType.APPLICATION_FORM_URLENCODED_VALUE)
    CompletableFuture<List<String>> given(
            @RequestParam(defaultValue = "5") int calls,
            @RequestParam(defaultValue = "10") int delay,
            @RequestBody(required = false) byte[] body) {
        check(calls, delay);
        int length = body == null ? 0 : body.length;
        if (length < 1 || length > LARGEST_ANSWER / calls) {
            throw refused("payload: found " + length + " bytes, expected 1 to " + LARGEST_ANSWER / calls);
        }
        return client.echoes(calls, delay, body);
    }

    @GetMapping
    CompletableFuture<List<String>> made(
            @RequestParam(defaultValue = "5") int calls,
            @RequestParam(defaultValue = "10") int delay,
            @RequestParam(defaultValue = "100000") int size) {
        check(calls, delay);
        check("size", size, 1, LARGEST_ANSWER / calls);
        byte[] payload = new byte[size];
        Arrays.fill(payload, (byte) 'x');
        return client.echoes(calls, delay, payload);
    }

    private static void check(int calls, int delay) {
        check("calls", calls, 1, MOST_CALLS);
        check("delay", delay, 0, LONGEST_DELAY_MILLIS);
    }

    private static void check(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw refused(name + ": found " + value + ", expected a whole number from " + least + " to " + most);
        }
    }

    private static ResponseStatusException refused(String why) {
        return new ResponseStatusException(HttpStatus.BAD_REQUEST, why);
    }

    @ExceptionHandler
    ResponseEntity<String> told(ResponseStatusException e) {
        return ResponseEntity.status(e.getStatusCode())
                .contentType(MediaType.TEXT_PLAIN)
                .body(e.getReason());
    }

    @ExceptionHandler
    ResponseEntity<String> told(MethodArgumentTypeMismatchException e) {
        return told(refused(e.getName() + ": found '" + e.getValue() + "', expected a whole number"));
    }
}
