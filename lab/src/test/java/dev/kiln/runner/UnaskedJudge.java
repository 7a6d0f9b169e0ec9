package dev.kiln.runner;

import dev.kiln.model.load.LoadBin;
import java.nio.file.Path;
import java.util.List;

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
    public boolean starved(double cpu, double waiting) {
        return false;
    }

    @Override
    public int change(List<LoadBin> load) {
        return 0;
    }

    @Override
    public List<String> spoiled(Path run) {
        return List.of();
    }
}
