package dev.kiln.cli;

import dev.kiln.evidence.StudyFile;
import dev.kiln.explain.study.SweepResult.Density;
import dev.kiln.model.DensityStudy;
import dev.kiln.model.SweepLevel;
import dev.kiln.runner.ExperimentRunner;
import dev.kiln.stats.AnalysisConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** What a sweep does about memory once its runs are over. */
record DensityChecks(Console console, OptionalLong memoryBytes, boolean verify) {
    /** More processes than this say nothing that these do not, and would take the machine's other memory. */
    private static final long MOST_PROCESSES = 64;

    /** Writes down the amount that was asked for, beside what was measured for it before. */
    static void remember(Path experiment, OptionalLong bytes) {
        if (bytes.isPresent()) {
            List<DensityStudy.Measured> before = StudyFile.DENSITY
                    .find(experiment)
                    .filter(study -> study.memoryBytes() == bytes.getAsLong())
                    .map(DensityStudy::measured)
                    .orElse(List.of());
            StudyFile.DENSITY.write(experiment, new DensityStudy(bytes.getAsLong(), before));
        }
    }

    void after(ExperimentRunner runner, Path experiment) {
        remember(experiment, memoryBytes);
        if (!verify) {
            return;
        }
        List<DensityStudy.Measured> measured = new ArrayList<>();
        for (Density.Theory theory : theory(experiment)) {
            if (theory.processes() < 1) {
                console.err().println(theory.configuration() + ": none fits, so there is nothing to verify");
                continue;
            }
            SweepLevel level = new SweepLevel(theory.configuration(), theory.connections());
            int processes = (int) Math.min(MOST_PROCESSES, theory.processes());
            runner.together(level, processes).ifPresent(measured::add);
            StudyFile.DENSITY.write(experiment, new DensityStudy(memoryBytes.orElseThrow(), measured));
        }
    }

    /** By PSS: that is what so many processes take together. By RSS only where PSS could not be read. */
    private List<Density.Theory> theory(Path experiment) {
        List<Density.Theory> all = Experiments.assess(experiment, AnalysisConfig.defaults(), console.err())
                .sweep()
                .flatMap(sweep -> sweep.density())
                .map(Density::theory)
                .orElse(List.of());
        return all.stream()
                .filter(row -> row.by() == Density.By.PSS
                        || all.stream()
                                .noneMatch(other -> other.by() == Density.By.PSS
                                        && other.configuration().equals(row.configuration())))
                .toList();
    }
}
