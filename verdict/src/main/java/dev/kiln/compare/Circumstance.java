package dev.kiln.compare;

import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.Feed;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.LoadSpec.Replay;
import dev.kiln.model.load.LoadSpec.Variables;
import dev.kiln.model.load.Sending.Http2;
import dev.kiln.model.load.Shape;
import dev.kiln.model.run.Machine;
import dev.kiln.model.run.RunInfo;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * A Circumstance is one thing that must be alike for two experiments to be compared fairly. Two are alike where these records
 * are equal, so they hold what counts and nothing else: seconds and GiB are whole, rates have three decimals.
 */
public sealed interface Circumstance {
    /** Returns what differs where two are not alike, in words for people; it is also the name in a file of results. */
    default String what() {
        return switch (this) {
            case ProtocolPhases phases -> "protocols";
            case Sent sent -> "load";
            case Driver driver -> "load drivers";
            case Host host -> "hosts";
            case TargetCpus cpus -> "CPUs of the target";
        };
    }

    /** Returns the circumstance itself in words, so that a reader can see in what two of them differ. */
    String words();

    /** Tells whether this is a property of the machine: Kiln gives the target more CPUs on a larger one. */
    default boolean ofMachine() {
        return this instanceof Host || this instanceof TargetCpus;
    }

    /** Returns every circumstance that a run has recorded, one of each kind. */
    static List<Circumstance> of(RunInfo info) {
        return List.of(
                ProtocolPhases.of(info),
                Sent.of(info.load()),
                new Driver(info.driver()),
                Host.of(info.host()),
                new TargetCpus(
                        info.cpus().pinned()
                                ? OptionalInt.of(info.cpus().target().size())
                                : OptionalInt.empty()));
    }

    /**
     * ProtocolPhases have no names.
     *
     * @param favoured whether the compilers are, while a reference is sought; empty without a search
     * @param beside whether Kiln had the other variant under the same load at the same time
     */
    record ProtocolPhases(List<Stage> stages, Optional<Boolean> favoured, boolean beside) implements Circumstance {
        public ProtocolPhases {
            stages = List.copyOf(stages);
        }

        /** A Stage is one phase; its times are in whole seconds. */
        record Stage(
                boolean load,
                long seconds,
                OptionalLong untilSteadyFrom,
                OptionalLong untilKnownFrom,
                Optional<Shape> shape) {
            static Stage of(Phase phase) {
                return switch (phase) {
                    case Phase.Load load ->
                        new Stage(
                                true,
                                whole(load.duration()),
                                whole(load.untilSteadyFrom()),
                                whole(load.untilKnownFrom()),
                                load.shape());
                    case Phase.Pause pause ->
                        new Stage(
                                false,
                                whole(pause.duration()),
                                OptionalLong.empty(),
                                OptionalLong.empty(),
                                Optional.empty());
                };
            }

            private static OptionalLong whole(Optional<Duration> from) {
                return from.map(some -> OptionalLong.of(whole(some))).orElse(OptionalLong.empty());
            }

            private static long whole(Duration duration) {
                return Math.round(duration.toMillis() / 1e3);
            }

            private String words() {
                return (load ? "load " : "pause ") + seconds + " s"
                        + (untilSteadyFrom.isPresent()
                                ? " or until steady from " + untilSteadyFrom.getAsLong() + " s"
                                : "")
                        + (untilKnownFrom.isPresent()
                                ? " or until known from " + untilKnownFrom.getAsLong() + " s"
                                : "")
                        + shape.map(some -> " (" + some.text() + ")").orElse("");
            }
        }

        static ProtocolPhases of(RunInfo info) {
            return new ProtocolPhases(
                    info.protocol().phases().stream().map(Stage::of).toList(),
                    info.protocol().reference().map(reference -> reference.favoured()),
                    info.duet().isPresent());
        }

        @Override
        public String words() {
            return stages.stream().map(Stage::words).collect(Collectors.joining(", "))
                    + favoured.map(also -> ", until the peak is found" + (also ? " with the compilers favoured" : ""))
                            .orElse("")
                    + (beside ? ", beside another service" : "");
        }
    }

