package dev.kiln.load.driver;

import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.LoadSpec;
import dev.kiln.model.LoadSpec.Http2;
import dev.kiln.model.LoadSpec.HttpCall;
import dev.kiln.model.LoadSpec.Tls;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.handler.ssl.SslContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The calls of a load, encoded once, and their order: smooth weighted round-robin (as nginx's upstream module does it), so that
 * equal loads send equal sequences.
 */
final class Calls {
    /** One call, ready to be sent. */
    static final class Call {
        final ByteBuf request;
        final boolean head;
        final Optional<BodyMatcher.Pattern> bodyContains;
        /** Among the calls of its target, from 0: those of replicas have the same. */
        final int number;
        /** Empty with HTTP/1.1. */
        final Optional<Http2Request> http2;

        private final int weight;
        private int current;

        Call(HttpCall call, int number, boolean overHttp2) {
            this.number = number;
            request = direct(encode(call));
            http2 = overHttp2 ? Optional.of(Http2Request.of(call)) : Optional.empty();
            head = call.method().equals("HEAD");
            bodyContains = call.bodyContains().map(BodyMatcher.Pattern::new);
            weight = call.weight();
        }
    }

    /** Freed with the session by the garbage collector, so that no write can outlive it. */
    static ByteBuf direct(byte[] bytes) {
        ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        return Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(direct));
    }

    private final InetSocketAddress address;
    private final Call[] calls;
    private final List<String> names;
    private final int totalWeight;
    private final String host;
    private final Optional<SslContext> tls;
    private final boolean http2;

    /** Resolves the host's name, once. */
    Calls(LoadSpec spec) {
        check(spec);
        URI first = spec.calls().getFirst().url();
        address = resolve(first);
        host = unbracketed(first.getHost());
        http2 = spec.http2().isPresent();
        tls = secure(first) ? Optional.of(Trust.context(spec.tls().orElse(Tls.SYSTEM), http2)) : Optional.empty();
        List<HttpCall> mine = to(spec, authority(first));
        calls = new Call[mine.size()];
        Arrays.setAll(calls, i -> new Call(mine.get(i), i, http2));
        names = LoadSpec.names(mine);
        totalWeight = mine.stream().mapToInt(HttpCall::weight).sum();
    }

    /** One for each replica, in the order in which the load names them; one where all calls go to one target. */
    static List<Calls> ofEach(LoadSpec spec) {
        check(spec);
        return targets(spec).stream()
                .map(target -> new Calls(spec.with(to(spec, target))))
                .toList();
    }

    private static List<String> targets(LoadSpec spec) {
        return spec.calls().stream()
                .map(call -> authority(call.url()))
                .distinct()
                .toList();
    }

    private static List<HttpCall> to(LoadSpec spec, String target) {
        return spec.calls().stream()
                .filter(call -> authority(call.url()).equals(target))
                .toList();
    }

    InetSocketAddress address() {
        return address;
    }

    /** The host's name as the URL has it: what a certificate must be for. */
    String host() {
        return host;
    }

    /** Empty for plain text. */
    Optional<SslContext> tls() {
        return tls;
    }

    /** Whether they are sent over HTTP/2. */
    boolean http2() {
        return http2;
    }

    static boolean secure(URI url) {
        return "https".equals(url.getScheme());
    }

    private static String unbracketed(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** How many calls are counted each: none where there is but one, whose figures are those of the whole. */
    int counted() {
        return calls.length > 1 ? calls.length : 0;
    }

    /** By the calls' numbers. */
    List<String> names() {
        return names;
    }

    Call first() {
        return calls[0];
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

    /** What can be said of a load without touching the network. */
    static void check(LoadSpec spec) {
        if (spec.calls().isEmpty() || spec.connections() < 1) {
            throw usage("the load has no call or no connection", "give at least one call and one connection");
        }
        checkHttp2(spec.connections(), spec.http2());
        if (spec.rate().isPresent() && !(spec.rate().getAsDouble() > 0)) {
            throw usage("the load's rate is not positive", "give a rate above 0, or none for the closed loop");
        }
        if (spec.timeout().isZero() || spec.timeout().isNegative()) {
            throw usage("the load's timeout is not positive", "give a timeout above 0");
        }
        spec.calls().forEach(Calls::check);
        String first = authority(spec.calls().getFirst().url());
        for (String target : targets(spec)) {
            if (!sameBut(to(spec, first), to(spec, target))) {
                throw usage(
                        to(spec, target).getFirst().url() + " does not go to " + first + " as the first call does",
                        "send all calls of a load to one host and port, or repeat all of them for each port");
            }
        }
    }

    static void checkHttp2(int connections, Optional<Http2> http2) {
        int streams = http2.map(Http2::streams).orElse(1);
        if (streams < 1 || (long) connections * streams > LoadSpec.MOST_IN_FLIGHT) {
            throw usage(
                    connections + " connections of " + streams + " streams are not between 1 and "
                            + LoadSpec.MOST_IN_FLIGHT + " requests in flight",
                    "give fewer connections, or fewer streams to each");
        }
    }

    /** Whether the second target gets what the first gets. */
    private static boolean sameBut(List<HttpCall> first, List<HttpCall> second) {
        return first.stream()
                .map(Calls::withoutTarget)
                .toList()
                .equals(second.stream().map(Calls::withoutTarget).toList());
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
                call.name());
    }

    private static void check(HttpCall call) {
        URI url = call.url();
        if (!(secure(url) || "http".equals(url.getScheme())) || url.getHost() == null) {
            throw usage("not an http or https URL with a host: " + url, "write it as http://host:port/path");
        }
        if (call.weight() < 1) {
            throw usage("the weight of " + url + " is below 1", "give whole weights from 1");
        }
        if (call.bodyContains().filter(String::isEmpty).isPresent()) {
            throw usage("bodyContains of " + url + " is empty", "leave it out");
        }
        call.headers().forEach((name, value) -> {
            if ((name + value).chars().anyMatch(c -> c == '\r' || c == '\n') || name.isBlank()) {
                throw usage("not a header: '" + name + ": " + value + "'", "headers are single lines with a name");
            }
        });
    }

    private static KilnException usage(String what, String remedy) {
        return new KilnException(Exit.USAGE, what, remedy);
    }

    private static String authority(URI url) {
        return (secure(url) ? "https://" : "") + url.getHost() + ":" + port(url);
    }

    private static int port(URI url) {
        return url.getPort() < 0 ? (secure(url) ? 443 : 80) : url.getPort();
    }

    private static InetSocketAddress resolve(URI url) {
        String host = url.getHost();
        // A URI keeps the brackets of an IPv6 literal; InetAddress takes them with or without.
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port(url));
        } catch (UnknownHostException e) {
            throw new KilnException(
                    Exit.MACHINE,
                    "the host name of " + url + " does not resolve",
                    "check the name, or use an address",
                    e);
        }
    }

    private static byte[] encode(HttpCall call) {
        Map<String, String> headers = headers(call);
        byte[] body = body(call);
        StringBuilder head = new StringBuilder(call.method())
                .append(' ')
                .append(path(call.url()))
                .append(" HTTP/1.1\r\n");
        headers.forEach(
                (name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
        byte[] first = head.append("\r\n").toString().getBytes(StandardCharsets.UTF_8);
        byte[] all = Arrays.copyOf(first, first.length + body.length);
        System.arraycopy(body, 0, all, first.length, body.length);
        return all;
    }

    /** All that are sent, Host among them, in the order of their names whatever their case. */
    static Map<String, String> headers(HttpCall call) {
        URI url = call.url();
        TreeMap<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.put("Host", url.getPort() < 0 ? url.getHost() : url.getHost() + ":" + url.getPort());
        // RFC 9110, 8.6: without it, some servers refuse or wait for a body.
        if (call.body().isPresent() || List.of("POST", "PUT", "PATCH").contains(call.method())) {
            headers.put("Content-Length", Integer.toString(body(call).length));
        }
        headers.putAll(call.headers());
        return headers;
    }

    static byte[] body(HttpCall call) {
        return call.body().orElse("").getBytes(StandardCharsets.UTF_8);
    }

    static String path(URI url) {
        String path = url.getRawPath() == null || url.getRawPath().isEmpty() ? "/" : url.getRawPath();
        return url.getRawQuery() == null ? path : path + "?" + url.getRawQuery();
    }
}
