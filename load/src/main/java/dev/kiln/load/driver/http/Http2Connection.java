package dev.kiln.load.driver.http;

import dev.kiln.load.LoadSession.AttemptResult;
import dev.kiln.load.driver.http.Http2Exchanges.Exchange;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.ssl.ApplicationProtocolNames;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * An Http2Connection sends over HTTP/2 the requests of several slots at a time, each on a stream. A request waits here while
 * there is no connection, or while the server allows no further stream. Nothing is sent before the server's settings are here:
 * they tell that it speaks HTTP/2, and how many streams it allows.
 */
@SuppressWarnings("FutureReturnValueIgnored") // what becomes of a close is told through the pipeline
final class Http2Connection extends Connection implements Http2Codec.Events {
    private static final String NAME = "connection";

    /** These slots may send over the connection. */
    private final List<Slot> slots;

    private final Http2Exchanges inFlight = new Http2Exchanges();
    private final Http2Codec codec;
    private final ArrayDeque<Slot> waiting = new ArrayDeque<>();
    private final List<Slot> readyAfterRead = new ArrayList<>();
    private final Runnable later = this::sendLater;
    private boolean connecting;
    /** The server's settings are here. */
    private boolean settled;
    /** It takes no further request. */
    private boolean leaving;
    /** The server said which requests it began with. */
    private boolean goneAway;

    private boolean closing;
    private boolean laterDue;
    private boolean inReadComplete;
    private long answers;

    Http2Connection(IoThread io, Calls calls, List<Slot> slots) {
        super(io, calls);
        this.slots = slots;
        codec = Http2Codec.of(inFlight, this, calls);
        channel.pipeline().addLast(NAME, this);
    }

    @Override
    boolean wanted() {
        return !waiting.isEmpty();
    }

    @Override
    void opened(Optional<String> chosen) {
        if (calls.tls().isPresent() && !chosen.equals(Optional.of(ApplicationProtocolNames.HTTP_2))) {
            notOpened(Trust.noHttp2(chosen.map(other -> "it chose " + other).orElse("it chose no protocol")));
            channel.close();
            return;
        }
        channel.pipeline().addBefore(NAME, null, codec);
    }

    @Override
    void notOpened(AttemptResult why) {
        long now = System.nanoTime();
        takeNoMore();
        drain(slot -> slot.notConnected(why, now));
    }

    @Override
    void shookHands(long nanos) {
        Slot first = waiting.peek();
        if (first != null) {
            first.shookHands(nanos);
        }
    }

    @Override
    public void first(Slot by) {
        send(by, by.call());
        if (!connecting) {
            connecting = true;
            connect();
        }
    }

    @Override
    public void send(Slot by, Call call) {
        if (settled && waiting.isEmpty() && codec.canOpenStream()) {
            open(by, call);
            flushOnce();
        } else {
            waiting.add(by);
        }
    }

    private void open(Slot by, Call call) {
        int stream = codec.nextStream();
        if (stream < 0) {
            // After 2^30 requests a connection has no number left for the next (RFC 9113, 5.1.1).
            leave();
            by.rerouted();
            return;
        }
        inFlight.begin(stream, by, call);
        codec.send(stream, call.http2(by.turn()));
    }

    /** Flushes once for requests that are due together. After a read the codec flushes by itself. */
    private void flushOnce() {
        if (!inReadComplete && !laterDue) {
            laterDue = true;
            channel.eventLoop().execute(later);
        }
    }

    private void sendLater() {
        laterDue = false;
        sendWaiting();
        codec.flush();
    }

    private void sendWaiting() {
        while (settled && codec.canOpenStream()) {
            Slot next = waiting.poll();
            if (next == null) {
                return;
            }
            open(next, next.call());
        }
    }

    /** Ends only the stream, because other slots have their requests on this connection. */
    @Override
    public void cancel(Slot by) {
        if (waiting.remove(by)) {
            if (!settled) {
                // As with HTTP/1.1, the next request tries another connection. Those that still wait may have luck with
                // this.
                takeNoMore();
                by.released();
                if (waiting.isEmpty()) {
                    channel.close();
                }
            }
            return;
        }
        int stream = inFlight.take(by);
        if (stream > 0) {
            codec.cancel(stream);
            flushOnce();
        }
        ended(by);
    }

