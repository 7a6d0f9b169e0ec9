package dev.kiln.fruits.spring;

import dev.kiln.fruits.api.DuplicateFruitException;
import dev.kiln.fruits.api.FruitName;
import dev.kiln.fruits.api.FruitNotFoundException;
import dev.kiln.fruits.api.Problem;
import dev.kiln.fruits.api.Problem.Violation;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.ErrorResponse;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.resource.NoResourceFoundException;

@RestControllerAdvice
class Problems {
    @ExceptionHandler
    ResponseEntity<Problem> notFound(FruitNotFoundException e) {
        return answer(Problem.of(e));
    }

    @ExceptionHandler
    ResponseEntity<Problem> duplicate(DuplicateFruitException e) {
        return answer(Problem.of(e));
    }

    @ExceptionHandler
    ResponseEntity<Problem> badCount(FruitName.BadCountException e) {
        return answer(Problem.of(e));
    }

    @ExceptionHandler
    ResponseEntity<Problem> malformed(HttpMessageNotReadableException e) {
        return answer(Problem.malformed());
    }

    @ExceptionHandler
    ResponseEntity<Problem> invalid(MethodArgumentNotValidException e) {
        return answer(Problem.invalid(e.getBindingResult().getFieldErrors().stream()
                .map(error -> new Violation(error.getField(), error.getDefaultMessage()))));
    }

    @ExceptionHandler({
        HttpRequestMethodNotSupportedException.class,
        HttpMediaTypeNotSupportedException.class,
        NoResourceFoundException.class
    })
    ResponseEntity<Problem> refused(Exception e) {
        HttpStatus status = HttpStatus.valueOf(((ErrorResponse) e).getStatusCode().value());
        return answer(Problem.refused(status.value(), status.getReasonPhrase()));
    }

    private static ResponseEntity<Problem> answer(Problem problem) {
        return ResponseEntity.status(problem.status())
                .contentType(MediaType.parseMediaType(Problem.MEDIA_TYPE))
                .body(problem);
    }
}
