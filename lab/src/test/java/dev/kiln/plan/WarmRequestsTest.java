package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.plan.load.WarmRequests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WarmRequestsTest {
    @TempDir
    private Path dir;

    @Test
    void whateverAScannerAskedForIsAUrl() throws IOException {
        Path log = Files.writeString(dir.resolve("access.log"), """
                ::1 - - [10/Oct/2000:13:55:36 -0700] "GET /100%?a={x}|y&b=%20 HTTP/1.1" 200 5
                ::1 - - [10/Oct/2000:13:55:38 -0700] "PUT /a HTTP/1.1" 200 5
                ::1 - - [10/Oct/2000:13:55:38 -0700] "HEAD /b HTTP/1.1" 200 5
                """);
        List<HttpCall> calls = WarmRequests.recorded("http://h:1/ignored", log.toString());
        assertThat(calls.getFirst().url()).hasToString("http://h:1/100%25?a=%7Bx%7D%7Cy&b=%20");
        assertThat(calls)
                .filteredOn(WarmRequests::isSafe)
                .extracting(HttpCall::method)
                .containsExactly("GET", "HEAD");
    }
}
