package dev.kiln.load.driver.http;

import dev.kiln.load.driver.http.Call.Texts;
import dev.kiln.load.driver.http.Feeder.ReplaySchedule;
import dev.kiln.model.load.FeedTable;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import dev.kiln.model.load.LoadSpec.Variables;
import dev.kiln.model.load.Sending.Success;
import dev.kiln.model.load.Sending.Tls;
import io.netty.handler.codec.http2.Http2HeadersEncoder;
import io.netty.handler.codec.http2.Http2HeadersEncoder.SensitivityDetector;
import io.netty.handler.ssl.SslContext;
import io.netty.util.AsciiString;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Calls are a load's, encoded once, in smooth weighted round-robin (as nginx's upstream module). */
public final class Calls {
    private static final Variables NONE = new Variables(0, Optional.empty());
    private static final Success DEFAULT = new Success(List.of("2xx"));

    private final InetSocketAddress address;
    private final Call[] calls;
    private final Call first;
    private final Optional<ReplaySchedule> recording;
    private final List<String> names;
    private final int totalWeight;
    private final String host;
    private final Optional<SslContext> tls;
    private final boolean http2;
    private final SensitivityDetector unindexed;
    private final boolean[] good = new boolean[600];
    private final int taken;
    private final AsciiString[] keptHeaders;
    /** The source is what its calls are made of. */
    private final CallSource source;

    private record CallSource(LoadSpec spec, List<HttpCall> mine, Texts texts, boolean[] feeds, Feeder feeder) {
        Call call(int number) {
            return new Call(
                    mine.get(number), number, texts, feeds[number], spec.http2().isPresent(), feeder);
        }

        Call[] calls() {
            Call[] calls = new Call[mine.size()];
            Arrays.setAll(calls, this::call);
            return calls;
        }

        Call first(Call[] calls) {
            return texts == Texts.RECORDED
                    ? new Call(
                            mine.getFirst(),
                            0,
                            Texts.VARIED,
                            false,
                            spec.http2().isPresent(),
                            feeder)
                    : calls[0];
        }
    }

    /** Makes the calls, and resolves the host's name once. */
    Calls(LoadSpec spec, Feeder feeder) {
        LoadCheck.check(spec);
        URI url = spec.calls().getFirst().url();
        address = CallTargets.resolve(url);
        host = unbracketed(url.getHost());
        http2 = spec.http2().isPresent();
        tls = CallTargets.secure(url)
                ? Optional.of(Trust.context(spec.tls().orElse(Tls.SYSTEM), http2))
                : Optional.empty();
        List<HttpCall> mine = CallTargets.calls(spec, CallTargets.authority(url));
        recording = spec.replay().map(replay -> new ReplaySchedule(replay, feeder));
        Texts texts = recording.isPresent()
                ? Texts.RECORDED
                : spec.variables().isPresent() ? Texts.VARIED : Texts.AS_THEY_ARE;
        source = new CallSource(spec, mine, texts, feeds(mine, spec, feeder), feeder);
        calls = source.calls();
        first = source.first(calls);
        Set<AsciiString> varying = Arrays.stream(calls).flatMap(Call::varying).collect(Collectors.toUnmodifiableSet());
        unindexed = texts != Texts.AS_THEY_ARE
                ? (name, value) -> name instanceof AsciiString known && varying.contains(known)
                : Http2HeadersEncoder.NEVER_SENSITIVE;
        taken = feeder.taken();
        keptHeaders = Answer.keptHeaders(mine);
        names = LoadSpec.names(mine);
        totalWeight = mine.stream().mapToInt(HttpCall::weight).sum();
        for (int status = 0; status < good.length; status++) {
            good[status] = spec.success().orElse(DEFAULT).contains(status);
        }
    }

    /** Makes the same calls with buffers of their own. */
    private Calls(Calls other, Feeder feeder) {
        CallSource made = other.source;
        source = new CallSource(made.spec, made.mine, made.texts, made.feeds, feeder);
        calls = source.calls();
        first = source.first(calls);
        address = other.address;
        host = other.host;
        http2 = other.http2;
        tls = other.tls;
        recording = other.recording;
        unindexed = other.unindexed;
        taken = other.taken;
        keptHeaders = other.keptHeaders;
        names = other.names;
        totalWeight = other.totalWeight;
        System.arraycopy(other.good, 0, good, 0, good.length);
    }

