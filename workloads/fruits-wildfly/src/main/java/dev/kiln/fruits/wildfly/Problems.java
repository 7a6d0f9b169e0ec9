package dev.kiln.fruits.wildfly;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import dev.kiln.fruits.api.DuplicateFruitException;
import dev.kiln.fruits.api.FruitName;
import dev.kiln.fruits.api.FruitNotFoundException;
import dev.kiln.fruits.api.Problem;
import dev.kiln.fruits.api.Problem.Violation;
import jakarta.validation.ConstraintViolation;
import jakarta.validation.ConstraintViolationException;
import jakarta.validation.Path;
import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.ext.Provider;
import java.util.ArrayList;
import java.util.List;

/** Errors as the API shows them, a mapper for each kind of exception. */
final class Problems {
    /** Of <code>add.fruit.name</code>, the method and its parameter say nothing to a client. */
    private static final int METHOD_AND_PARAMETER = 2;

    private Problems() {}

    @Provider
    public static class NotFound implements ExceptionMapper<FruitNotFoundException> {
        @Override
        public Response toResponse(FruitNotFoundException e) {
            return answer(Problem.of(e));
        }
    }

    @Provider
    public static class Duplicate implements ExceptionMapper<DuplicateFruitException> {
        @Override
        public Response toResponse(DuplicateFruitException e) {
            return answer(Problem.of(e));
        }
    }

    @Provider
    public static class BadCount implements ExceptionMapper<FruitName.BadCountException> {
        @Override
        public Response toResponse(FruitName.BadCountException e) {
            return answer(Problem.of(e));
        }
    }

    /** JSON of the wrong shape; a mapper of this very class is needed, for RESTEasy brings one. */
    @Provider
    public static class Mismatched implements ExceptionMapper<MismatchedInputException> {
        @Override
        public Response toResponse(MismatchedInputException e) {
            return answer(Problem.malformed());
        }
    }

    /** What is not JSON at all. */
    @Provider
    public static class Unparsable implements ExceptionMapper<JsonParseException> {
        @Override
        public Response toResponse(JsonParseException e) {
            return answer(Problem.malformed());
        }
    }

    /** What RESTEasy itself refuses. */
    @Provider
    public static class Refused implements ExceptionMapper<WebApplicationException> {
        @Override
        public Response toResponse(WebApplicationException e) {
            if (e.getCause() instanceof JacksonException) {
                return answer(Problem.malformed());
            }
            Response.StatusType status = e.getResponse().getStatusInfo();
            return answer(Problem.refused(status.getStatusCode(), status.getReasonPhrase()));
        }
    }

    @Provider
    public static class Invalid implements ExceptionMapper<ConstraintViolationException> {
        @Override
        public Response toResponse(ConstraintViolationException e) {
            boolean noBody = e.getConstraintViolations().stream().anyMatch(v -> field(v).isEmpty());
            if (noBody) {
                return answer(Problem.malformed());
            }
            return answer(Problem.invalid(
                    e.getConstraintViolations().stream().map(v -> new Violation(field(v), v.getMessage()))));
        }
    }

    private static String field(ConstraintViolation<?> violation) {
        List<String> names = new ArrayList<>();
        for (Path.Node node : violation.getPropertyPath()) {
            names.add(node.getName());
        }
        return String.join(".", names.subList(METHOD_AND_PARAMETER, names.size()));
    }

    private static Response answer(Problem problem) {
        return Response.status(problem.status())
                .type(Problem.MEDIA_TYPE)
                .entity(problem)
                .build();
    }
}
