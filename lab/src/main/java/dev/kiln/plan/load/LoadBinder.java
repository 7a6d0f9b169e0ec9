package dev.kiln.plan.load;

import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.Feeding;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.load.LoadSpec.Feed.Order;
import dev.kiln.model.load.LoadSpec.Step;
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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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
    private static final String CALLS = "a list of calls, each with a url";

    /** These describe the one request of a load that has no calls. */
    private static final List<String> OF_ONE_REQUEST = List.of("method", "headers", "body");

    private static final String NAME = "a name of at most 60 characters, without commas and quotes";

    private static final String PATH = "a path such as /login";
    /** The URL stands in for one that is wrong, so that its mistake is noted only once. */
    private static final String NOWHERE = "http://localhost";

    private final Path base;
    private final Problems problems;
    private final Function<List<String>, Where> place;
    private List<Integer> levels = List.of();
    private CallTexts texts = new CallTexts(Optional.empty(), false, Set.of(), Set.of());
    private SessionBinder sessions;

    /**
     * @param base what relative paths are relative to
     * @param place makes of the words of {@code from} the place that the load is sent from
     */
    public LoadBinder(Path base, Problems problems, Function<List<String>, Where> place) {
        this.base = base;
        this.problems = problems;
        this.place = place;
        sessions = new SessionBinder(Optional.empty(), Optional.empty(), List.of(), problems);
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
        texts = new CallTexts(feed, fields.has("feed") && feed.isEmpty(), Set.of(), Set.of());
        sessions = new SessionBinder(fields.node("session"), fields.node("calls"), texts.columns(), problems);
        boolean calling = fields.has("calls");
        Optional<String> url =
                fields.parsed("url", "a URL", text -> calling ? before(texts.url(text)) : texts.url(text));
        List<LoadTemplate.TemplateCall> calls = fields.node("calls")
                .map(node -> calls(node, fields.has("url") ? Optional.of(url.orElse(NOWHERE)) : Optional.empty()))
                .orElseGet(() -> only(fields, url).stream().toList());
        if (calling) {
            OF_ONE_REQUEST.stream()
                    .filter(fields::has)
                    .forEach(key ->
                            problems.add(fields.at(key), key, "found it beside calls, expected it in each call"));
        }
        texts.unused(calls).ifPresent(unused -> problems.add(fields.at("feed"), "feed", unused));
        return template(
                fields,
                calls,
                fields.positive("rate").map(OptionalDouble::of).orElseGet(OptionalDouble::empty),
                feed.map(FeedFile::feeding));
    }

    private LoadTemplate replay(Fields fields) {
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
            Fields fields, List<LoadTemplate.TemplateCall> calls, OptionalDouble rate, Optional<Feeding> feed) {
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

    /** Returns the request of a load without calls, which the load itself describes. */
    private Optional<LoadTemplate.TemplateCall> only(Fields fields, Optional<String> url) {
        Optional<String> method = fields.parsed("method", "an HTTP method", LoadBinder::method);
        Map<String, String> headers = headers(fields, texts);
        Optional<String> body = fields.parsed("body", "text", texts::check);
        if (fields.has("body") && !fields.has("method")) {
            problems.add(fields.at("body"), "body", "found it without a method, expected one such as POST beside it");
        }
        return url.map(to -> new LoadTemplate.TemplateCall(
                method.orElse("GET"), to, headers, body, 1, Optional.empty(), Optional.empty(), sessions.step()));
    }

    private Map<String, String> headers(Fields fields, CallTexts texts) {
        Map<String, String> headers = fields.map("headers", texts::header);
        headers.forEach((name, value) ->
                problems.attempt(fields.at("headers"), "headers", () -> CallTexts.header(name, value)));
        return headers;
    }

    /** Reads the calls of a load; its URL, if it has one, is before the paths of its calls. */
    private List<LoadTemplate.TemplateCall> calls(Node node, Optional<String> base) {
        if (!(node instanceof NodeList list) || list.items().isEmpty()) {
            problems.expected(node, "calls", CALLS);
            return List.of();
        }
        Set<String> names = new HashSet<>();
        return list.items().stream()
                .flatMap(item -> Fields.of(item, Section.CALL, "a map with a url", problems)
                        .flatMap(fields -> call(fields, base, names))
                        .stream())
                .toList();
    }

    /** Reads one call. A name is there once for each target: replicas get the same calls. */
    private Optional<LoadTemplate.TemplateCall> call(Fields fields, Optional<String> base, Set<String> names) {
        Optional<String> url = url(fields, base);
        String target = target(url.orElse(""));
        CallTexts texts = this.texts.in(sessions, target);
        Optional<String> method = fields.parsed("method", "an HTTP method", LoadBinder::method);
        Map<String, String> headers = headers(fields, texts);
        Optional<String> body = fields.parsed("body", "text", texts::check);
        int weight = fields.integer("weight", 1, 1_000_000).orElse(1L).intValue();
        Optional<String> contains = fields.parsed("bodyContains", "text", text -> text);
        Optional<String> name = fields.parsed("name", NAME, text -> name(text, target, names));
        Optional<Step> step = sessions.step(fields, target);
        return url.map(to ->
                new LoadTemplate.TemplateCall(method.orElse("GET"), to, headers, body, weight, contains, name, step));
    }

    /** Returns the call's own URL, or its path behind the URL of the load. */
    private Optional<String> url(Fields fields, Optional<String> base) {
        String key = base.isPresent() ? "path" : "url";
        String other = base.isPresent() ? "url" : "path";
        if (fields.has(other)) {
            problems.add(
                    fields.at(other),
                    "calls",
                    "found a " + other + (base.isPresent() ? " beside" : " without")
                            + " the load's url, expected "
                            + (base.isPresent() ? "a path such as /login" : "a url, or 'url' in the load"));
        } else if (!fields.has(key)) {
            problems.add(fields.at(), "calls", "found a call without a " + key + ", expected one");
        }
        return base.isPresent()
                ? fields.parsed("path", PATH, text -> checked(base.get() + path(text)))
                : fields.parsed("url", "a URL", this::checked);
    }

    private String checked(String url) {
        return texts.in(sessions, target(url)).url(url);
    }

    private static String path(String text) {
        if (!text.startsWith("/")) {
            throw BadValue.of("'" + text + "'", PATH);
        }
        return text;
    }

    /** Returns the beginning of a URL, without its path. */
    private static String target(String url) {
        return url.replaceFirst("(?<=[^:/])[/?#].*", "");
    }

    /** Returns the load's URL as calls with paths begin with it: without a query and without a slash at its end. */
    private static String before(String url) {
        if (url.contains("?") || url.contains("#")) {
            throw BadValue.of("'" + url + "' with calls", "a URL without a query");
        }
        return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
    }

    private static String name(String text, String target, Set<String> names) {
        if (!text.matches("[^,\"'\\p{Cntrl}]{1,60}") || !text.equals(text.strip())) {
            throw BadValue.of("'" + text.replaceAll("\\p{Cntrl}", " ") + "'", NAME);
        }
        if (!names.add(target + " " + text)) {
            throw BadValue.of("'" + text + "' twice", "names that differ");
        }
        return text;
    }

    private static String method(String text) {
        if (!text.matches("[A-Z]{1,20}")) {
            throw BadValue.of("'" + text + "'", "an HTTP method in capitals such as GET or POST");
        }
        return text;
    }
}
