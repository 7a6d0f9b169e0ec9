package dev.kiln.startup;

import dev.kiln.console.Console;
import dev.kiln.console.NextStep;
import dev.kiln.console.Outputs;
import dev.kiln.console.ResultConsole;
import dev.kiln.console.TextFiles;
import dev.kiln.evidence.StartTableReader;
import dev.kiln.evidence.StudyFile;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.StartupSpec;
import dev.kiln.model.experiment.Variant.Observe;
import dev.kiln.plan.StartupFlags;
import dev.kiln.run.LabSession;
import dev.kiln.run.LabSession.WorkEnding;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A StartupSession runs a start-up comparison from the first start to the printed result, whatever ends it. */
final class StartupSession {
    private final Rendering rendering;
    private final Outputs outputs;

    /** The folder is empty before the first start is due: a build may fail before. */
    private Optional<Path> made = Optional.empty();

    private final LabSession session;

    StartupSession(Console console, Outputs outputs, Rendering rendering) {
        this.rendering = rendering;
        this.outputs = outputs;
        session = new LabSession(console, outputs.secrets());
    }

    int run(StartupFlags flags) {
        return session.run(() -> runToEnd(flags.toSpec(), Optional.empty()));
    }

    /** Compares the variants of an experiment file, of which only the start is observed. */
    int run(StartupFlags flags, Experiment wanted) {
        return session.run(() -> {
            Experiment experiment = session.resolved(wanted).with(Observe.NOTHING);
            return runToEnd(flags.toSpec(experiment), Optional.of(experiment));
        });
    }

    private int runToEnd(StartupSpec spec, Optional<Experiment> experiment) {
        WorkEnding ending = session.work(() -> session.withLab(spec.cpus(), lab -> {
            experiment.ifPresent(session::build);
            Path directory = outputs.fresh("startup");
            made = Optional.of(directory);
            return session.starts(lab, spec, experiment, directory).run();
        }));
        if (ending == WorkEnding.INTERRUPTED) {
            session.interrupted(made.map(folder -> "; what was recorded is in " + folder)
                    .orElse(" before the first start; nothing was recorded"));
        }
        made.filter(StudyFile.STARTUP::exists).ifPresent(rendering::recorded);
        return ending.exit(0);
    }

    /** A Rendering prints a start-up comparison in the form that was asked for. */
    record Rendering(ResultConsole console, boolean csv, boolean markdown, double effect) {
        private StartupAssessment assessment() {
            return new StartupAssessment(effect);
        }

        /** Prints the comparison in a CSV file, or in a folder that an earlier comparison wrote. */
        void table(Path path, int discard) {
            print(
                    Files.isDirectory(path)
                            ? assessment().of(StudyFile.STARTUP.read(path))
                            : assessment().of(StartTableReader.read(path), discard));
        }

        /** Prints a comparison that was just recorded, and writes its table beside the evidence. */
        void recorded(Path directory) {
            StartupResult result = assessment().of(StudyFile.STARTUP.read(directory));
            TextFiles.write(directory.resolve("startup.csv"), StartupReport.csv(result));
            print(result);
            if (!csv && !markdown) {
                console.next(NextStep.serve(directory.resolveSibling("")));
            }
        }

        private void print(StartupResult result) {
            console.print(() -> StartupJson.render(result), () -> text(result));
        }

        private String text(StartupResult result) {
            if (csv) {
                return StartupReport.csv(result);
            }
            return markdown ? StartupReport.markdown(result) : StartupReport.terminal(result, console.style());
        }
    }
}