    /** Returns the same calls for another event loop: they share the position in the feed, and nothing else that changes. */
    public static List<Calls> again(List<Calls> targets) {
        Feeder feeder = targets.getFirst().source.feeder.again();
        return targets.stream().map(each -> new Calls(each, feeder)).toList();
    }

    /** Tells whether the requests of any call differ. */
    public boolean varies() {
        return Arrays.stream(calls).anyMatch(Call::varies);
    }

    /** Tells for each call whether it uses a row of its own. In a session the first one does for all, which are of one user. */
    private static boolean[] feeds(List<HttpCall> mine, LoadSpec spec, Feeder feeder) {
        boolean[] feeds = new boolean[mine.size()];
        if (spec.variables().isPresent()) {
            for (int i = 0; i < feeds.length; i++) {
                feeds[spec.inSession() ? 0 : i] |= Call.feeds(mine.get(i), feeder);
            }
        }
        return feeds;
    }

    /** Makes the calls of each replica, in the order in which the load names them; one where all calls go to one target. */
    public static List<Calls> ofEach(LoadSpec spec, Optional<FeedTable> feed) {
        LoadCheck.check(spec);
        List<String> taken = spec.calls().stream()
                .flatMap(call -> call.step().stream())
                .flatMap(step -> step.take().keySet().stream())
                .distinct()
                .toList();
        Feeder feeder = new Feeder(spec.variables().orElse(NONE), feed, taken);
        return CallTargets.of(spec).stream()
                .map(target -> new Calls(spec.with(CallTargets.calls(spec, target)), feeder))
                .toList();
    }

    InetSocketAddress address() {
        return address;
    }

    /** Returns the host's name as the URL has it, for which a certificate must be valid. */
    String host() {
        return host;
    }

    /** Returns the TLS context; empty for plain text. */
    Optional<SslContext> tls() {
        return tls;
    }

    /** Tells whether an answer with this status is a good one. */
    boolean good(int status) {
        return status < good.length && good[status];
    }

    /** Tells whether the calls are sent over HTTP/2. */
    boolean http2() {
        return http2;
    }

    /** Returns which headers HPACK is not to remember, because their values do not come again. */
    SensitivityDetector unindexed() {
        return unindexed;
    }

    private static String unbracketed(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** Returns how many calls are counted one by one; 0 where there is but one, whose figures are those of the whole. */
    public int counted() {
        return calls.length > 1 ? calls.length : 0;
    }

    /** Returns the names of the calls, by their numbers. */
    public List<String> names() {
        return names;
    }

    /** Returns the call that awaits a service; a replay's is its URL, as recorded ones may change something. */
    public Call first() {
        return first;
    }

    /** Returns when recorded requests are due; empty where the load is no recording. */
    public Optional<ReplaySchedule> recording() {
        return recording;
    }

    Call get(int number) {
        return calls[number];
    }

    /** Returns the number of the call after this one; after the last comes the first. */
    int following(int number) {
        return number + 1 == calls.length ? 0 : number + 1;
    }

    /** Returns how many values a session has of its answers. */
    int taken() {
        return taken;
    }

    /** Returns the headers of answers that a session reads, in lower case. */
    AsciiString[] keptHeaders() {
        return keptHeaders;
    }

    /** Returns the lengths of the pauses after calls that have one, each once, in ns. */
    public List<Long> thinkNanos() {
        return Arrays.stream(calls)
                .map(call -> call.thinkNanos)
                .filter(nanos -> nanos > 0)
                .distinct()
                .toList();
    }

    Call next() {
        if (calls.length == 1) {
            return calls[0];
        }
        Call best = calls[0];
        for (Call call : calls) {
            call.current += call.weight;
            if (call.current > best.current) {
                best = call;
            }
        }
        best.current -= totalWeight;
        return best;
    }
}
