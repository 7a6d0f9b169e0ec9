package dev.kiln.load.driver;

import dev.kiln.load.driver.DriverLines.MessageFields;
import dev.kiln.load.driver.DriverLines.MessageWriter;
import dev.kiln.model.ClockOffset;
import dev.kiln.model.ClockOffset.ClockExchange;
import dev.kiln.model.KilnException;
import dev.kiln.model.run.Machine.LoadHost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * A FarLink is what Kiln's end of a driver's process has beyond its own where that runs on another machine: the clock there, signs
 * of life, and who takes what was recorded there.
 */
final class FarLink {
    /** The interval is well below the time for which a driver waits for a word of Kiln. */
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(5);

    /** A driver that is silent for so long is lost. If a network fails silently, the connection still seems to work. */
    private static final Duration SILENCE = Duration.ofSeconds(60);

    /** So is one from which nothing has come for so long since it was told to cancel: somebody waits for the end then. */
    private static final Duration CANCELLED_SILENCE = Duration.ofSeconds(4);

    private static final Duration LOOK = Duration.ofMillis(200);

    private static final String TIME = "time\t";
    private static final int SHOWN = 200;

    /** What tells the time without an end must not fill memory. */
    private static final int MOST_EXCHANGES = 100_000;

    /** A FarRows takes what comes between answers, on the thread that waits for one. */
    interface FarRows {
        /** @param message {@code rows} or {@code part} */
        void take(String message, MessageFields fields);
    }

    private final DriverPlace place;
    private final List<ClockExchange> exchanges = new ArrayList<>();
    private volatile long heardNanos = System.nanoTime();
    private volatile boolean lost;
    private volatile boolean closed;
    private volatile OptionalLong cancelledNanos = OptionalLong.empty();
    private volatile FarRows rows = (message, fields) -> {};
    private Optional<LoadHost> host = Optional.empty();
    private Optional<String> why = Optional.empty();

    FarLink(DriverPlace place) {
        this.place = place;
    }

    /** Returns the place in words. */
    String name() {
        return place.name();
    }

    /** Reads what the driver's first message says of where it runs. */
    void ready(MessageFields more) {
        host = Optional.of(new LoadHost(place.name(), more.text(), more.real(), 0, OptionalLong.empty()));
    }

    /** Returns where the driver runs. What is said of its clock is not known yet. */
    LoadHost host() {
        return host.orElseThrow(() -> new IllegalStateException("the driver is not ready"));
    }

    /** Gives what is recorded there to another one from now on. */
    void listen(FarRows to) {
        rows = to;
    }

    void take(String message, MessageFields fields) {
        rows.take(message, fields);
    }

    /** Notes a line, and tells whether it was an answer to a question for the time. */
    boolean hears(String line) {
        long received = System.nanoTime();
        heardNanos = received;
        if (!line.startsWith(TIME)) {
            return false;
        }
        try {
            MessageFields fields = new MessageFields(line);
            fields.text();
            ClockExchange exchange = new ClockExchange(fields.number(), fields.number(), received);
            synchronized (exchanges) {
                if (exchanges.size() < MOST_EXCHANGES) {
                    exchanges.add(exchange);
                }
                exchanges.notifyAll();
            }
            return true;
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            // It is told to whoever waits for an answer.
            return false;
        }
    }

    /** Notes that nothing more will come. */
    void ended() {
        synchronized (exchanges) {
            lost = true;
            exchanges.notifyAll();
        }
    }

    /** Notes that Kiln itself ends the connection, so that nobody asks why it was lost. */
    void closing() {
        closed = true;
    }

    /** Notes that the driver is told to cancel. */
    void cancelling() {
        cancelledNanos = OptionalLong.of(System.nanoTime());
    }

    boolean isLost() {
        return lost;
    }

    /**
     * Asks for the time again and again while the connection lives: so the driver knows that Kiln does.
     *
     * @param end gives the connection up
     */
    void keepAlive(Consumer<MessageWriter> send, Runnable end) {
        Thread.ofPlatform().daemon().name("kiln-driver-signs").start(() -> {
            try {
                while (!lost) {
                    Thread.sleep(SIGN_OF_LIFE);
                    send.accept(question());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (KilnException e) {
                // It was lost; whoever asks it something is told.
                return;
            }
        });
        Thread.ofPlatform().daemon().name("kiln-driver-silence").start(() -> awaitSilence(end));
    }

    /** Gives the connection up after the silence. The thread does nothing else: one that sends waits for as long as nobody reads. */
    private void awaitSilence(Runnable end) {
        try {
            while (!lost && System.nanoTime() - heardNanos < SILENCE.toNanos() && !isCancelledInVain()) {
                Thread.sleep(LOOK);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        if (!lost) {
            end.run();
        }
    }

    /** Tells whether nothing has come since the driver was told to cancel, for longer than a person waits, and keeps that as the reason. */
    private boolean isCancelledInVain() {
        OptionalLong cancelled = cancelledNanos;
        boolean inVain = cancelled.isPresent()
                && cancelled.getAsLong() - heardNanos > 0
                && System.nanoTime() - cancelled.getAsLong() > CANCELLED_SILENCE.toNanos();
        if (inVain) {
            because("nothing has come from " + place.name() + " since Kiln cancelled the load, for "
                    + CANCELLED_SILENCE.toSeconds() + " s");
        }
        return inVain;
    }

    private synchronized void because(String words) {
        why = Optional.of(words);
    }

    private static MessageWriter question() {
        return new MessageWriter("clock").add(System.nanoTime());
    }

    /** Asks for the time until there are so many answers, or the limit is over. */
    ClockOffset measure(int times, Duration limit, Consumer<MessageWriter> send) {
        long deadline = System.nanoTime() + limit.toNanos();
        synchronized (exchanges) {
            exchanges.clear();
        }
        try {
            for (int i = 1; i <= times && !lost && System.nanoTime() < deadline; i++) {
                send.accept(question());
                await(i, deadline);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw KilnException.machine("interrupted while waiting for " + place.name(), "run it again", e);
        }
        synchronized (exchanges) {
            if (exchanges.isEmpty()) {
                throw KilnException.machine(
                        "the load driver (" + place.name() + ") did not tell its time within " + limit.toSeconds()
                                + " s",
                        "check that machine's load and the network");
            }
            return ClockOffset.of(exchanges);
        }
    }

    private void await(int number, long deadline) throws InterruptedException {
        synchronized (exchanges) {
            while (exchanges.size() < number && !lost && System.nanoTime() < deadline) {
                exchanges.wait(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
            }
        }
    }

    /** Returns that the connection was lost. It is looked into once, as that may take seconds. */
    synchronized KilnException loss(String how) {
        String words = closed ? "Kiln ended the connection to " + place.name() : why.orElseGet(place::lost);
        why = Optional.of(words);
        return KilnException.machine(
                (host.isPresent() ? "the load driver is lost: " : "the load driver did not start: ") + words + how,
                "what was recorded of a run until then is kept; check whether that place is up");
    }

    /** Returns that what came was not of a driver. */
    KilnException foreign(String line) {
        return KilnException.machine(
                "no load driver of this Kiln answers (" + place.name() + "): not understood: "
                        + (line.isBlank() ? "an empty line" : line.substring(0, Math.min(SHOWN, line.length()))),
                "what leads there must pass both streams on as they are, and print nothing to its output itself");
    }
}
