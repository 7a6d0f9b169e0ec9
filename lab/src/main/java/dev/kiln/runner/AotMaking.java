package dev.kiln.runner;

import dev.kiln.files.InputFile;
import dev.kiln.host.process.PinnedProcess;
import dev.kiln.host.process.Ports;
import dev.kiln.jvm.AotCheck;
import dev.kiln.jvm.AotFlags;
import dev.kiln.launch.LaunchedTarget;
import dev.kiln.launch.TargetLaunch;
import dev.kiln.load.LoadSession;
import dev.kiln.load.PhaseResult;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.experiment.Target.AotCache;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Variant.SweepLevel;
import dev.kiln.model.load.LoadSpec;
import dev.kiln.model.run.FlightDigest.HotMethod;
import dev.kiln.model.run.Treatment.AotTraining;
import dev.kiln.postgres.Postgres;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * AotMaking makes the AOT cache of a variant before its first run: it records a training run of the target as it will
 * be launched, then lets a second JVM create the cache. Each step has a log and a time of its own.
 *
 * @param directory for the caches of all variants
 */
record AotMaking(RunContext context, Path directory, boolean flightRecorder) {
    /**
     * A Made is a cache, with what its making cost.
     *
     * @param profiled methods whose profile it has, as {@code class.method}; asked only for runs with a flight
     *     recording
     */
    record Made(Path file, String trained, Optional<AotTraining> training, Set<String> profiled) {
        /** Returns the share of samples in methods with a profile, of all samples; empty if nothing is known. */
        Optional<Double> coverage(List<HotMethod> hot) {
            long all = hot.stream().mapToLong(Made::samples).sum();
            long covered = hot.stream()
                    .filter(method -> profiled.contains(method.method()))
                    .mapToLong(Made::samples)
                    .sum();
            return profiled.isEmpty() || all == 0 ? Optional.empty() : Optional.of((double) covered / all);
        }

        private static long samples(HotMethod method) {
            return (long) method.interpreted() + method.c1() + method.c2();
        }
    }

    /**
     * Makes the caches that variants want, and returns them by the variants' names; one for all that are launched
     * alike, such as the levels of a sweep.
     *
     * @param context asked for only if there is a cache to make
     */
    static Map<String, Made> all(List<Variant> variants, Supplier<RunContext> context, Path directory) {
        Map<List<Object>, Made> alike = new HashMap<>();
        Map<String, Made> caches = new HashMap<>();
        variants.forEach(variant -> checkLender(variant, variants));
        for (Variant variant : variants) {
            boolean flightRecorder = variant.observe().flightRecorder();
            variant.target().aot().filter(aot -> lender(variant).isEmpty()).ifPresent(aot -> {
                RunContext hot = context.get();
                hot.cancellation().check();
                caches.put(
                        variant.name(),
                        alike.computeIfAbsent(
                                List.of(variant.target(), flightRecorder),
                                same -> hot.withBackend(
                                        variant.target(),
                                        directory.resolve(variant.name()),
                                        ready -> new AotMaking(ready, directory, flightRecorder).make(variant, aot))));
            });
        }
        for (Variant variant : variants) {
            lender(variant)
                    .flatMap(name -> Optional.ofNullable(caches.get(name)))
                    .ifPresent(made -> caches.put(
                            variant.name(),
                            new Made(
                                    made.file(),
                                    variant.target().aot().orElseThrow().text(),
                                    made.training(),
                                    made.profiled())));
        }
        return caches;
    }

    /** Returns the name of the variant whose cache this one uses; empty where it has one of its own, or none. */
    private static Optional<String> lender(Variant variant) {
        return variant.target()
                .aot()
                .flatMap(aot -> aot instanceof AotCache.OfVariant other
                        ? Optional.of(
                                variant.connections().isPresent()
                                        ? new SweepLevel(
                                                        other.variant(),
                                                        variant.connections().getAsInt())
                                                .variant()
                                        : other.variant())
                        : Optional.empty());
    }

    /** Checks that the variant whose cache this one uses is run too: it may have been left out. */
    private static void checkLender(Variant variant, List<Variant> all) {
        lender(variant)
                .filter(name -> all.stream().noneMatch(other -> other.name().equals(name)))
                .ifPresent(name -> {
                    throw KilnException.usage(
                            "variant " + variant.name() + " takes the AOT cache of " + name + ", which is not run here",
                            "run " + name + " too, or give " + variant.name() + " a cache of its own");
                });
    }

    /** Trains and creates a cache, or uses the file that was given. */
    private Made make(Variant variant, AotCache aot) {
        return switch (aot) {
            case AotCache.GivenCache given ->
                new Made(
                        given.file(),
                        aot.text(),
                        Optional.empty(),
                        flightRecorder ? asInARun(variant, values -> profiled(variant, given.file())) : Set.of());
            case AotCache.Startup startup -> asInARun(variant, values -> trained(variant, aot, values, Duration.ZERO));
            case AotCache.Traffic traffic ->
                asInARun(variant, values -> trained(variant, aot, values, traffic.duration()));
            case AotCache.OfVariant other -> throw new IllegalArgumentException("made for " + other.variant());
        };
    }

    /** Does what launches the target as a run does: beside its database, between the user's own commands. */
    private <T> T asInARun(Variant variant, Function<Placeholders, T> work) {
        Path folder = directory.resolve(variant.name());
        try {
            context.database().ifPresent(Postgres::startFresh);
            Placeholders values = context.values(Ports.free(), RunContext.HERE, folder);
            return context.hooks().around(variant, values, folder, () -> work.apply(values), failure -> {
                throw steps(variant).failing().of("could not be made: " + failure.getMessage(), failure.said());
            });
        } finally {
            context.database().ifPresent(Postgres::stop);
        }
    }

