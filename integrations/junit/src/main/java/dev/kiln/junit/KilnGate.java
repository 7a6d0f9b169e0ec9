package dev.kiln.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/**
 * A KilnGate is a test that runs an experiment, and fails if the service got worse. It is aborted where the runs are too few to
 * decide, and says so; {@link #failUndecided} makes it fail there. The method's body runs after a gate that passed; it may take the {@link dev.kiln.build.Outcome}. Other tests wait
 * meanwhile, because they would take CPU from what is measured.
 *
 * <p>Paths are as seen from the folder in which the tests run.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Test
@ExtendWith(KilnGateExtension.class)
@ResourceLock(Resources.GLOBAL)
public @interface KilnGate {
    /** The experiment file. */
    String experiment();

    /**
     * The file of tolerances. Without it the {@code gate:} of the experiment file decides, and a file that has none is refused.
     */
    String tolerance() default "";

    /**
     * The baseline: a folder of results, {@code folder:variant} or a table. Without it, the first of the experiment's two variants
     * is the baseline of the second.
     */
    String baseline() default "";

    /** Whether the test fails where the runs are too few to decide. */
    boolean failUndecided() default false;

    /** The folder for what Kiln records. */
    String results() default "target/kiln";

    /** The program that starts Kiln. Without it, that of the environment variable {@code KILN}, or {@code kiln}. */
    String launcher() default "";

    /** Further options for the command that runs the experiment. */
    String[] arguments() default {};
}
