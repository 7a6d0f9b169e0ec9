package dev.kiln.plan.load;

import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.Feeding;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.experiment.LoadTemplate.TemplateCall;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.load.LoadSpec.Feed.Order;
import dev.kiln.model.load.Sending;
import dev.kiln.model.load.Sending.Http2;
import dev.kiln.model.load.Sending.Success;
import dev.kiln.model.load.Sending.Tls;
import dev.kiln.plan.text.CommandPaths;
import dev.kiln.plan.text.DurationText;
import dev.kiln.plan.text.Fields;
import dev.kiln.plan.text.Node;
import dev.kiln.plan.text.Node.NodeList;
import dev.kiln.plan.text.Node.Scalar;
import dev.kiln.plan.text.Node.ScalarKind;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Problems.BadValue;
import dev.kiln.plan.text.Section;
import dev.kiln.plan.text.Spot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** A LoadBinder reads {@code load:}, which is a URL or calls, and how they are sent. */
public final class LoadBinder {
    private static final String FROM = "from";

    /** The section has the map's own keys, and the names of the engines that have options. */
    public static final Section SECTION = new Section(
            "load",
            Stream.concat(
                            Stream.of(
                                    "url",
                                    "calls",
                                    "method",
                                    "headers",
                                    "body",
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
                                    "success",
                                    FROM),
                            EngineOptions.ALL.stream().map(EngineOptions::name))
                    .toList());

    private static final String HTTP = "1.1 or 2";
    private static final String SUCCESS = "statuses from 200 to 599 or classes of them, such as 2xx and 304";

    private final Path base;
    private final Problems problems;
    private final Function<List<String>, Where> place;
    private List<Integer> levels = List.of();

    /**
     * @param base what relative paths are relative to
     * @param place makes of the words of {@code from} the place that the load is sent from
     */
    public LoadBinder(Path base, Problems problems, Function<List<String>, Where> place) {
        this.base = base;
        this.problems = problems;
        this.place = place;
    }

    /** Reads a load. The result is empty, with the reason noted, where the map makes none. */
    public Optional<LoadTemplate> bind(Node node) {
        return Fields.of(node, SECTION, "a map with a url or calls", problems).map(this::bind);
    }

    /** Returns the numbers of connections, where the file has a list of them; no more than one is no sweep. */
    public List<Integer> levels() {
        return levels;
    }

    private int connections(Fields fields) {
        Optional<Node> several = fields.node("connections").filter(NodeList.class::isInstance);
        if (several.isEmpty()) {
            return fields.integer("connections", 1, Sweep.MOST_CONNECTIONS)
                    .orElse((long) Defaults.CONNECTIONS)
                    .intValue();
        }
        List<Integer> read = ((NodeList) several.get())
                .items().stream()
                        .map(item -> item instanceof Scalar scalar
                                        && scalar.is(ScalarKind.INTEGER)
                                        && scalar.text().matches("[+-]?\\d{1,6}")
                                ? Integer.parseInt(scalar.text())
                                : 0)
                        .toList();
        levels = problems.attempt(several.get().at(), "connections", () -> Sweep.check(read, "a list"))
                .orElse(List.of());
        return levels.isEmpty() ? Defaults.CONNECTIONS : levels.getLast();
    }

    private LoadTemplate bind(Fields fields) {
        if (!fields.has("url") && !fields.has("calls")) {
            problems.add(fields.at(), "load", "found neither, expected a url or calls");
        }
        if (fields.has("replay")) {
            return replay(fields);
        }
        Optional<FeedFile> feed = fields.node("feed").flatMap(this::feed);
        CallTexts texts = new CallTexts(feed, fields.has("feed") && feed.isEmpty(), Set.of(), Set.of());
        SessionBinder sessions =
                new SessionBinder(fields.node("session"), fields.node("calls"), texts.columns(), problems);
        List<TemplateCall> calls = new CallsBinder(texts, sessions, problems).bind(fields);
        texts.unused(calls).ifPresent(unused -> problems.add(fields.at("feed"), "feed", unused));
        return template(
                fields,
                calls,
                fields.positive("rate").map(OptionalDouble::of).orElseGet(OptionalDouble::empty),
                feed.map(FeedFile::feeding));
    }

    private LoadTemplate replay(Fields fields) {
        CallTexts texts = new CallTexts(Optional.empty(), false, Set.of(), Set.of());
        ReplayBinder replay = new ReplayBinder(base, problems, texts);
        replay.refuseOthers(fields);
        Optional<Feeding> recording = fields.node("replay").flatMap(replay::bind);
        return template(
                fields,
                fields.parsed("url", "a URL", texts::url).map(replay::call).stream()
                        .toList(),
                recording.map(ReplayBinder::rate).orElseGet(OptionalDouble::empty),
                recording);
    }

