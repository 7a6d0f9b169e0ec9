package dev.kiln.model;

import dev.kiln.model.LoadSpec.HttpCall;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A {@link LoadSpec} whose texts still have placeholders in them.
 *
 * @param engine what sends it
 * @param settings the engine's own options
 */
public record LoadTemplate(
        List<Call> calls,
        int connections,
        OptionalDouble rate,
        Duration timeout,
        LoadEngine engine,
        Optional<EngineSettings> settings) {
    public LoadTemplate {
        calls = List.copyOf(calls);
    }

    /** Of an engine that wants to know nothing more. */
    public LoadTemplate(List<Call> calls, int connections, OptionalDouble rate, Duration timeout, LoadEngine engine) {
        this(calls, connections, rate, timeout, engine, Optional.empty());
    }

    /** Sent by Kiln's own driver. */
    public LoadTemplate(List<Call> calls, int connections, OptionalDouble rate, Duration timeout) {
        this(calls, connections, rate, timeout, LoadEngine.KILN);
    }

    /** The settings, if they are those of this kind of engine. */
    public <T extends EngineSettings> Optional<T> settings(Class<T> kind) {
        return settings.filter(kind::isInstance).map(kind::cast);
    }

    public LoadTemplate with(LoadEngine other) {
        return new LoadTemplate(calls, connections, rate, timeout, other, settings);
    }

    public LoadTemplate with(EngineSettings other) {
        return new LoadTemplate(calls, connections, rate, timeout, engine, Optional.of(other));
    }

    /** An {@link HttpCall} whose URL, headers and body still have placeholders in them. */
    public record Call(
            String method,
            String url,
            Map<String, String> headers,
            Optional<String> body,
            int weight,
            Optional<String> bodyContains) {
        public Call {
            headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
        }

        public HttpCall fill(Placeholders values) {
            Map<String, String> filled = new LinkedHashMap<>();
            headers.forEach((name, value) -> filled.put(name, values.fill(value)));
            return new HttpCall(
                    method, URI.create(values.fill(url)), filled, body.map(values::fill), weight, bodyContains);
        }
    }

    public LoadTemplate withConnections(int other) {
        return new LoadTemplate(calls, other, rate, timeout, engine, settings);
    }

    public LoadSpec fill(Placeholders values) {
        return new LoadSpec(calls.stream().map(call -> call.fill(values)).toList(), connections, rate, timeout);
    }
}
