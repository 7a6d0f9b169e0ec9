package dev.kiln.runner;

import dev.kiln.host.process.ExitCode;
import dev.kiln.host.process.LogTail;
import dev.kiln.host.process.PinnedProcess;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.StartupSpec.LogNumber;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.runner.Cancellation.Interrupted;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A StartWait waits until a start is over, to the millisecond: a start may take only 40 ms. */
final class StartWait {
    private static final int POLL_MILLIS = 1;

    /** An answer may need this long, because a service may do much of its start in its first response. */
    private static final Duration ANSWER = Duration.ofSeconds(5);

    private final PinnedProcess process;
    private final Path log;
    private final Duration timeout;
    private final Cancellation cancellation;
    private final CompletableFuture<Long> ended;

    StartWait(PinnedProcess process, Path log, Duration timeout, Cancellation cancellation) {
        this.process = process;
        this.log = log;
        this.timeout = timeout;
        this.cancellation = cancellation;
        ended = process.onExit().thenApply(code -> System.nanoTime());
    }

    /** Returns the moment, on the monotonic clock, at which the process ended. */
    long exit(boolean anyCode) {
        long deadline = process.launchNanos() + timeout.toNanos();
        while (true) {
            cancellation.check();
            try {
                long moment = ended.get(100, TimeUnit.MILLISECONDS);
                if (!anyCode && process.exitCode().orElse(0) != 0) {
                    throw died("");
                }
                return moment;
            } catch (TimeoutException e) {
                if (System.nanoTime() > deadline) {
                    throw failure("did not end within " + limit());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new Interrupted();
            } catch (ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Returns the moment at which the process was first found ready. */
    long ready(ReadySign readiness, Placeholders values, int freePort) {
        return switch (readiness) {
            case ReadySign.FirstResponse first -> throw new IllegalArgumentException("there is no load");
            case ReadySign.HttpStatus http ->
                seen(ReadinessProbe.ofStatus(URI.create(values.fill(http.url())), http.status(), ANSWER));
            case ReadySign.TcpPort tcp ->
                seen(ReadinessProbe.ofPort(RunContext.HERE, tcp.port().orElse(freePort)));
            case ReadySign.LogPattern line -> inLog(Pattern.compile(line.regex()));
        };
    }

    private long inLog(Pattern pattern) {
        return inLog(
                        line -> pattern.matcher(line).find() ? Optional.of(System.nanoTime()) : Optional.empty(),
                        pattern.pattern())
                .longValue();
    }

    /** Returns the number that the program logged. It may log that after its port is open, or at its very end. */
    LoggedNumber.LoggedValue number(LoggedNumber number, String regex) {
        try {
            return inLog(number::in, regex);
        } catch (IllegalArgumentException e) {
            throw failure("did not log a number: " + e.getMessage());
        }
    }

    private interface LineReader<T> {
        Optional<T> in(String line);
    }

    private <T> T inLog(LineReader<T> reader, String regex) {
        try (LogTail.Follower follower = new LogTail.Follower(log)) {
            boolean[] last = {false};
            return poll(
                    () -> {
                        // Asked before reading, so that nothing said before the end is missed.
                        last[0] = !process.isAlive();
                        return find(follower, reader, last[0]);
                    },
                    () -> !last[0],
                    () -> "no line with '" + regex + "' in its output");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static <T> Optional<T> find(LogTail.Follower follower, LineReader<T> reader, boolean last) {
        try {
            do {
                for (String line : follower.lines()) {
                    Optional<T> found = reader.in(line);
                    if (found.isPresent()) {
                        return found;
                    }
                }
            } while (last && !follower.isAtEnd());
            return last ? reader.in(follower.rest()) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private long seen(ReadinessProbe of) {
        try (of) {
            List<String> why = new ArrayList<>(List.of("no attempt was made"));
            return poll(
                    () -> {
                        Optional<String> missing = of.missing();
                        missing.ifPresent(what -> why.set(0, what));
                        return missing.isEmpty() ? Optional.of(System.nanoTime()) : Optional.<Long>empty();
                    },
                    process::isAlive,
                    why::getFirst);
        }
    }

    /** An Asking is one attempt, which may wait for an answer. */
    private interface Asking<T> {
        Optional<T> once() throws InterruptedException;
    }

    private <T> T poll(Asking<T> attempt, BooleanSupplier goOn, Supplier<String> lastSeen) {
        long deadline = process.launchNanos() + timeout.toNanos();
        while (true) {
            cancellation.check();
            try {
                Optional<T> found = attempt.once();
                if (found.isPresent()) {
                    return found.get();
                }
                if (!goOn.getAsBoolean()) {
                    throw died(" before it was ready: " + lastSeen.get());
                }
                if (System.nanoTime() > deadline) {
                    throw failure("was not ready within " + limit() + ": " + lastSeen.get());
                }
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new Interrupted();
            }
        }
    }

    private String limit() {
        return BigDecimal.valueOf(timeout.toMillis(), 3).stripTrailingZeros().toPlainString() + " s";
    }

    private RunFailure died(String when) {
        // The exit code is known a moment after the process is seen gone.
        int code = process.onExit().join();
        return failure(process.exit().orElse(ExitCode.unsure(code)).text() + when);
    }

    private RunFailure failure(String what) {
        return new RunFailure(Outcome.TARGET_FAILED, what, log);
    }

    /** A LoggedNumber is the number that a program logs about its own start. Times of any unit become milliseconds. */
    static final class LoggedNumber {
        private static final Pattern UNIT = Pattern.compile(
                "\\s*(ns|nanos(?:econds)?|us|\u00b5s|ms|millis(?:econds)?|s|secs?|seconds?|min|minutes?)\\b.*");

        /** A LoggedValue is a value with its unit; an empty unit is a bare number. */
        record LoggedValue(double value, String unit) {}

        private final Pattern pattern;
        private final Optional<String> given;

        LoggedNumber(LogNumber number) {
            pattern = Pattern.compile(number.regex());
            given = number.unit();
        }

        /** Reads the number of a line, if the pattern is in it; throws where the group holds none. */
        Optional<LoggedValue> in(String line) {
            Matcher found = pattern.matcher(line);
            if (!found.find()) {
                return Optional.empty();
            }
            String text = Optional.ofNullable(found.group(1)).orElse("");
            if (!text.matches("[+]?\\d{1,15}(?:\\.\\d{1,12})?")) {
                throw new IllegalArgumentException("'" + text + "' is not a number, in the line: " + line);
            }
            Matcher behind = UNIT.matcher(line.substring(found.end(1)));
            String unit = given.orElseGet(() -> behind.matches() ? behind.group(1) : "");
            return Optional.of(inMillis(Double.parseDouble(text), unit));
        }

        private static LoggedValue inMillis(double value, String unit) {
            return switch (unit.toLowerCase(Locale.ROOT)) {
                case "ns", "nanos", "nanoseconds" -> new LoggedValue(value / 1e6, "ms");
                case "us", "\u00b5s" -> new LoggedValue(value / 1e3, "ms");
                case "ms", "millis", "milliseconds" -> new LoggedValue(value, "ms");
                case "s", "sec", "secs", "second", "seconds" -> new LoggedValue(value * 1e3, "ms");
                case "min", "minute", "minutes" -> new LoggedValue(value * 60e3, "ms");
                default -> new LoggedValue(value, unit);
            };
        }
    }
}
