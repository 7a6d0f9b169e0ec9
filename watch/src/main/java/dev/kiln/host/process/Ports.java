package dev.kiln.host.process;

import dev.kiln.model.KilnException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Ports are the TCP ports of this machine. */
public final class Ports {
    private static final int CONNECT_TIMEOUT_MILLIS = 500;
    private static final int FIRST = 8100;
    private static final int COUNT = 1800;

    /** These are the ports that Kiln hands out, in words. */
    public static final String RANGE = FIRST + " to " + (FIRST + COUNT - 1);

    /** Two Kilns begin at different ports, so that neither takes the port that the other is about to take. */
    private static int last = (int) (ProcessHandle.current().pid() * 37 % COUNT);

    private Ports() {}

    /**
     * Returns a free port, and not one of the last that were handed out, because a target may not have bound its port
     * yet. The port has four digits: servers name threads by their port, and the kernel cuts names to 15 bytes. So
     * {@code http-nio-8123-e} and {@code http-nio-8123-P} differ, but with five digits both would be
     * {@code http-nio-41234-}. No client has a port below the ephemeral range.
     */
    public static synchronized int free() {
        for (int i = 0; i < COUNT; i++) {
            last = (last + 1) % COUNT;
            if (canBeBound(FIRST + last)) {
                return FIRST + last;
            }
        }
        throw KilnException.machine("no free TCP port from " + RANGE, "end what holds them (see: ss -ltnp)");
    }

    private static boolean canBeBound(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException taken) {
            return false;
        }
    }

    /** Tells whether a server of this machine can listen on that address. */
    public static boolean isHere(String address) {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(address))) {
            return socket.isBound();
        } catch (IOException another) {
            return false;
        }
    }

    /** Returns where to listen: {@code HOST:PORT}, or a port for clients of this machine alone. */
    public static InetSocketAddress listen(String text) {
        int colon = text.lastIndexOf(':');
        String port = text.substring(colon + 1);
        String host = colon < 0 ? "" : text.substring(0, colon).replaceAll("^\\[|]$", "");
        boolean good = colon >= 0 && port.matches("\\d{1,5}") && Integer.parseInt(port) <= 65_535;
        InetSocketAddress address = good
                ? host.isEmpty()
                        ? new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(port))
                        : new InetSocketAddress(host, Integer.parseInt(port))
                : InetSocketAddress.createUnresolved("", 0);
        if (address.isUnresolved()) {
            throw KilnException.usage(
                    "cannot listen at '" + text + "': "
                            + (good ? "no such host is known" : "it is no address with a port"),
                    "give :PORT for this machine alone, or 0.0.0.0:PORT for others too");
        }
        return address;
    }

    /** Fails if another program already answers at the target's address: Kiln would measure that program. */
    public static void requireFree(URI url) {
        int port = portOf(url);
        try {
            InetAddress address = InetAddress.getByName(hostOf(url));
            if ((address.isLoopbackAddress() || address.isAnyLocalAddress()) && accepts(address, port)) {
                throw KilnException.machine(
                        "port " + port + " is taken: something already answers at " + url,
                        "end it (see: ss -ltnp 'sport = :" + port + "'), or give the target another port");
            }
        } catch (java.net.UnknownHostException e) {
            throw KilnException.usage("unknown host in " + url, "check the URL of the load", e);
        }
    }

    public static boolean accepts(String host, int port) {
        try {
            return accepts(InetAddress.getByName(host), port);
        } catch (java.net.UnknownHostException e) {
            return false;
        }
    }

    public static boolean accepts(InetAddress address, int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address, port), CONNECT_TIMEOUT_MILLIS);
            return true;
        } catch (IOException refused) {
            return false;
        }
    }

    public static int portOf(URI url) {
        if (url.getPort() >= 0) {
            return url.getPort();
        }
        return "https".equalsIgnoreCase(url.getScheme()) ? 443 : 80;
    }

    /** Returns the ports of URLs that are served on this machine. */
    public static Set<Integer> here(Collection<URI> urls) {
        return urls.stream()
                .filter(url -> isHere(hostOf(url)))
                .map(Ports::portOf)
                .collect(Collectors.toSet());
    }

    private static String hostOf(URI url) {
        String host = url.getHost();
        if (host == null) {
            throw KilnException.usage("no host in URL " + url, "write it as http://host:port/path");
        }
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /** Tells whether header {@code Host} names this machine: another site's page cannot have these names. */
    public static boolean isThisMachine(Optional<String> host) {
        return host.filter(name ->
                        name.toLowerCase(Locale.ROOT).matches("(localhost|127(\\.\\d{1,3}){3}|\\[::1])(:\\d{1,5})?"))
                .isPresent();
    }
}