    private Made trained(Variant variant, AotCache aot, Placeholders values, Duration traffic) {
        Path folder = directory.resolve(variant.name());
        AotSteps steps = steps(variant);
        Path cache = steps.cache();
        try {
            Files.createDirectories(folder);
            // What an earlier training said there would pass for this one's.
            Files.deleteIfExists(steps.recordLog());
            String name = "AOT cache of " + variant.name();
            context.listener()
                    .stage(name + ", 1 of 2: recording a start"
                            + (traffic.isZero() ? "" : " and " + traffic.toSeconds() + " s of load"));
            long begin = System.nanoTime();
            record(variant, steps, values, traffic);
            long recorded = System.nanoTime();
            context.cancellation().check();
            context.listener().stage(name + ", 2 of 2: creating it");
            // Nobody connects: the JVM assembles the cache and ends before the target's own code is run.
            steps.create((flags, log) -> start(variant, TargetLaunch.nowhere(folder), flags, List.of(), log));
            long created = System.nanoTime();
            steps.forgetRecording();
            AotTraining training = new AotTraining(recorded - begin, created - recorded, Files.size(cache));
            context.listener()
                    .note(String.format(
                            Locale.ROOT,
                            "%s: recorded in %.1f s, created in %.1f s, %.0f MB",
                            name,
                            training.recordNanos() / 1e9,
                            training.createNanos() / 1e9,
                            training.cacheBytes() / 1e6));
            return new Made(
                    cache, aot.text(), Optional.of(training), flightRecorder ? profiled(variant, cache) : Set.of());
        } catch (IOException e) {
            throw KilnException.machine(
                    e,
                    "cannot keep the AOT cache of " + variant.name() + " in " + folder,
                    "check the folder and its disk's space");
        }
    }

    private AotSteps steps(Variant variant) {
        return new AotSteps(
                directory.resolve(variant.name()),
                (message, lines) ->
                        new CacheFailure(variant.name(), "the AOT cache of " + variant.name() + " " + message, lines),
                context.cancellation());
    }

    private void record(Variant variant, AotSteps steps, Placeholders values, Duration traffic) {
        LoadSpec load = context.experiment().load().fill(values);
        context.requireFree(load);
        context.driver().prepare(load);
        steps.record(
                (flags, log) -> start(variant, values, flags, training(variant), log),
                process -> exercise(variant, steps, process, load, values, traffic));
    }

    private AotSteps.Started start(
            Variant variant, Placeholders values, List<String> step, List<String> training, Path log) {
        List<String> flags = Stream.of(AotFlags.modules(flightRecorder), step, training)
                .flatMap(List::stream)
                .toList();
        // With all that is done to a process from outside: it shapes a cache too, such as the collector that fits the
        // memory.
        LaunchedTarget target = new TargetLaunch(context.lab(), variant.target()).start(values, flags, log);
        return new AotSteps.Started(target.process(), target::stop);
    }

    private void exercise(
            Variant variant,
            AotSteps steps,
            PinnedProcess process,
            LoadSpec load,
            Placeholders values,
            Duration traffic) {
        int port = Integer.parseInt(values.fill("${port}"));
        try (LoadSession session = context.driver().open(load, steps.folder(), process.launchNanos())) {
            context.cancellation().onCancel(session::cancel);
            var unused = process.onExit().thenRun(session::cancel);
            new TargetStart(process, steps.recordLog(), context.cancellation())
                    .await(variant.target().readiness(), values, port, session, TargetStart.UNTOLD);
            if (!traffic.isZero()) {
                PhaseResult result = session.load(new Phase.Load("training", traffic), tick -> {});
                context.cancellation().check();
                if (!process.isAlive() || result.requests().completed() == 0) {
                    throw steps.failed(
                            "no request succeeded in the training run, or the target died", steps.recordLog());
                }
            }
        } catch (RunFailure e) {
            context.cancellation().check();
            if (!training(variant).isEmpty() && process.exitCode().orElse(-1) == 0) {
                return;
            }
            throw steps.failed(String.valueOf(e.getMessage()), steps.recordLog());
        }
    }

    /** Returns the methods whose profiles a cache has, by a start that ends early; a rejected cache has none. */
    private Set<String> profiled(Variant variant, Path cache) {
        Path folder = directory.resolve(variant.name());
        Path log = folder.resolve("profiles.log");
        try {
            Files.createDirectories(folder);
            steps(variant)
                    .untilEnd(
                            start(variant, TargetLaunch.nowhere(folder), AotFlags.tellProfiles(cache), List.of(), log));
            Set<String> methods =
                    AotCheck.profiled(new String(InputFile.bytes(log, InputFile.TABLE), StandardCharsets.ISO_8859_1));
            Files.delete(log);
            return methods;
        } catch (IOException e) {
            throw KilnException.machine(
                    e,
                    "cannot read which profiles the AOT cache of " + variant.name() + " has",
                    "check " + folder + " and its disk's space");
        }
    }

    /** Returns the flags of the training run alone. */
    private static List<String> training(Variant variant) {
        return variant.target().aot().orElseThrow() instanceof AotCache.Startup startup ? startup.flags() : List.of();
    }
}
