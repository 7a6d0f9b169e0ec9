package dev.kiln.plan.text;

import java.util.List;
import java.util.stream.Stream;

/** A Section is a kind of map in an experiment file, by its name in the JSON Schema, and its keys. */
public record Section(String name, List<String> keys) {
    public static final Section EXPERIMENT = section(
            "experiment",
            "name",
            "target",
            "variants",
            "load",
            "protocol",
            "runs",
            "repeat",
            "cold",
            "duet",
            "seed",
            "cpus",
            "database",
            "observe",
            "claims",
            "gate",
            "prepare",
            "cleanup");
    public static final Section TARGET = section(
            "target",
            "command",
            "workload",
            "host",
            "via",
            "attach",
            "replicas",
            "virtualThreads",
            "environment",
            "directory",
            "jdk",
            "jvmFlags",
            "arguments",
            "readiness",
            "with",
            "aot",
            "container",
            "restart",
            "stop",
            "prepare",
            "cleanup",
            "beforeRun",
            "afterRun");
    public static final Section VARIANT = new Section(
            "variant",
            Stream.concat(TARGET.keys.stream(), Stream.of("extends", "observe", "optional"))
                    .toList());
    public static final Section JDK = section("jdk", "version", "optional", "path");
    public static final Section CONTAINER = section("container", "image", "runtime", "cpus", "memory", "mounts");
    public static final Section READINESS = section("readiness", "http", "status", "port", "log", "timeout");
    public static final Section TLS = section("tls", "ca", "insecure");
    public static final Section FEED = section("feed", "file", "order", "seed");
    public static final Section REPLAY = section("replay", "file", "speed", "headers");
    public static final Section SESSION = section("session", "think", "cookies");
    public static final Section CALL = section(
            "call", "name", "method", "url", "path", "headers", "body", "weight", "bodyContains", "take", "think");
    public static final Section PHASE =
            section("phase", "load", "pause", "ramp", "steps", "slow-start", "reference", "name");
    public static final Section CPUS = section("cpus", "target", "load", "database");
    public static final Section DATABASE = section("database", "script", "url", "user", "password");
    public static final Section AOT = section("aot", "train", "for", "flags", "file", "of");
    public static final Section BOOST = section("cpu-boost", "from", "to", "for");
    public static final Section CLAIM = section("claim", "text", "published", "check", "notObservable");

    public static final Section GATE = section("gate", "scenario", "tolerance", "against");

    /** The section is that of {@code workload.yaml}, a file of its own. */
    public static final Section WORKLOAD = section(
            "workload",
            "build",
            "sources",
            "needs",
            "product",
            "command",
            "virtualThreadsCommand",
            "jdk",
            "backend",
            "database",
            "environment");

    private static Section section(String name, String... keys) {
        return new Section(name, List.of(keys));
    }
}