    /**
     * Sent is what the load sends: calls, rate, connections, and the files that feed it.
     *
     * @param rate offered in a second, to three decimals; empty in the closed loop
     * @param streams of a connection; empty with HTTP/1.1
     */
    record Sent(
            List<Sort> calls,
            OptionalDouble rate,
            boolean poisson,
            int connections,
            OptionalInt streams,
            Optional<Fed> feed,
            Optional<Replayed> replay)
            implements Circumstance {
        public Sent {
            calls = List.copyOf(calls);
        }

        /** A Sort is one sort of request, without host and port: a free port is another one each time. */
        record Sort(String method, String target, OptionalInt bodyLength, int weight, Optional<User> user) {
            static Sort of(HttpCall call) {
                URI url = call.url();
                String query = url.getRawQuery() == null ? "" : "?" + url.getRawQuery();
                return new Sort(
                        call.method(),
                        url.getRawPath() + query,
                        call.body().map(text -> OptionalInt.of(text.length())).orElse(OptionalInt.empty()),
                        call.weight(),
                        call.step()
                                .map(step ->
                                        new User(step.cookies(), step.think().toMillis())));
            }

            private String words() {
                return method + " " + target
                        + (bodyLength.isPresent() ? " with a body of " + bodyLength.getAsInt() : "")
                        + (weight == 1 ? "" : " x" + weight)
                        + user.map(User::words).orElse("");
            }
        }

        /** A User says how a user of a session sends one step: with cookies or not, and after what time. */
        record User(boolean cookies, long thinkMillis) {
            private String words() {
                return " (a step of a session" + (cookies ? " with cookies" : "")
                        + (thinkMillis == 0 ? "" : ", " + thinkMillis + " ms of thinking after it") + ")";
            }
        }

        /** Fed names the file that the values of the requests come from, and the order in which its rows are used. */
        record Fed(String name, String sha256, Feed.Order order) {}

        /** Replayed names the log that is replayed, and the speed to three decimals. */
        record Replayed(String name, String sha256, double speed) {}

        static Sent of(LoadSpec load) {
            Optional<Replay> replay = load.replay();
            return new Sent(
                    load.calls().stream().map(Sort::of).toList(),
                    load.rate().isPresent()
                            ? OptionalDouble.of(thousandths(load.rate().getAsDouble()))
                            : OptionalDouble.empty(),
                    load.rate().isPresent() && load.poisson(),
                    load.connections(),
                    load.http2().map(Http2::streams).map(OptionalInt::of).orElse(OptionalInt.empty()),
                    load.variables()
                            .flatMap(Variables::feed)
                            .map(feed -> new Fed(feed.name(), feed.sha256(), feed.order())),
                    replay.map(log -> new Replayed(log.name(), log.sha256(), thousandths(log.speed()))));
        }

        private static double thousandths(double value) {
            return Math.round(value * 1e3) / 1e3;
        }

        @Override
        public String words() {
            String offered = rate.isPresent()
                    ? String.format(
                            Locale.ROOT, "%.3f requests/s%s over ", rate.getAsDouble(), poisson ? " (Poisson)" : "")
                    : "";
            return calls.stream().map(Sort::words).collect(Collectors.joining(" + ")) + ", " + offered + connections
                    + " connections"
                    + (streams.isPresent() ? " of " + streams.getAsInt() + " streams (HTTP/2)" : "")
                    + feed.map(some -> ", fed from " + some.name() + " " + begin(some.sha256()) + " " + some.order())
                            .orElse("")
                    + replay.map(some -> ", replayed from " + some.name() + " " + begin(some.sha256())
                                    + String.format(Locale.ROOT, " at speed %.3f", some.speed()))
                            .orElse("");
        }

        private static String begin(String sha256) {
            return sha256.substring(0, Math.min(8, sha256.length()));
        }
    }

    /** A Driver is the program that sends the load, named with its version. */
    record Driver(String name) implements Circumstance {
        @Override
        public String words() {
            return name;
        }
    }

    /** A Host is the machine of the target. */
    record Host(String cpuModel, int cpus, long gib, String kernel, String scheduler) implements Circumstance {
        static Host of(Machine.HostInfo host) {
            return new Host(
                    host.cpuModel(),
                    host.cpus(),
                    Math.round(host.memoryBytes() / (double) (1 << 30)),
                    host.kernel(),
                    host.scheduler());
        }

        /** Returns the machine whatever share of its CPUs a target may use. */
        public Host withoutCpus() {
            return new Host(cpuModel, 0, gib, kernel, scheduler);
        }

        @Override
        public String words() {
            return cpuModel + ", " + cpus + (cpus == 1 ? " CPU, " : " CPUs, ") + gib + " GiB, kernel " + kernel + ", "
                    + scheduler;
        }
    }

    /** TargetCpus is the number of CPUs that the target is bound to; it is empty where the target is not bound. */
    record TargetCpus(OptionalInt bound) implements Circumstance {
        @Override
        public String words() {
            return bound.isPresent() ? bound.getAsInt() + " bound" : "not bound";
        }
    }
}
