package dev.kiln.engines;

import dev.kiln.load.LoadSession.AttemptResult;
import dev.kiln.load.LoadSession.Probe;
import dev.kiln.load.LoadSession.WrongUrl;
import dev.kiln.load.PlainHttp;
import dev.kiln.model.load.LoadSpec.HttpCall;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** A FirstAnswer waits for a target's first good answer as Kiln's driver does, for tools that cannot. */
final class FirstAnswer {
    private static final long LOOK_NANOS = 1_000_000;

    private final Question question;
    private AttemptResult last = AttemptResult.NOTHING_YET;

    FirstAnswer(Question question) {
        this.question = question;
    }

    /** A Question asks a target once. */
    interface Question {
        /** Returns what was wrong with the whole answer, or empty; the socket's maker may close it meanwhile. */
        Optional<AttemptResult> ask(Socket socket) throws IOException;
    }

    /** Returns the question whose good answer has a status 2xx. */
    static Question http(HttpCall call) {
        PlainHttp http = new PlainHttp(call);
        return socket -> {
            PlainHttp.PlainAnswer answer = http.ask(socket);
            if (answer.status().orElse(0) / 100 == 2) {
                answer.readToEnd();
                return Optional.empty();
            }
            return Optional.of(answer.firstLine()
                    .map(line -> answer.status().isPresent()
                            ? AttemptResult.status(answer.status().getAsInt())
                            : AttemptResult.passing(line))
                    .orElseGet(() -> AttemptResult.passing("connection closed before an answer")));
        };
    }

    Probe await(Duration timeout, BooleanSupplier go) {
        long end = System.nanoTime() + timeout.toNanos();
        List<Attempt> open = new ArrayList<>();
        WrongUrl wrongUrl = new WrongUrl();
        long attempts = 0;
        long next = System.nanoTime();
        try {
            while (System.nanoTime() < end && go.getAsBoolean()) {
                long now = System.nanoTime();
                if (now >= next && open.size() < Probe.MOST_OPEN) {
                    attempts++;
                    open.add(new Attempt());
                    next = now + Probe.BESIDE_NANOS;
                }
                for (Attempt attempt : List.copyOf(open)) {
                    if (attempt.answeredAt.isPresent()) {
                        return new Probe.Answered(attempt.answeredAt.getAsLong(), attempts);
                    }
                    if (attempt.failed()) {
                        open.remove(attempt);
                        last = attempt.result;
                        next = now + Probe.BETWEEN_ATTEMPTS_NANOS;
                        if (wrongUrl.after(last, now)) {
                            return new Probe.NoAnswer(last, attempts);
                        }
                    }
                }
                LockSupport.parkNanos(LOOK_NANOS);
            }
            long over = System.nanoTime();
            OptionalLong waiting =
                    open.stream().mapToLong(attempt -> over - attempt.begun).max();
            return new Probe.NoAnswer(last.atTheEnd(waiting), attempts);
        } finally {
            open.forEach(Attempt::close);
        }
    }

    /** An Attempt is one call, on a thread of its own. */
    private final class Attempt {
        private final long begun = System.nanoTime();
        private final Socket socket = new Socket();
        private volatile OptionalLong answeredAt = OptionalLong.empty();
        private volatile AttemptResult result = AttemptResult.NOTHING_YET;
        // The last field: the thread sees the others set.
        private final Thread thread = Thread.ofVirtual().start(this::call);

        private void call() {
            try (socket) {
                Optional<AttemptResult> wrong = question.ask(socket);
                if (wrong.isPresent()) {
                    result = wrong.get();
                } else {
                    answeredAt = OptionalLong.of(System.nanoTime());
                }
            } catch (IOException e) {
                result = AttemptResult.passing(
                        e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
            }
        }

        boolean failed() {
            return !thread.isAlive() && answeredAt.isEmpty();
        }

        void close() {
            try {
                socket.close();
            } catch (IOException e) {
                // Nobody waits for it.
                return;
            }
        }
    }
}
