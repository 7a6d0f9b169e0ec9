package dev.kiln.load.driver.http;

import dev.kiln.model.KilnException;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.Sending.Http2;
import java.net.URI;
import java.util.List;
import java.util.Optional;

/** A LoadCheck checks what can be checked of a load without the network. */
public final class LoadCheck {
    private LoadCheck() {}

    /** Refuses a load that cannot be sent. */
    public static void check(LoadSpec spec) {
        if (spec.calls().isEmpty() || spec.connections() < 1) {
            throw KilnException.usage(
                    "the load has no call or no connection", "give at least one call and one connection");
        }
        checkHttp2(spec.connections(), spec.http2());
        if (spec.rate().isPresent() && !(spec.rate().getAsDouble() > 0)) {
            throw KilnException.usage(
                    "the load's rate is not positive", "give a rate above 0, or none for the closed loop");
        }
        if (spec.timeout().isZero() || spec.timeout().isNegative()) {
            throw KilnException.usage("the load's timeout is not positive", "give a timeout above 0");
        }
        spec.calls().forEach(LoadCheck::check);
        String first = CallTargets.authority(spec.calls().getFirst().url());
        for (String target : CallTargets.of(spec)) {
            if (!sameBut(CallTargets.calls(spec, first), CallTargets.calls(spec, target))) {
                throw KilnException.usage(
                        CallTargets.calls(spec, target).getFirst().url() + " does not go to " + first
                                + " as the first call does",
                        "send all calls of a load to one host and port, or repeat all of them for each port");
            }
        }
    }

    /** Refuses streams that are too many or too few for so many connections. */
    public static void checkHttp2(int connections, Optional<Http2> http2) {
        int streams = http2.map(Http2::streams).orElse(1);
        if (streams < 1 || (long) connections * streams > LoadSpec.MOST_IN_FLIGHT) {
            throw KilnException.usage(
                    connections + " connections of " + streams + " streams are not between 1 and "
                            + LoadSpec.MOST_IN_FLIGHT + " requests in flight",
                    "give fewer connections, or fewer streams to each");
        }
    }

    /** Tells whether the second target gets the same requests as the first. */
    private static boolean sameBut(List<HttpCall> first, List<HttpCall> second) {
        return first.stream()
                .map(LoadCheck::withoutTarget)
                .toList()
                .equals(second.stream().map(LoadCheck::withoutTarget).toList());
    }

    private static HttpCall withoutTarget(HttpCall call) {
        String path = call.url().getRawPath() + "?" + call.url().getRawQuery();
        return new HttpCall(
                call.method(),
                URI.create("http://any" + (path.startsWith("/") ? path : "/" + path)),
                call.headers(),
                call.body(),
                call.weight(),
                call.bodyContains(),
                call.name(),
                call.step());
    }

    private static void check(HttpCall call) {
        URI url = call.url();
        if (!(CallTargets.secure(url) || "http".equals(url.getScheme())) || url.getHost() == null) {
            throw KilnException.usage(
                    "not an http or https URL with a host: " + url, "write it as http://host:port/path");
        }
        if (call.weight() < 1) {
            throw KilnException.usage("the weight of " + url + " is below 1", "give whole weights from 1");
        }
        if (call.bodyContains().filter(String::isEmpty).isPresent()) {
            throw KilnException.usage("bodyContains of " + url + " is empty", "leave it out");
        }
        call.headers().forEach((name, value) -> {
            if ((name + value).chars().anyMatch(c -> c == '\r' || c == '\n') || name.isBlank()) {
                throw KilnException.usage(
                        "not a header: '" + name + ": " + value + "'", "headers are single lines with a name");
            }
        });
    }
}
