package dev.kiln.importer.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.importer.program.Request.RequestOutcome;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GatlingTextTest {
    @Test
    void gatlingTellsWhyARequestFailed() {
        assertThat(Stream.of(
                                "status.find.is(200), found 503",
                                "Request timeout to localhost/127.0.0.1:8080 after 60000 ms",
                                "i.n.c.ConnectTimeoutException: connection timed out",
                                "j.n.ConnectException: finishConnect(..) failed with error(-111): Connection refused",
                                "j.i.IOException: Premature close",
                                "jsonPath($.name).find.exists, found nothing")
                        .map(GatlingText::outcome))
                .containsExactly(
                        RequestOutcome.STATUS,
                        RequestOutcome.TIMEOUT,
                        RequestOutcome.TIMEOUT,
                        RequestOutcome.REFUSED,
                        RequestOutcome.LOST,
                        RequestOutcome.BODY);
    }
}