    /** Goes on after a request has ended and the connection has not. */
    private void ended(Slot slot) {
        if (leaving) {
            slot.released();
            closeOnceDone();
        }
    }

    @Override
    boolean takesMore() {
        return !leaving;
    }

    @Override
    public boolean isQuiet() {
        boolean nobody = inFlight.isEmpty() && waiting.isEmpty();
        return settled && nobody && !laterDue && channel.isActive() && isWritten();
    }

    @Override
    public void abandon() {
        waiting.clear();
        inFlight.clear();
        takeNoMore();
        channel.close();
    }

    /** Has the slots send further requests over another connection. */
    private void takeNoMore() {
        leaving = true;
        slots.forEach(slot -> slot.left(this));
    }

    private void leave() {
        takeNoMore();
        drain(Slot::rerouted);
        closeOnceDone();
    }

    private void closeOnceDone() {
        if (inFlight.isEmpty() && !closing && channel.isActive()) {
            closing = true;
            channel.eventLoop().schedule(() -> channel.close(), CLOSE_GRACE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /** Slots are told when they are no longer held here: they may begin their next request at once. */
    private void drain(Consumer<Slot> tell) {
        List<Slot> all = List.copyOf(waiting);
        waiting.clear();
        all.forEach(tell);
    }

    @Override
    public void answered(int stream) {
        Exchange exchange = inFlight.take(stream);
        if (exchange == null) {
            return;
        }
        answers++;
        Slot slot = exchange.slot();
        long now = System.nanoTime();
        ended(slot);
        if (exchange.status() == 0) {
            slot.nonsense("an answer without a status", now);
        } else {
            readyAfterRead.add(slot);
            slot.answered(exchange.status(), exchange.asExpected(), now);
        }
    }

    /** Sends the next requests only when all that has arrived is read, as with HTTP/1.1. */
    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        inReadComplete = true;
        if (!readyAfterRead.isEmpty()) {
            long now = System.nanoTime();
            for (int i = 0; i < readyAfterRead.size(); i++) {
                readyAfterRead.get(i).ready(now);
            }
            readyAfterRead.clear();
        }
        sendWaiting();
        inReadComplete = false;
    }

    @Override
    public void connectionFailed(Throwable cause, boolean protocol) {
        if (!protocol) {
            broke(cause);
        } else if (!settled) {
            notOpened(Http2Codec.notSpoken(cause));
        } else {
            long now = System.nanoTime();
            leave();
            inFlight.takeAbove(0).forEach(exchange -> exchange.slot().malformed(Http2Codec.broken(cause), now));
        }
    }

    @Override
    public void streamFailed(int stream, Throwable cause) {
        Exchange exchange = inFlight.take(stream);
        if (exchange != null) {
            ended(exchange.slot());
            exchange.slot().nonsense(Http2Codec.broken(cause), System.nanoTime());
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        long now = System.nanoTime();
        boolean used = answers > 0 && !goneAway;
        takeNoMore();
        inFlight.takeAbove(0).forEach(exchange -> exchange.slot().closed(reset(), exchange.status() != 0, used, now));
        drain(settled ? Slot::rerouted : slot -> slot.closed(reset(), false, false, now));
    }

    @Override
    public void settings(Optional<Long> allowed) {
        settled = true;
        allowed.filter(streams -> streams < slots.size())
                .ifPresent(streams -> slots.getFirst()
                        .warn("the server allows " + streams
                                + " streams at a time on a connection, and " + slots.size()
                                + " were asked for: the other requests waited"));
        sendWaiting();
    }

    @Override
    public void reset(int stream, Http2Error why) {
        Exchange exchange = inFlight.take(stream);
        if (exchange == null) {
            return;
        }
        Slot slot = exchange.slot();
        if (why == Http2Error.REFUSED_STREAM) {
            leave();
            slot.unprocessed("stream refused", System.nanoTime());
        } else {
            ended(slot);
            slot.cutOff("stream reset (" + why + ")", System.nanoTime());
        }
    }

    @Override
    public void goAway(int lastStream) {
        long now = System.nanoTime();
        goneAway = true;
        List<Exchange> unprocessed = inFlight.takeAbove(lastStream);
        leave();
        unprocessed.forEach(exchange -> exchange.slot().unprocessed("connection closed without an answer", now));
    }

    @Override
    public void streamFreed() {
        if (!waiting.isEmpty()) {
            flushOnce();
        }
    }
}
