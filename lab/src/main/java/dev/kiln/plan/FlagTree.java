package dev.kiln.plan;

import static dev.kiln.plan.ServiceFlag.ARRIVALS;
import static dev.kiln.plan.ServiceFlag.ATTACH;
import static dev.kiln.plan.ServiceFlag.BODY;
import static dev.kiln.plan.ServiceFlag.CA;
import static dev.kiln.plan.ServiceFlag.CONNECTIONS;
import static dev.kiln.plan.ServiceFlag.CPUS;
import static dev.kiln.plan.ServiceFlag.ENVIRONMENT;
import static dev.kiln.plan.ServiceFlag.FEED;
import static dev.kiln.plan.ServiceFlag.HEADER;
import static dev.kiln.plan.ServiceFlag.HTTP2;
import static dev.kiln.plan.ServiceFlag.INSECURE;
import static dev.kiln.plan.ServiceFlag.JDK;
import static dev.kiln.plan.ServiceFlag.LOAD_FROM;
import static dev.kiln.plan.ServiceFlag.METHOD;
import static dev.kiln.plan.ServiceFlag.MODIFIERS;
import static dev.kiln.plan.ServiceFlag.NAME;
import static dev.kiln.plan.ServiceFlag.ONLY_VARIANTS;
import static dev.kiln.plan.ServiceFlag.RATE;
import static dev.kiln.plan.ServiceFlag.READY;
import static dev.kiln.plan.ServiceFlag.READY_TIMEOUT;
import static dev.kiln.plan.ServiceFlag.REPLAY;
import static dev.kiln.plan.ServiceFlag.REPLICAS;
import static dev.kiln.plan.ServiceFlag.RESTART;
import static dev.kiln.plan.ServiceFlag.SLO;
import static dev.kiln.plan.ServiceFlag.STOP;
import static dev.kiln.plan.ServiceFlag.STREAMS;
import static dev.kiln.plan.ServiceFlag.SUCCESS;
import static dev.kiln.plan.ServiceFlag.TIMEOUT;
import static dev.kiln.plan.ServiceFlag.URL;
import static dev.kiln.plan.ServiceFlag.VARIANT;
import static dev.kiln.plan.ServiceFlag.VIA;

import dev.kiln.plan.LabBinder.CpuText;
import dev.kiln.plan.load.Defaults;
import dev.kiln.plan.text.Node;
import dev.kiln.plan.text.Node.KeyedNode;
import dev.kiln.plan.text.Node.Mapping;
import dev.kiln.plan.text.Node.NodeList;
import dev.kiln.plan.text.Node.Scalar;
import dev.kiln.plan.text.Node.ScalarKind;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Problems.BadValue;
import dev.kiln.plan.text.Spot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** A FlagTree makes of a command's flags the map that a file would have. Each of its nodes knows its flag. */
record FlagTree(Map<ServiceFlag, List<String>> given, List<String> command, Problems problems) {
    /** The command stands behind {@code --}, and has no flag of its own. */
    private static final Spot THE_COMMAND = new Spot.OfFlag("the command");

    /** Returns the whole map. A text of which nothing can be made is noted and left out. */
    Mapping root() {
        List<KeyedNode> entries = new ArrayList<>();
        one("name", NAME).ifPresent(entries::add);
        entries.add(new KeyedNode("target", THE_COMMAND, new Mapping(target(), THE_COMMAND)));
        variants().ifPresent(entries::add);
        entries.add(new KeyedNode("load", URL.at(), new Mapping(load(), URL.at())));
        made("cpus", CPUS, text -> CpuText.node(text, CPUS.at())).ifPresent(entries::add);
        return new Mapping(entries, THE_COMMAND);
    }

