package dev.kiln.load.driver;

import dev.kiln.load.LoadSession.AttemptResult;
import dev.kiln.load.LoadSession.AttemptResult.AttemptKind;
import dev.kiln.load.LoadSession.Probe;
import dev.kiln.load.LoadSession.Tick;
import dev.kiln.load.PhaseResult;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadBin;
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
import dev.kiln.model.load.Shape;
import dev.kiln.model.run.Course;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * DriverLines are the messages between Kiln and its driver process: lines of tab-separated fields, the first of which names the
 * message. Plain text rather than JSON, because a mapper would still be compiled while the driver measures.
 */
final class DriverLines {
    private DriverLines() {}

    /** A MessageWriter builds one message. */
    static final class MessageWriter {
        private final StringBuilder text = new StringBuilder();

        MessageWriter(String message) {
            text.append(message);
        }

        MessageWriter add(String field) {
            text.append('\t');
            for (int i = 0; i < field.length(); i++) {
                char c = field.charAt(i);
                switch (c) {
                    case '\\' -> text.append("\\\\");
                    case '\t' -> text.append("\\t");
                    case '\n' -> text.append("\\n");
                    case '\r' -> text.append("\\r");
                    default -> text.append(c);
                }
            }
            return this;
        }

        MessageWriter add(long field) {
            text.append('\t').append(field);
            return this;
        }

        MessageWriter add(double field) {
            text.append('\t').append(field);
            return this;
        }

        MessageWriter add(boolean field) {
            text.append('\t').append(field);
            return this;
        }

        MessageWriter addAll(List<String> fields) {
            add(fields.size());
            fields.forEach(this::add);
            return this;
        }

        MessageWriter end() {
            text.append('\n');
            return this;
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }

    /** MessageFields reads a message field by field. */
    static final class MessageFields {
        private final String[] raw;
        private final UnaryOperator<RuntimeException> wrong;
        private int next;

        MessageFields(String line) {
            this(line, UnaryOperator.identity());
        }

        /** @param wrong makes an exception of a field that is missing, or not of its kind */
        MessageFields(String line, UnaryOperator<RuntimeException> wrong) {
            raw = line.split("\t", -1);
            this.wrong = wrong;
        }

        private <T> T next(Function<String, T> read) {
            try {
                return read.apply(raw[next++]);
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                throw wrong.apply(e);
            }
        }

        String text() {
            return next(MessageFields::plain);
        }

        private static String plain(String field) {
            if (field.indexOf('\\') < 0) {
                return field;
            }
            StringBuilder plain = new StringBuilder();
            for (int i = 0; i < field.length(); i++) {
                char c = field.charAt(i);
                plain.append(c == '\\' ? unescaped(field.charAt(++i)) : c);
            }
            return plain.toString();
        }

        private static char unescaped(char c) {
            return switch (c) {
                case 't' -> '\t';
                case 'n' -> '\n';
                case 'r' -> '\r';
                default -> c;
            };
        }

        boolean atEnd() {
            return next == raw.length;
        }

        long number() {
            return next(Long::valueOf);
        }

        double real() {
            return next(Double::valueOf);
        }

        <E extends Enum<E>> E one(Class<E> of) {
            return next(name -> Enum.valueOf(of, name));
        }

        List<Double> reals() {
            List<Double> reals = new ArrayList<>();
            for (long n = number(); n > 0; n--) {
                reals.add(real());
            }
            return reals;
        }

        boolean flag() {
            return next(Boolean::parseBoolean);
        }

        List<String> texts() {
            List<String> texts = new ArrayList<>();
            for (long n = number(); n > 0; n--) {
                texts.add(text());
            }
            return texts;
        }
    }

