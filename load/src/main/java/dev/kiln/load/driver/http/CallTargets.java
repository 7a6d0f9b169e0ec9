package dev.kiln.load.driver.http;

import dev.kiln.model.KilnException;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.load.LoadSpec.HttpCall;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;

/** CallTargets are the hosts and ports to which the calls of a load go: one, or one for each replica. */
final class CallTargets {
    private CallTargets() {}

    /** Returns them, each once, in the order in which the load names them. */
    static List<String> of(LoadSpec spec) {
        return spec.calls().stream()
                .map(call -> authority(call.url()))
                .distinct()
                .toList();
    }

    /** Returns the calls that go to one of them. */
    static List<HttpCall> calls(LoadSpec spec, String target) {
        return spec.calls().stream()
                .filter(call -> authority(call.url()).equals(target))
                .toList();
    }

    static boolean secure(URI url) {
        return "https".equals(url.getScheme());
    }

    static String authority(URI url) {
        return (secure(url) ? "https://" : "") + url.getHost() + ":" + port(url);
    }

    private static int port(URI url) {
        return url.getPort() < 0 ? (secure(url) ? 443 : 80) : url.getPort();
    }

    static InetSocketAddress resolve(URI url) {
        String host = url.getHost();
        // A URI keeps the brackets of an IPv6 literal; InetAddress takes them with or without.
        try {
            return new InetSocketAddress(InetAddress.getByName(host), port(url));
        } catch (UnknownHostException e) {
            throw KilnException.machine(
                    "the host name of " + url + " does not resolve", "check the name, or use an address", e);
        }
    }
}
