package dev.kiln.load.driver;

import dev.kiln.load.LoadSession.AttemptResult;
import dev.kiln.load.LoadSession.AttemptResult.AttemptKind;
import dev.kiln.load.LoadSession.Probe;
import dev.kiln.load.LoadSession.Tick;
import dev.kiln.load.PhaseResult;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.Shape;
import dev.kiln.model.run.Course;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

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
