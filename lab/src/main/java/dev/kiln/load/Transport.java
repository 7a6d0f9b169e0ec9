package dev.kiln.load;

import io.netty.channel.Channel;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.List;

/** How sockets are waited for. Native epoll costs less CPU per request; NIO works wherever a JVM does. */
enum Transport {
    EPOLL,
    NIO;

    static Transport pick() {
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

    List<String> notes() {
        return switch (this) {
            case EPOLL -> List.of();
            case NIO ->
                List.of("native epoll is not available ("
                        + Epoll.unavailabilityCause().getMessage() + "): NIO costs more CPU per request");
        };
    }
}
