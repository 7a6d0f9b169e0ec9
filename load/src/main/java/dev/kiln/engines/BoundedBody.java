package dev.kiln.engines;

import java.io.IOException;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;

/** A BoundedBody takes the body of an answer up to a number of bytes, and ends one of more with a {@link TooLong}. */
final class BoundedBody<T> implements BodySubscriber<T> {
    private final BodySubscriber<T> body;
    private final long most;
    private Optional<Subscription> subscription = Optional.empty();
    private long seen;

    /** TooLong says that an answer has more bytes than Kiln takes, which no other failure of a connection says. */
    static final class TooLong extends IOException {
        private static final long serialVersionUID = 1L;

        TooLong(long most) {
            super("its answer exceeds " + (most >> 20) + " MB");
        }
    }

    private BoundedBody(BodySubscriber<T> body, long most) {
        this.body = body;
        this.most = most;
    }

    static <T> BodyHandler<T> of(BodyHandler<T> handler, long most) {
        return answer -> new BoundedBody<>(handler.apply(answer), most);
    }

    @Override
    public CompletionStage<T> getBody() {
        return body.getBody();
    }

    @Override
    public void onSubscribe(Subscription to) {
        subscription = Optional.of(to);
        body.onSubscribe(to);
    }

    @Override
    public void onNext(List<ByteBuffer> bytes) {
        if (isOver()) {
            return;
        }
        seen += bytes.stream().mapToLong(ByteBuffer::remaining).sum();
        if (isOver()) {
            subscription.ifPresent(Subscription::cancel);
            body.onError(new TooLong(most));
        } else {
            body.onNext(bytes);
        }
    }

    private boolean isOver() {
        return seen > most;
    }

    @Override
    public void onError(Throwable why) {
        if (!isOver()) {
            body.onError(why);
        }
    }

    @Override
    public void onComplete() {
        if (!isOver()) {
            body.onComplete();
        }
    }
}
