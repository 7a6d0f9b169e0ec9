package dev.kiln.load.driver;

import dev.kiln.load.LoadSession;
import dev.kiln.load.PhaseResult;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.Sending.Http2;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;

/** Short ways to say what tests of the load say often. */
final class LoadKit {
    static final Duration LONG = Duration.ofSeconds(30);

    private LoadKit() {}

    static LoadSpec closed(int connections, HttpCall... calls) {
        return new LoadSpec(List.of(calls), connections, OptionalDouble.empty(), LONG);
    }

    static LoadSpec closed(int connections, URI url) {
        return closed(connections, HttpCall.get(url));
    }

    static LoadSpec open(double rate, int connections, URI url) {
        return new LoadSpec(List.of(HttpCall.get(url)), connections, OptionalDouble.of(rate), LONG);
    }

    static LoadSpec timingOut(LoadSpec spec, int millis) {
        return new LoadSpec(spec.calls(), spec.connections(), spec.rate(), Duration.ofMillis(millis));
    }

    static LoadSpec overHttp2(LoadSpec spec, int streams) {
        return spec.with(new Http2(streams));
    }

    static HttpCall call(String method, URI url, int weight) {
        return new HttpCall(
                method, url, Map.of(), Optional.empty(), weight, Optional.empty(), Optional.empty(), Optional.empty());
    }

    static HttpCall containing(URI url, String text) {
        return new HttpCall(
                "GET", url, Map.of(), Optional.empty(), 1, Optional.of(text), Optional.empty(), Optional.empty());
    }

    static Phase.Load phase(String name, int millis) {
        return new Phase.Load(name, Duration.ofMillis(millis));
    }

    static Phase.Pause pause(int millis) {
        return new Phase.Pause("pause", Duration.ofMillis(millis));
    }

    /** Loads until a condition holds, however slow the machine is. */
    static PhaseResult loadUntil(LoadSession session, BooleanSupplier enough) throws InterruptedException {
        Thread watcher = Thread.ofPlatform().daemon().start(() -> {
            try {
                while (!enough.getAsBoolean()) {
                    Thread.sleep(2);
                }
            } catch (InterruptedException e) {
                return;
            }
            session.cancel();
        });
        PhaseResult result = session.load(phase("load", 50_000), tick -> {});
        watcher.interrupt();
        watcher.join();
        return result;
    }
}
