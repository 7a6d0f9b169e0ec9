package dev.kiln.run;

import dev.kiln.console.ResultConsole;
import dev.kiln.model.experiment.Experiment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * A FollowUp is what the file of an experiment asks for after its last run, such as gates. Products are listed in
 * {@code META-INF/services}, so that {@code kiln run} knows none of them.
 */
public interface FollowUp {
    /** Returns the work to do; empty if the file asks for none. What is wrong with it is refused before the first run. */
    Optional<AfterRun> of(Path file, Experiment asked);

    /** An AfterRun judges the folder of an experiment that has run, and prints what it finds. */
    interface AfterRun {
        /** Returns the exit code for what was found: that of a problem, or a higher one for what the runs could not decide. */
        int exit(Path recorded, ResultConsole console);
    }

    /** Returns the work that all products do after this experiment. */
    static List<AfterRun> all(Path file, Experiment asked) {
        return ServiceLoader.load(FollowUp.class, FollowUp.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get)
                .flatMap(product -> product.of(file, asked).stream())
                .toList();
    }
}
