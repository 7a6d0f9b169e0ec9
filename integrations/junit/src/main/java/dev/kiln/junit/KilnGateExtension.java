package dev.kiln.junit;

import dev.kiln.build.GateStep;
import dev.kiln.build.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.extension.BeforeTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/** The extension runs the experiment of a {@link KilnGate} before the method's body, which may take the outcome. */
final class KilnGateExtension implements BeforeTestExecutionCallback, ParameterResolver {
    @Override
    public void beforeTestExecution(ExtensionContext context) throws IOException, InterruptedException {
        KilnGate gate = AnnotationSupport.findAnnotation(context.getRequiredTestMethod(), KilnGate.class)
                .orElseThrow();
        Outcome outcome = step(gate).run(System.out::println);
        store(context).put(Outcome.class, outcome);
        switch (outcome.verdict()) {
            case PASSED -> {}
            case UNDECIDED -> {
                if (gate.failUndecided()) {
                    throw new AssertionFailedError(outcome.told());
                }
                outcome.told().lines().findFirst().ifPresent(System.out::println);
                throw new TestAbortedException(outcome.told());
            }
            case FAILED -> throw new AssertionFailedError(outcome.told());
        }
    }

    private static GateStep step(KilnGate gate) {
        return new GateStep(
                Path.of(gate.experiment()),
                given(gate.tolerance()).map(Path::of),
                given(gate.baseline()),
                Path.of(gate.results()),
                GateStep.launcher(gate.launcher()),
                List.of(gate.arguments()));
    }

    /** An annotation says "nothing" by an empty text. */
    private static Optional<String> given(String text) {
        return Optional.of(text).filter(some -> !some.isBlank());
    }

    private static Store store(ExtensionContext context) {
        return context.getStore(Namespace.create(KilnGateExtension.class));
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Outcome.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return Objects.requireNonNull(store(context).get(Outcome.class));
    }
}
