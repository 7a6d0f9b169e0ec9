package dev.kiln.runner;

import dev.kiln.runner.RunControl.Judge;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** An UnaskedJudge is one whom nobody asks when a load has to end; it finds nothing wrong with a run. */
public class UnaskedJudge implements Judge {
    @Override
    public boolean steady(double[] requestsPerSecond) {
        throw new AssertionError("asked whether a load is steady");
    }

    @Override
    public Known known(KnownRule rule, List<WatchedSecond> seconds) {
        throw new AssertionError("asked whether a load is known");
    }

    @Override
    public Searched searched(Path run, List<Double> earlier) {
        return new Searched(0, Optional.empty(), "");
    }

    @Override
    public OptionalDouble foundPeak(Path run) {
        return OptionalDouble.empty();
    }

    @Override
    public List<String> spoiled(Path run) {
        return List.of();
    }
}
