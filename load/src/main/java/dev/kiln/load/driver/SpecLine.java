package dev.kiln.load.driver;

import dev.kiln.load.driver.DriverLines.MessageFields;
import dev.kiln.load.driver.DriverLines.MessageWriter;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.Feed;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.LoadSpec.Replay;
import dev.kiln.model.load.LoadSpec.Step;
import dev.kiln.model.load.LoadSpec.Variables;
import dev.kiln.model.load.Sending;
import dev.kiln.model.load.Sending.Arrivals;
import dev.kiln.model.load.Sending.Http2;
import dev.kiln.model.load.Sending.Success;
import dev.kiln.model.load.Sending.Tls;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** A SpecLine is a load as it stands in the message that opens a session: {@link #read} reads what {@link #write} wrote. */
final class SpecLine {
    private SpecLine() {}

    static void write(MessageWriter line, LoadSpec spec) {
        line.add(spec.connections())
                .add(spec.rate().orElse(0))
                .add(spec.timeout().toNanos())
                .addAll(spec.arrivals().map(Arrivals::name).stream().toList())
                .add(spec.tls().map(Tls::insecure).orElse(false))
                .addAll(spec.tls().flatMap(Tls::ca).stream().toList())
                .add(spec.http2().map(Http2::streams).orElse(0))
                .addAll(spec.success().map(Success::statuses).orElse(List.of()))
                .addAll(spec.variables().map(SpecLine::texts).orElse(List.of()))
                .addAll(spec.replay().map(SpecLine::texts).orElse(List.of()))
                .add(spec.calls().size());
        for (HttpCall call : spec.calls()) {
            line.add(call.method()).add(call.url().toString()).add(call.weight());
            line.addAll(call.body().stream().toList())
                    .addAll(call.bodyContains().stream().toList())
                    .addAll(call.name().stream().toList());
            line.addAll(call.headers().entrySet().stream()
                    .flatMap(h -> Stream.of(h.getKey(), h.getValue()))
                    .toList());
            line.addAll(call.step().map(SpecLine::texts).orElse(List.of()));
        }
    }

    private static List<String> texts(Step step) {
        return Stream.concat(
                        Stream.of(
                                Boolean.toString(step.cookies()),
                                Long.toString(step.think().toNanos())),
                        step.take().entrySet().stream().flatMap(take -> Stream.of(take.getKey(), take.getValue())))
                .toList();
    }

    private static Optional<Step> step(List<String> texts) {
        if (texts.isEmpty()) {
            return Optional.empty();
        }
        Duration think = Duration.ofNanos(Long.parseLong(texts.get(1)));
        return Optional.of(
                new Step(Boolean.parseBoolean(texts.getFirst()), think, pairs(texts.subList(2, texts.size()))));
    }

    private static Map<String, String> pairs(List<String> texts) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (int i = 0; i < texts.size(); i += 2) {
            pairs.put(texts.get(i), texts.get(i + 1));
        }
        return pairs;
    }

    private static List<String> texts(Variables variables) {
        return Stream.concat(
                        Stream.of(Long.toString(variables.seed())),
                        variables.feed().stream()
                                .flatMap(feed -> Stream.of(
                                        feed.name(),
                                        Long.toString(feed.rows()),
                                        feed.order().name(),
                                        feed.sha256())))
                .toList();
    }

    private static List<String> texts(Replay replay) {
        return Stream.concat(
                        Stream.of(
                                replay.name(),
                                Long.toString(replay.requests()),
                                replay.period().toString(),
                                Double.toString(replay.speed()),
                                replay.sha256()),
                        replay.note().stream())
                .toList();
    }

    private static Optional<Replay> replay(List<String> texts) {
        return texts.isEmpty()
                ? Optional.empty()
                : Optional.of(new Replay(
                        texts.get(0),
                        Long.parseLong(texts.get(1)),
                        Duration.parse(texts.get(2)),
                        Double.parseDouble(texts.get(3)),
                        texts.stream().skip(5).findFirst(),
                        texts.get(4)));
    }

    private static Optional<Variables> variables(List<String> texts, List<String> replay) {
        return texts.isEmpty()
                ? Optional.empty()
                : Optional.of(new Variables(
                        Long.parseLong(texts.getFirst()),
                        texts.size() == 1
                                ? Optional.empty()
                                : Optional.of(new Feed(
                                        texts.get(1),
                                        Long.parseLong(texts.get(2)),
                                        Feed.Order.valueOf(texts.get(3)),
                                        texts.get(4))),
                        replay(replay)));
    }

    static LoadSpec read(MessageFields fields) {
        int connections = (int) fields.number();
        double rate = fields.real();
        Duration timeout = Duration.ofNanos(fields.number());
        Optional<Arrivals> arrivals = fields.texts().stream().findFirst().map(Arrivals::valueOf);
        boolean insecure = fields.flag();
        Tls tls = new Tls(fields.texts().stream().findFirst(), insecure);
        int streams = (int) fields.number();
        List<String> success = fields.texts();
        Optional<Variables> variables = variables(fields.texts(), fields.texts());
        List<HttpCall> calls = new ArrayList<>();
        for (long n = fields.number(); n > 0; n--) {
            String method = fields.text();
            URI url = URI.create(fields.text());
            int weight = (int) fields.number();
            Optional<String> body = fields.texts().stream().findFirst();
            Optional<String> contains = fields.texts().stream().findFirst();
            Optional<String> name = fields.texts().stream().findFirst();
            Map<String, String> headers = pairs(fields.texts());
            calls.add(new HttpCall(method, url, headers, body, weight, contains, name, step(fields.texts())));
        }
        return new LoadSpec(
                calls,
                new Sending(
                        connections,
                        rate > 0 ? OptionalDouble.of(rate) : OptionalDouble.empty(),
                        timeout,
                        Optional.empty(),
                        Optional.of(tls).filter(asked -> !asked.equals(Tls.SYSTEM)),
                        streams > 0 ? Optional.of(new Http2(streams)) : Optional.empty(),
                        arrivals,
                        success.isEmpty() ? Optional.empty() : Optional.of(new Success(success))),
                variables);
    }
}
