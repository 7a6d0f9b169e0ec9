package dev.kiln.testing;

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
 * A test of the full run takes long: it asserts on a measured figure, which needs quiet CPUs or a long load, or it works
 * with other people's programs, such as a container, SSH, Gatling or the training of an AOT cache. {@code ./mvnw verify -P
 * full} runs it, and so does CI; {@code ./mvnw verify} leaves it out and says so.
 */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@Tag("full-run")
@ExtendWith(FullRun.OnlyWhenAskedFor.class)
public @interface FullRun {
    /** OnlyWhenAskedFor lets such a test run where the build was told so. */
    final class OnlyWhenAskedFor implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            if (Boolean.getBoolean("kiln.fullRun")) {
                return ConditionEvaluationResult.enabled("asked for");
            }
            context.getRoot()
                    .getStore(Namespace.create(FullRun.class))
                    .computeIfAbsent(LeftOut.class)
                    .places
                    .incrementAndGet();
            return ConditionEvaluationResult.disabled("it is of the full run: ./mvnw verify -P full");
        }
    }

    /** LeftOut is closed at the end of all tests, and then says that there are more. */
    final class LeftOut implements AutoCloseable {
        private final AtomicInteger places = new AtomicInteger();

        @Override
        public void close() {
            System.out.println("Left out: " + places
                    + " classes and methods of tests of the full run. All tests run with: ./mvnw verify -P full");
        }
    }
}
