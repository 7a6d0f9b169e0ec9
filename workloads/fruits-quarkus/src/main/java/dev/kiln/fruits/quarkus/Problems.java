package dev.kiln.fruits.quarkus;

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
import java.util.ArrayList;
import java.util.List;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

class Problems {
    /** Of <code>add.fruit.name</code>, the method and its parameter say nothing to a client. */
    private static final int METHOD_AND_PARAMETER = 2;

    @ServerExceptionMapper
    Response notFound(FruitNotFoundException e) {
        return answer(Problem.of(e));
    }

    @ServerExceptionMapper
    Response duplicate(DuplicateFruitException e) {
        return answer(Problem.of(e));
    }

    @ServerExceptionMapper
    Response badCount(FruitName.BadCountException e) {
        return answer(Problem.of(e));
    }

    /** JSON of the wrong shape; a mapper of this very class is needed, for Quarkus brings one. */
    @ServerExceptionMapper
    Response mismatched(MismatchedInputException e) {
        return answer(Problem.malformed());
    }

    /** What is not JSON at all, Quarkus REST wraps like its own refusals. */
    @ServerExceptionMapper
    Response refused(WebApplicationException e) {
        if (e.getCause() instanceof JacksonException) {
            return answer(Problem.malformed());
        }
        Response.StatusType status = e.getResponse().getStatusInfo();
        return answer(Problem.refused(status.getStatusCode(), status.getReasonPhrase()));
    }

    @ServerExceptionMapper
    Response invalid(ConstraintViolationException e) {
        boolean noBody = e.getConstraintViolations().stream().anyMatch(v -> field(v).isEmpty());
        if (noBody) {
            return answer(Problem.malformed());
        }
        return answer(Problem.invalid(
                e.getConstraintViolations().stream().map(v -> new Violation(field(v), v.getMessage()))));
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
