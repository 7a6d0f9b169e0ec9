package dev.kiln.plan.load;

import dev.kiln.model.experiment.LoadTemplate.TemplateCall;
import dev.kiln.model.load.LoadSpec.Step;
import dev.kiln.plan.text.Fields;
import dev.kiln.plan.text.Node;
import dev.kiln.plan.text.Node.NodeList;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Problems.BadValue;
import dev.kiln.plan.text.Section;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A CallsBinder reads the calls of a load, or the one request that the load itself describes. */
record CallsBinder(CallTexts texts, SessionBinder sessions, Problems problems) {
    private static final String CALLS = "a list of calls, each with a url";

    /** These describe the one request of a load that has no calls. */
    private static final List<String> OF_ONE_REQUEST = List.of("method", "headers", "body");

    private static final String NAME = "a name of at most 60 characters, without commas and quotes";

    private static final String PATH = "a path such as /login";
    /** The URL stands in for one that is wrong, so that its mistake is noted only once. */
    private static final String NOWHERE = "http://localhost";

    List<TemplateCall> bind(Fields fields) {
        boolean calling = fields.has("calls");
        Optional<String> url =
                fields.parsed("url", "a URL", text -> calling ? before(texts.url(text)) : texts.url(text));
        List<TemplateCall> calls = fields.node("calls")
                .map(node -> calls(node, fields.has("url") ? Optional.of(url.orElse(NOWHERE)) : Optional.empty()))
                .orElseGet(() -> only(fields, url).stream().toList());
        if (calling) {
            OF_ONE_REQUEST.stream()
                    .filter(fields::has)
                    .forEach(key ->
                            problems.add(fields.at(key), key, "found it beside calls, expected it in each call"));
        }
        return calls;
    }

    /** Returns the request of a load without calls, which the load itself describes. */
    private Optional<TemplateCall> only(Fields fields, Optional<String> url) {
        Optional<String> method = fields.parsed("method", "an HTTP method", CallsBinder::method);
        Map<String, String> headers = headers(fields, texts);
        Optional<String> body = fields.parsed("body", "text", texts::check);
        if (fields.has("body") && !fields.has("method")) {
            problems.add(fields.at("body"), "body", "found it without a method, expected one such as POST beside it");
        }
        return url.map(to -> new TemplateCall(
                method.orElse("GET"), to, headers, body, 1, Optional.empty(), Optional.empty(), sessions.step()));
    }

    private Map<String, String> headers(Fields fields, CallTexts of) {
        Map<String, String> headers = fields.map("headers", of::header);
        headers.forEach((name, value) ->
                problems.attempt(fields.at("headers"), "headers", () -> CallTexts.header(name, value)));
        return headers;
    }

    /** Reads the calls of a load; its URL, if it has one, is before the paths of its calls. */
    private List<TemplateCall> calls(Node node, Optional<String> base) {
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
    private Optional<TemplateCall> call(Fields fields, Optional<String> base, Set<String> names) {
        Optional<String> url = url(fields, base);
        String target = target(url.orElse(""));
        CallTexts own = texts.in(sessions, target);
        Optional<String> method = fields.parsed("method", "an HTTP method", CallsBinder::method);
        Map<String, String> headers = headers(fields, own);
        Optional<String> body = fields.parsed("body", "text", own::check);
        int weight = fields.integer("weight", 1, 1_000_000).orElse(1L).intValue();
        Optional<String> contains = fields.parsed("bodyContains", "text", text -> text);
        Optional<String> name = fields.parsed("name", NAME, text -> name(text, target, names));
        Optional<Step> step = sessions.step(fields, target);
        return url.map(to -> new TemplateCall(method.orElse("GET"), to, headers, body, weight, contains, name, step));
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
