package dev.kiln.fruits.api;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The body of every error, after RFC 9457; written here because the frameworks' own bodies differ. */
@JsonPropertyOrder({"title", "status", "detail", "violations"})
public record Problem(String title, int status, String detail, List<Violation> violations) {
    public static final String MEDIA_TYPE = "application/problem+json";

    @JsonPropertyOrder({"field", "message"})
    public record Violation(String field, String message) {}

    public static Problem malformed() {
        return new Problem("Bad Request", 400, "The request body is not the JSON expected.", List.of());
    }

    /** Sorted, for validators report violations in no particular order. */
    public static Problem invalid(Stream<Violation> violations) {
        List<Violation> sorted = violations
                .sorted(Comparator.comparing(Violation::field).thenComparing(Violation::message))
                .toList();
        return new Problem("Bad Request", 400, "The fruit is not valid.", sorted);
    }

    /** A request no endpoint takes: wrong path, method or media type. */
    public static Problem refused(int status, String reason) {
        return new Problem(reason, status, "There is nothing here for such a request.", List.of());
    }

    public static Problem of(FruitNotFoundException e) {
        return new Problem("Not Found", 404, e.getMessage(), List.of());
    }

    public static Problem of(FruitName.BadCountException e) {
        return new Problem("Bad Request", 400, e.getMessage(), List.of());
    }

    public static Problem of(DuplicateFruitException e) {
        return new Problem("Conflict", 409, e.getMessage(), List.of());
    }
}