    private LoadTemplate template(
            Fields fields, List<TemplateCall> calls, OptionalDouble rate, Optional<Feeding> feed) {
        LoadEngine engine = EngineOptions.engine(fields);
        return new LoadTemplate(
                calls,
                sending(fields, rate),
                engine,
                EngineOptions.bind(engine, fields, base, problems),
                feed,
                fields.words(FROM).flatMap(words -> problems.attempt(fields.at(FROM), FROM, () -> place.apply(words))));
    }

    private Sending sending(Fields fields, OptionalDouble rate) {
        return new Sending(
                connections(fields),
                rate,
                fields.parsed("timeout", DurationText.EXPECTED, DurationText::parse)
                        .orElse(Defaults.REQUEST_TIMEOUT),
                fields.parsed("slo", DurationText.SLO_EXPECTED, DurationText::slo),
                fields.node("tls")
                        .flatMap(node -> Fields.of(node, Section.TLS, "a map with ca or insecure", problems))
                        .map(this::tls),
                http2(fields),
                fields.parsed("arrivals", ShapeText.arrivals(), ShapeText::arrivals),
                fields.node("success").flatMap(this::success));
    }

    /** Reads a feed: a file, or a map with one. */
    private Optional<FeedFile> feed(Node node) {
        if (node instanceof Scalar scalar && scalar.is(ScalarKind.TEXT)) {
            return feed(scalar.at(), scalar.text(), Order.SEQUENTIAL, LoadTemplate.DEFAULT_SEED);
        }
        return Fields.of(node, Section.FEED, "a file, or a map with file, order and seed", problems)
                .flatMap(map -> {
                    Optional<String> file = map.parsed("file", FeedFile.EXPECTED, text -> text);
                    Optional<Order> order = map.parsed("order", "sequential, shuffled or unique", FeedFile::order);
                    Optional<Long> seed = map.integer("seed", Long.MIN_VALUE, Long.MAX_VALUE);
                    map.require("file", "feed", FeedFile.EXPECTED);
                    return file.flatMap(name -> feed(
                            map.at("file"),
                            name,
                            order.orElse(Order.SEQUENTIAL),
                            seed.orElse(LoadTemplate.DEFAULT_SEED)));
                });
    }

    private Optional<FeedFile> feed(Spot at, String name, Order order, long seed) {
        return problems.attempt(at, "feed", () -> FeedFile.read(base, name, order, seed));
    }

    /** Reads the statuses of good answers: one status, or a list of them. */
    private Optional<Success> success(Node node) {
        List<String> statuses = node.items().stream()
                .map(item -> item instanceof Scalar scalar ? scalar.text() : item.found())
                .toList();
        return problems.attempt(node.at(), "success", () -> success(statuses));
    }

    /** Reads statuses of good answers, and classes of them. */
    private static Success success(List<String> statuses) {
        statuses.stream().filter(status -> !Success.known(status)).findFirst().ifPresent(status -> {
            throw BadValue.of("'" + status + "'", SUCCESS);
        });
        if (statuses.isEmpty()) {
            throw BadValue.of("an empty list", SUCCESS);
        }
        return new Success(statuses);
    }

    private Optional<Http2> http2(Fields fields) {
        boolean http2 = fields.scalar(
                        "http",
                        HTTP,
                        EnumSet.of(ScalarKind.INTEGER, ScalarKind.DECIMAL, ScalarKind.TEXT),
                        text -> version(text).equals("2"))
                .orElse(false);
        Optional<Long> streams = fields.integer("streams", 1, Http2.MOST_STREAMS);
        if (streams.isPresent() && !http2) {
            problems.add(fields.at("streams"), "streams", "found them with HTTP/1.1, expected 'http: 2' beside them");
        }
        return http2 ? Optional.of(new Http2(streams.orElse(1L).intValue())) : Optional.empty();
    }

    private static String version(String text) {
        if (!text.equals("1.1") && !text.equals("2")) {
            throw BadValue.of("'" + text + "'", HTTP);
        }
        return text;
    }

    /** Reads how the load goes over TLS. A file is found from the experiment's folder. */
    private Tls tls(Fields fields) {
        return new Tls(
                fields.parsed("ca", "a PEM file", text -> certificates(base, text)),
                fields.bool("insecure").orElse(false));
    }

    /** Returns the path of the file of {@code ca:}, which must be readable. */
    private static String certificates(Path base, String text) {
        Path file = base.resolve(CommandPaths.path(text));
        if (!Files.isReadable(file)) {
            throw BadValue.of("'" + text + "', which cannot be read", "a PEM file with the issuers to trust");
        }
        return file.toString();
    }
}
