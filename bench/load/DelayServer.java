import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Answers each request after a delay, so that N closed-loop connections give N / delay requests/s whatever drives them. The delay
 * varies evenly by half, because with a fixed one all connections soon march in step.
 * Arguments: port, mean delay in ms, length of the body. Takes what arrives together for one request.
 */
class DelayServer {
    private record Due(long nanoTime, SocketChannel to) implements Comparable<Due> {
        @Override
        public int compareTo(Due o) {
            return Long.signum(nanoTime - o.nanoTime);
        }
    }

    private static final SplittableRandom RANDOM = new SplittableRandom(1);

    public static void main(String[] args) throws IOException {
        long delayNanos = Long.parseLong(args[1]) * 1_000_000;
        int length = Integer.parseInt(args[2]);
        ByteBuffer answer = ByteBuffer.wrap(
                ("HTTP/1.1 200 OK\r\nServer: delay\r\nContent-Type: text/plain\r\nContent-Length: " + length + "\r\n\r\n"
                                + "x".repeat(length))
                        .getBytes());
        ByteBuffer request = ByteBuffer.allocateDirect(8192);
        PriorityQueue<Due> queue = new PriorityQueue<>();
        Selector selector = Selector.open();
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])), 1024);
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
        System.out.println("ready");
        while (true) {
            long wait = queue.isEmpty() ? 1000 : (queue.peek().nanoTime() - System.nanoTime()) / 1_000_000 + 1;
            selector.select(key -> handle(key, listener, selector, request, queue, delayNanos), Math.max(1, wait));
            long now = System.nanoTime();
            while (!queue.isEmpty() && queue.peek().nanoTime() <= now) {
                send(queue.poll().to(), answer.duplicate());
            }
        }
    }

    private static void handle(
            SelectionKey key,
            ServerSocketChannel listener,
            Selector selector,
            ByteBuffer request,
            PriorityQueue<Due> queue,
            long delayNanos) {
        try {
            if (key.isAcceptable()) {
                SocketChannel accepted = listener.accept();
                accepted.configureBlocking(false);
                accepted.socket().setTcpNoDelay(true);
                accepted.register(selector, SelectionKey.OP_READ);
                return;
            }
            SocketChannel from = (SocketChannel) key.channel();
            request.clear();
            if (from.read(request) < 0) {
                from.close();
            } else {
                queue.add(new Due(System.nanoTime() + delayNanos / 2 + RANDOM.nextLong(delayNanos), from));
            }
        } catch (IOException e) {
            key.cancel();
        }
    }

    private static void send(SocketChannel to, ByteBuffer answer) {
        try {
            while (answer.hasRemaining()) {
                to.write(answer);
            }
        } catch (IOException e) {
            // The client went away.
        }
    }
}
