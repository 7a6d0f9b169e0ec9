package dev.kiln.load.driver;

import static dev.kiln.load.driver.LoadKit.closed;
import static dev.kiln.load.driver.LoadKit.loadUntil;
import static dev.kiln.load.driver.LoadKit.overHttp2;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.load.LoadSession;
import dev.kiln.load.PhaseResult;
import dev.kiln.model.load.LoadBin.Errors;
import dev.kiln.model.load.LoadSpec;

/** Http2Load is what tests of a load over HTTP/2 share: a driver, and what it is held against. */
abstract class Http2Load extends DrivenLoad {
    PhaseResult load(Http2Server server, LoadSpec spec, int requests) throws Exception {
        try (LoadSession session = driver.open(spec, run)) {
            return loadUntil(session, () -> server.requests.get() >= requests);
        }
    }

    PhaseResult load(Http2Server server, int connections, int streams) throws Exception {
        return load(server, overHttp2(closed(connections, server.url("/")), streams), 100);
    }

    static void assertAccounted(PhaseResult r) {
        assertThat(r.requests().started())
                .isEqualTo(r.requests().completed()
                        + r.requests().errors().total()
                        + r.requests().unfinished());
    }

    /** All that the server got was counted, and ended well. */
    static void assertClean(PhaseResult r, Http2Server server) {
        assertThat(r.requests().errors()).isEqualTo(Errors.NONE);
        assertThat(r.requests().completed()).isPositive();
        assertAccounted(r);
        assertThat((long) server.requests.get())
                .isBetween(
                        r.requests().completed(),
                        r.requests().started() + r.requests().resent());
    }
}
