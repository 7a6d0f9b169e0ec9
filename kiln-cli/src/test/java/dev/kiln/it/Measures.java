package dev.kiln.it;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/**
 * A test that measures asserts on a measured figure: it needs quiet CPUs, or a load long enough for the figure to show.
 * {@code ./mvnw verify -P measure} runs it, and {@code ./mvnw verify} leaves it out and says so.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("measures")
@ExtendWith(Measures.OnlyWhenAskedFor.class)
@interface Measures {
    final class OnlyWhenAskedFor implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (Boolean.getBoolean("kiln.measure")) {
                return ConditionEvaluationResult.enabled("asked for");
            }
            context.getRoot()
                    .getStore(Namespace.create(Measures.class))
                    .computeIfAbsent(LeftOut.class)
                    .places
                    .incrementAndGet();
            return ConditionEvaluationResult.disabled("it measures: ./mvnw verify -P measure runs it");
        }
    }

    /** LeftOut is closed at the end of all tests, and then says that there are more. */
    final class LeftOut implements AutoCloseable {
        private final AtomicInteger places = new AtomicInteger();

        @Override
        public void close() {
            System.out.println("Left out: " + places
                    + " classes and methods of tests that measure. All tests run with: ./mvnw verify -P measure");
        }
    }
}
