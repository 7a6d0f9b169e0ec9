package dev.kiln.model.load;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.load.LoadSpec.HttpCall;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LoadSpecTest {
    private static HttpCall call(String method, String path, String... name) {
        return new HttpCall(
                method,
                URI.create("http://h:1" + path),
                Map.of(),
                Optional.empty(),
                1,
                Optional.empty(),
                List.of(name).stream().findFirst(),
                Optional.empty());
    }

    @Test
    void callsAreNamedByMethodAndPath() {
        assertThat(LoadSpec.names(List.of(call("GET", "/a?b=c"), call("POST", ""), call("GET", "/a", "mine"))))
                .containsExactly("GET /a", "POST /", "mine");
    }

    @Test
    void noTwoCallsHaveOneName() {
        assertThat(LoadSpec.names(List.of(
                        call("GET", "/a?b=1"),
                        call("GET", "/a?b=2"),
                        call("GET", "/a"),
                        call("GET", "/b"),
                        call("PUT", "/c", "GET /b"))))
                .containsExactly("GET /a", "GET /a 2", "GET /a 3", "GET /b 2", "GET /b");
    }

    @Test
    void secretsInAPathAreHidden() {
        assertThat(LoadSpec.names(List.of(call("GET", "/a;access_token=s3cret"))))
                .containsExactly("GET /a;access_token=***");
    }

    @Test
    void aLoginInTheUrlIsSentAsCurlSendsIt() {
        HttpCall call = HttpCall.get(URI.create("http://admin:a%40b@h:1/x?to=me@home"));
        assertThat(call.url()).hasToString("http://h:1/x?to=me@home");
        // printf 'admin:a@b' | base64
        assertThat(call.headers()).containsExactly(Map.entry("Authorization", "Basic YWRtaW46YUBi"));
        // printf 'admin:' | base64
        assertThat(HttpCall.get(URI.create("http://admin@h:1/")).headers())
                .containsExactly(Map.entry("Authorization", "Basic YWRtaW46"));
        assertThat(HttpCall.get(URI.create("http://@h:1/")).headers()).isEmpty();
        HttpCall own = new HttpCall(
                "GET",
                URI.create("http://admin:a@h:1/"),
                Map.of("authorization", "Bearer t"),
                Optional.empty(),
                1,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        assertThat(own.headers()).containsExactly(Map.entry("authorization", "Bearer t"));
    }
}
