package dev.kiln.load.driver.http;

import dev.kiln.host.proc.ProcFs;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * An IoThread sends and receives; there is one, or a few where one is not enough. The loop is driven by hand, because then
 * deadlines cost no timer objects and the work gets exactly one turn per wake-up.
 */
public final class IoThread {
    /** IoWork is what the I/O thread works for. All methods run on its thread. */
    public interface IoWork {
        /** Returns when the next turn is due even if nothing arrives, by {@link System#nanoTime}. */
        long deadline();

        /** Does what is due; called after each wake-up. */
        void turn(long now);
    }

    private static final long IDLE_WAIT_NANOS = 1_000_000_000;

    private static final IoWork NOTHING = new IoWork() {
        @Override
        public long deadline() {
            return System.nanoTime() + IDLE_WAIT_NANOS;
        }

        @Override
        public void turn(long now) {}
    };

    private final Transport transport;
    private final Thread thread;
    private final ManualIoEventLoop loop;
    private IoWork work = NOTHING;
    private boolean stopped;

    /** Starts the thread, which has nothing to work for yet. */
    public IoThread(Transport transport) {
        this.transport = transport;
        this.thread = new FastThreadLocalThread(this::run, "kiln-load");
        this.loop = new ManualIoEventLoop(thread, transport.handlers());
        thread.setDaemon(true);
        thread.start();
    }

    @SuppressWarnings("FutureReturnValueIgnored") // isTerminated tells
    private void run() {
        while (!stopped) {
            turn();
        }
        loop.shutdownGracefully(0, 0, TimeUnit.NANOSECONDS);
        while (!loop.isTerminated()) {
            loop.run(-1);
        }
    }

    /** Waits and works once, in a method of its own: a loop that never returns is compiled less well. */
    private void turn() {
        long wait = work.deadline() - System.nanoTime();
        // 0 would mean: for ever.
        loop.run(wait > 0 ? wait : -1);
        work.turn(System.nanoTime());
    }

    /** Returns the kernel's id of this thread; empty where it is not known. */
    public OptionalInt tid() {
        return call(ProcFs::thisThread);
    }

    /** Runs a task on the I/O thread. Any thread may call it. */
    public void execute(Runnable task) {
        loop.execute(task);
    }

    /** Runs {@code task} on the I/O thread and waits for its result. Any other thread may call it. */
    public <T> T call(Callable<T> task) {
        CompletableFuture<T> result = new CompletableFuture<>();
        execute(() -> {
            try {
                result.complete(task.call());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        return result.join();
    }

    /** Has the loop work for this one from its next turn on. It is called on the I/O thread. */
    public void workFor(IoWork next) {
        work = next;
    }

    /** Has the loop work for nobody. It is called on the I/O thread. */
    public void rest() {
        work = NOTHING;
    }

    Channel newChannel() {
        return transport.newChannel();
    }

    /** Has the loop serve this channel from now on. */
    public ChannelFuture register(Channel channel) {
        EventLoopGroup group = loop;
        return group.register(channel);
    }

    /** Returns how this thread waits for sockets. */
    public Transport transport() {
        return transport;
    }

    /** Ends the loop, and waits for the thread to end. */
    public void stop() throws InterruptedException {
        execute(() -> stopped = true);
        thread.join();
    }

    /** A Transport waits for sockets: epoll costs less CPU per request, NIO works wherever a JVM does. */
    public enum Transport {
        EPOLL,
        NIO;

        /** Returns the best transport that this machine has. */
        public static Transport pick() {
            return Epoll.isAvailable() ? EPOLL : NIO;
        }

        IoHandlerFactory handlers() {
            return switch (this) {
                case EPOLL -> EpollIoHandler.newFactory();
                case NIO -> NioIoHandler.newFactory();
            };
        }

        Channel newChannel() {
            return switch (this) {
                case EPOLL -> new EpollSocketChannel();
                case NIO -> new NioSocketChannel();
            };
        }

        /** Returns what a user should know of the transport; none for the best one. */
        public List<String> notes() {
            return switch (this) {
                case EPOLL -> List.of();
                case NIO ->
                    List.of("native epoll is not available ("
                            + Epoll.unavailabilityCause().getMessage() + "): NIO costs more CPU per request");
            };
        }
    }
}
