package dev.kiln.model.load;

import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/**
 * A Take says where in an answer a value stands: {@code json:/token}, {@code header:X-CSRF} or {@code
 * regex:id=([0-9]+)}.
 */
public sealed interface Take {
    String EXPECTED = "json:/POINTER, header:NAME or regex:EXPRESSION";

    /** A TakeJson takes a single value of a JSON body by the steps of a JSON Pointer (RFC 6901). */
    record TakeJson(List<String> steps) implements Take {
        public TakeJson {
            steps = List.copyOf(steps);
        }
    }

    record Header(String name) implements Take {}

    /** Regex takes the only group of an expression that is found in a body. */
    record Regex(Pattern pattern) implements Take {}

    /** @throws IllegalArgumentException whose message is what was expected */
    static Take of(String text) {
        String kind = text.substring(0, text.indexOf(':') + 1);
        String rest = text.substring(kind.length());
        return switch (kind) {
            case "json:" -> json(rest);
            case "header:" -> header(rest);
            case "regex:" -> regex(rest);
            default -> throw new IllegalArgumentException(EXPECTED);
        };
    }

    private static Take json(String pointer) {
        if (!pointer.matches("(?s)(?:/(?:[^~/]|~[01])*)*")) {
            throw new IllegalArgumentException("a JSON Pointer such as json:/user/token or json:/items/0/id");
        }
        return new TakeJson(Stream.of(pointer.split("/", -1))
                .skip(1)
                .map(step -> step.replace("~1", "/").replace("~0", "~"))
                .toList());
    }

    private static Take header(String name) {
        if (!name.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")) {
            throw new IllegalArgumentException("the name of a header such as header:X-CSRF");
        }
        return new Header(name);
    }

    private static Take regex(String expression) {
        Pattern pattern;
        try {
            pattern = Pattern.compile(expression);
        } catch (PatternSyntaxException e) {
            throw new IllegalArgumentException("a regular expression (" + e.getDescription() + ")", e);
        }
        if (pattern.matcher("").groupCount() != 1) {
            throw new IllegalArgumentException(
                    "exactly one group in round brackets, which is the value; (?:...) is no group");
        }
        return new Regex(pattern);
    }
}