    static void add(MessageWriter line, LoadSpec spec) {
        line.add(spec.connections())
                .add(spec.rate().orElse(0))
                .add(spec.timeout().toNanos())
                .addAll(spec.arrivals().map(Arrivals::name).stream().toList())
                .add(spec.tls().map(Tls::insecure).orElse(false))
                .addAll(spec.tls().flatMap(Tls::ca).stream().toList())
                .add(spec.http2().map(Http2::streams).orElse(0))
                .addAll(spec.success().map(Success::statuses).orElse(List.of()))
                .addAll(spec.variables().map(DriverLines::texts).orElse(List.of()))
                .addAll(spec.replay().map(DriverLines::texts).orElse(List.of()))
                .add(spec.calls().size());
        for (HttpCall call : spec.calls()) {
            line.add(call.method()).add(call.url().toString()).add(call.weight());
            line.addAll(call.body().stream().toList())
                    .addAll(call.bodyContains().stream().toList())
                    .addAll(call.name().stream().toList());
            line.addAll(call.headers().entrySet().stream()
                    .flatMap(h -> Stream.of(h.getKey(), h.getValue()))
                    .toList());
            line.addAll(call.step().map(DriverLines::texts).orElse(List.of()));
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

    static LoadSpec spec(MessageFields fields) {
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

    static MessageWriter line(Phase.Load phase) {
        MessageWriter line =
                new MessageWriter("load").add(phase.name()).add(phase.duration().toNanos());
        phase.shape()
                .ifPresent(shape -> line.add(shape.kind().name())
                        .add(shape.of().name())
                        .add(shape.from())
                        .add(shape.to())
                        .add(shape.steps())
                        .add(shape.aggression()));
        return line;
    }

    static Phase.Load phase(MessageFields f) {
        String name = f.text();
        Duration duration = Duration.ofNanos(f.number());
        return new Phase.Load(
                name,
                duration,
                Optional.empty(),
                f.atEnd()
                        ? Optional.empty()
                        : Optional.of(new Shape(
                                Shape.ShapeKind.valueOf(f.text()),
                                Shape.Of.valueOf(f.text()),
                                f.real(),
                                f.real(),
                                (int) f.number(),
                                f.real())),
                Optional.empty());
    }

    static MessageWriter line(Probe probe) {
        return switch (probe) {
            case Probe.Answered a ->
                new MessageWriter("probed").add(true).add(a.nanoTime()).add(a.attempts());
            case Probe.NoAnswer u ->
                new MessageWriter("probed")
                        .add(false)
                        .add(u.last().words())
                        .add(u.last().kind().name())
                        .add(u.attempts());
        };
    }

    static Probe probe(MessageFields f) {
        return f.flag()
                ? new Probe.Answered(f.number(), f.number())
                : new Probe.NoAnswer(new AttemptResult(f.text(), f.one(AttemptKind.class)), f.number());
    }

    static MessageWriter line(Tick tick) {
        return new MessageWriter("tick")
                .add(tick.phase())
                .add(tick.second())
                .add(tick.requestsPerSecond())
                .add(tick.p99Nanos())
                .add(tick.errors());
    }

    static Tick tick(MessageFields f) {
        return new Tick(f.text(), (int) f.number(), f.real(), f.number(), f.number());
    }

    static MessageWriter line(PhaseResult r) {
        PhaseResult.Requests q = r.requests();
        LoadBin.Errors e = q.errors();
        PhaseResult.DriverWork work = r.work();
        PhaseResult.Cost c = work.cost();
        MessageWriter line =
                new MessageWriter("result").add(r.phase()).add(r.startNanos()).add(r.endNanos());
        line.add(q.started()).add(q.completed());
        line.add(e.refused()).add(e.reset()).add(e.timeout()).add(e.non2xx()).add(e.badBody());
        line.add(q.unfinished()).add(q.unsent()).add(q.resent());
        line.add(q.hung().isPresent());
        q.hung().ifPresent(hung -> line.add(hung.count()).add(hung.oldestNanos()));
        Course.Handshakes h = work.handshakes();
        line.add(r.cancelled()).add(h.count()).add(h.nanos()).add(h.maxNanos());
        line.add(c.cpuNanos()).add(c.jitNanos()).add(c.gcNanos());
        line.addAll(work.loops().stream().map(String::valueOf).toList());
        return line.add(work.maxLagNanos()).addAll(r.warnings());
    }

    static PhaseResult result(MessageFields f) {
        return new PhaseResult(
                f.text(),
                f.number(),
                f.number(),
                new PhaseResult.Requests(
                        f.number(),
                        f.number(),
                        new LoadBin.Errors(f.number(), f.number(), f.number(), f.number(), f.number()),
                        f.number(),
                        f.number(),
                        f.number(),
                        f.flag() ? Optional.of(new Course.Hung(f.number(), f.number())) : Optional.empty()),
                f.flag(),
                new PhaseResult.DriverWork(
                        new Course.Handshakes(f.number(), f.number(), f.number()),
                        new PhaseResult.Cost(f.number(), f.number(), f.number()),
                        f.reals(),
                        f.number()),
                f.texts());
    }
}
