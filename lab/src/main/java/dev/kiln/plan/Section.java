package dev.kiln.plan;

import dev.kiln.model.Variant.Observe;
import dev.kiln.plan.ObserverEffect.ObserveBinder;
import java.util.List;
import java.util.stream.Stream;

/**
 * A kind of map in an experiment file, and the keys it knows.
 *
 * @param name of its definition in the JSON Schema
 */
record Section(String name, List<String> keys) {
    static final Section EXPERIMENT = section(
            "experiment",
            "name",
            "target",
            "variants",
            "load",
            "protocol",
            "runs",
            "repeat",
            "seed",
            "cpus",
            "database",
            "observe",
            "claims",
            "gate");
    static final Section TARGET = section(
            "target",
            "command",
            "workload",
            "host",
            "virtualThreads",
            "environment",
            "directory",
            "jdk",
            "jvmFlags",
            "arguments",
            "readiness",
            "with",
            "aot",
            "container");
    static final Section VARIANT = new Section(
            "variant", Stream.concat(TARGET.keys.stream(), Stream.of("extends")).toList());
    static final Section JDK = section("jdk", "version", "optional", "path");
    static final Section CONTAINER = section("container", "image", "runtime", "cpus", "memory", "mounts");
    static final Section READINESS = section("readiness", "http", "status", "port", "log", "timeout");
    static final Section LOAD = new Section(
            "load",
            Stream.concat(
                            Stream.of(
                                    "url",
                                    "calls",
                                    "connections",
                                    "http",
                                    "streams",
                                    "rate",
                                    "timeout",
                                    "engine",
                                    "slo",
                                    "tls",
                                    "arrivals",
                                    "feed",
                                    "session",
                                    "replay",
                                    "success"),
                            EngineOptions.ALL.stream().map(EngineOptions::name))
                    .toList());
    static final Section TLS = section("tls", "ca", "insecure");
    static final Section FEED = section("feed", "file", "order", "seed");
    static final Section REPLAY = section("replay", "file", "speed", "headers");
    static final Section SESSION = section("session", "think", "cookies");
    static final Section CALL = section(
            "call", "name", "method", "url", "path", "headers", "body", "weight", "bodyContains", "take", "think");
    static final Section PHASE = section("phase", "load", "pause", "ramp", "steps", "slow-start", "reference", "name");
    static final Section CPUS = section("cpus", "target", "load", "database");
    static final Section DATABASE = section("database", "script", "url", "user", "password");

    static final Section OBSERVE =
            section("observe", Observe.JIT, Observe.FLIGHT_RECORDER, Observe.ASYNC_PROFILER, ObserveBinder.EFFECT);
    static final Section AOT = section("aot", "train", "for", "file");
    static final Section MODIFIER = new Section("modifier", Modifiers.NAMES);
    static final Section BOOST = section("cpu-boost", "from", "to", "for");
    static final Section CLAIM = section("claim", "text", "published", "check", "notObservable");

    static final Section GATE = section("gate", "scenario", "tolerance", "against");

    /** Of {@code workload.yaml}, a file of its own. */
    static final Section WORKLOAD = section(
            "workload", "build", "sources", "product", "command", "virtualThreadsCommand", "database", "environment");

    /** Those of the experiment file. */
    static final List<Section> ALL = Stream.concat(
                    Stream.of(
                            EXPERIMENT,
                            TARGET,
                            VARIANT,
                            JDK,
                            CONTAINER,
                            READINESS,
                            LOAD,
                            CALL,
                            FEED,
                            SESSION,
                            REPLAY,
                            PHASE,
                            CPUS,
                            DATABASE,
                            OBSERVE,
                            AOT,
                            MODIFIER,
                            BOOST,
                            CLAIM,
                            GATE),
                    EngineOptions.ALL.stream().map(EngineOptions::section))
            .toList();

    private static Section section(String name, String... keys) {
        return new Section(name, List.of(keys));
    }
}