    private List<KeyedNode> target() {
        List<Node> words = command.stream()
                .map(word -> (Node) new Scalar(ScalarKind.ARGUMENT, word, THE_COMMAND))
                .toList();
        List<KeyedNode> entries = new ArrayList<>();
        if (words.isEmpty()) {
            one("attach", ATTACH).ifPresent(entries::add);
        } else {
            entries.add(new KeyedNode("command", THE_COMMAND, new NodeList(words, THE_COMMAND)));
        }
        one("replicas", REPLICAS).ifPresent(entries::add);
        one("via", VIA).ifPresent(entries::add);
        one("restart", RESTART).ifPresent(entries::add);
        one("stop", STOP).ifPresent(entries::add);
        Spot env = ENVIRONMENT.at();
        List<KeyedNode> environment = named(ENVIRONMENT, "NAME=value");
        if (!environment.isEmpty()) {
            entries.add(new KeyedNode("environment", env, new Mapping(last(environment), env)));
        }
        one("jdk", JDK).ifPresent(entries::add);
        List<KeyedNode> readiness = Stream.of(
                        texts(READY)
                                .flatMap(text -> problems
                                        .attempt(READY.at(), "readiness", () -> ReadinessBinder.entry(text, READY.at()))
                                        .stream()),
                        one("timeout", READY_TIMEOUT).stream())
                .flatMap(entry -> entry)
                .toList();
        if (!readiness.isEmpty()) {
            Spot ready = readiness.getFirst().keyAt();
            entries.add(new KeyedNode("readiness", ready, new Mapping(readiness, ready)));
        }
        return entries;
    }

    /** Returns the variants with their baseline; empty for the baseline alone. */
    private Optional<KeyedNode> variants() {
        Map<String, KeyedNode> flags = new LinkedHashMap<>();
        named(VARIANT, "a name and JVM flags, such as 'vt=-Dsome.switch=true -Xmx512m'")
                .forEach(entry -> {
                    if (flags.putIfAbsent(entry.key().strip(), new KeyedNode("jvmFlags", entry.keyAt(), entry.value()))
                            != null) {
                        problems.add(
                                entry.keyAt(),
                                BadValue.of("'" + entry.key().strip() + "' twice", "names that differ")
                                        .text());
                    }
                });
        Map<String, List<Node>> modifiers = new LinkedHashMap<>();
        named(MODIFIERS, "a variant's name and modifiers, such as 'quiet=xbatch,cpus:1'")
                .forEach(entry -> modifiers
                        .computeIfAbsent(entry.key().strip(), none -> new ArrayList<>())
                        .addAll(parts(MODIFIERS, ((Scalar) entry.value()).text())));
        Set<String> names = new LinkedHashSet<>(flags.keySet());
        names.addAll(modifiers.keySet());
        if (names.isEmpty()) {
            return Optional.empty();
        }
        Spot with = MODIFIERS.at();
        List<KeyedNode> variants = new ArrayList<>();
        if (!given.containsKey(ONLY_VARIANTS) && !names.contains(Defaults.VARIANT)) {
            variants.add(new KeyedNode(Defaults.VARIANT, THE_COMMAND, new Scalar(ScalarKind.NOTHING, "", THE_COMMAND)));
        }
        for (String name : names) {
            List<KeyedNode> own = new ArrayList<>();
            Optional.ofNullable(flags.get(name)).ifPresent(own::add);
            Optional.ofNullable(modifiers.get(name))
                    .ifPresent(all -> own.add(new KeyedNode("with", with, new NodeList(all, with))));
            Spot at = own.getFirst().keyAt();
            variants.add(new KeyedNode(name, at, new Mapping(own, at)));
        }
        Spot at = variants.getLast().keyAt();
        return Optional.of(new KeyedNode("variants", at, new Mapping(variants, at)));
    }

    private List<KeyedNode> load() {
        List<KeyedNode> tls = Stream.of(one("ca", CA), one("insecure", INSECURE))
                .flatMap(Optional::stream)
                .toList();
        return Stream.of(
                        one("url", URL),
                        one("method", METHOD),
                        headers(),
                        one("body", BODY),
                        connections(),
                        one("rate", RATE),
                        one("timeout", TIMEOUT),
                        one("slo", SLO),
                        tls.stream()
                                .findFirst()
                                .map(first -> new KeyedNode("tls", first.keyAt(), new Mapping(tls, first.keyAt()))),
                        one("http", HTTP2).map(flag -> new KeyedNode(flag.key(), flag.keyAt(), HTTP2.scalar("2"))),
                        one("streams", STREAMS),
                        one("arrivals", ARRIVALS),
                        one("feed", FEED),
                        one("replay", REPLAY),
                        one("from", LOAD_FROM),
                        texts(SUCCESS).findFirst().map(text -> list("success", SUCCESS, parts(SUCCESS, text))))
                .flatMap(Optional::stream)
                .toList();
    }

    private Optional<KeyedNode> headers() {
        List<KeyedNode> headers = named(HEADER, ':', "NAME: VALUE");
        Set<String> names = new HashSet<>();
        headers.stream()
                .map(header -> header.key().toLowerCase(Locale.ROOT))
                .filter(name -> !names.add(name))
                .forEach(name -> problems.add(
                        HEADER.at(),
                        BadValue.of("'" + name + "' twice", "each header once").text()));
        return headers.isEmpty()
                ? Optional.empty()
                : Optional.of(new KeyedNode("headers", HEADER.at(), new Mapping(last(headers), HEADER.at())));
    }

    private Optional<KeyedNode> connections() {
        List<Node> levels =
                texts(CONNECTIONS).map(text -> (Node) CONNECTIONS.scalar(text)).toList();
        return levels.size() < 2
                ? one("connections", CONNECTIONS)
                : Optional.of(list("connections", CONNECTIONS, levels));
    }

    private Stream<String> texts(ServiceFlag flag) {
        return given.getOrDefault(flag, List.of()).stream();
    }

    private Optional<KeyedNode> one(String key, ServiceFlag flag) {
        return texts(flag).findFirst().map(text -> new KeyedNode(key, flag.at(), flag.scalar(text)));
    }

    private Optional<KeyedNode> made(String key, ServiceFlag flag, Function<String, Node> make) {
        return texts(flag)
                .findFirst()
                .flatMap(text -> problems.attempt(flag.at(), key, () -> make.apply(text)))
                .map(node -> new KeyedNode(key, flag.at(), node));
    }

    private static KeyedNode list(String key, ServiceFlag flag, List<Node> items) {
        return new KeyedNode(key, flag.at(), new NodeList(items, flag.at()));
    }

    private static List<Node> parts(ServiceFlag flag, String text) {
        return Arrays.stream(text.split("\\s*,\\s*", -1))
                .map(part -> (Node) flag.scalar(part))
                .toList();
    }

    /** Returns what a flag gives to each name, in values of the expected form. */
    private List<KeyedNode> named(ServiceFlag flag, String expected) {
        return named(flag, '=', expected);
    }

    private List<KeyedNode> named(ServiceFlag flag, char between, String expected) {
        List<KeyedNode> entries = new ArrayList<>();
        texts(flag).forEach(text -> {
            int equals = text.indexOf(between);
            if (equals < 1) {
                problems.add(flag.at(), BadValue.of("'" + text + "'", expected).text());
            } else {
                String name = text.substring(0, equals);
                String value = text.substring(equals + 1);
                entries.add(new KeyedNode(name, flag.at(), flag.scalar(between == ':' ? value.strip() : value)));
            }
        });
        return entries;
    }

    /** Returns the entries without those to which a later one gives another value. */
    private static List<KeyedNode> last(List<KeyedNode> entries) {
        Map<String, KeyedNode> last = new LinkedHashMap<>();
        entries.forEach(entry -> last.put(entry.key(), entry));
        return List.copyOf(last.values());
    }
}
