package dev.kiln.tune;

import dev.kiln.console.Consent;
import dev.kiln.console.Console;
import dev.kiln.console.NextStep;
import dev.kiln.evidence.RunReader;
import dev.kiln.files.InputFile;
import dev.kiln.host.process.UserCommand;
import dev.kiln.launch.Lab;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.PlannedRun;
import dev.kiln.model.experiment.Hook;
import dev.kiln.model.experiment.Hook.HookMoment;
import dev.kiln.model.experiment.JvmOptions.ToolOptions;
import dev.kiln.model.experiment.SetEnv;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.plan.Schedule;
import dev.kiln.run.LabSession;
import dev.kiln.runner.ExperimentRunner;
import dev.kiln.runner.ServiceAsBefore;
import dev.kiln.tune.Tuning.TuneProof;
import dev.kiln.tune.Tuning.TuneVerdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * An Applying puts a proven cure into force where others start the service: after a person has agreed, their command starts it once
 * more with the cure, and the service stays so. Where the run that does this does not show that it worked, the service is started
 * again as it was, even if nothing of it runs any more.
 *
 * @param given experiment as it was written
 * @param experiment of the search; its first variant is the service as it was
 * @param directory of the search
 */
record Applying(Console console, Secrets secrets, Experiment given, Experiment experiment, Path directory) {
    private static final String STAGE = "8-applied";

    /** These would end the service, or take away what it needs. */
    private static final Set<HookMoment> ENDING = EnumSet.of(HookMoment.STOP, HookMoment.CLEANUP);

    /**
     * Asks, and applies.
     *
     * @param found the exit code of the search
     * @return the exit code
     */
    int run(Tuning tuning, Consent consent, int found) {
        if (tuning.verdict() != TuneVerdict.IMPROVED) {
            say("nothing was applied: no cure is proven");
            return found;
        }
        TuneProof proof = tuning.winner().orElseThrow();
        Target target = proof.candidate().variant().target();
        String restart = HandedOn.restart(target).orElseThrow();
        say("to apply it, " + restart + " starts the service once more with "
                + String.join(
                        ", ", Candidates.changes(baseline(), proof.candidate().variant()))
                + ", and it stays so");
        if (!consent.given(console.err())) {
            say("nothing was applied");
            return found;
        }
        LabSession session = new LabSession(console, secrets);
        return session.run(() -> {
            List<Boolean> applied = new ArrayList<>();
            int code = session.work(() -> isAsMeasured(session.asDeployed(given))
                            && session.withLab(
                                    experiment.cpus(), lab -> applied.add(apply(session, lab, proof.candidate()))))
                    .exit(found);
            if (code == LabSession.INTERRUPTED) {
                session.interrupted("; the service is as it was before, unless a line above says otherwise");
                return code;
            }
            return session.exit(applied.contains(true) ? code : Math.max(code, Exit.PROBLEM.code()));
        });
    }

    /** Tells whether a deployment still has what the cure was added to, or says that it has not. */
    boolean isAsMeasured(Experiment now) {
        Map<String, String> has = now.variants().getFirst().target().environment();
        Map<String, String> had = baseline().target().environment();
        List<String> other = SetEnv.of(baseline().target()).map(SetEnv::names).orElse(List.of()).stream()
                .filter(name -> !Optional.ofNullable(has.get(name)).equals(Optional.ofNullable(had.get(name))))
                .toList();
        if (!other.isEmpty()) {
            say("nothing was applied: the deployment has another " + String.join(", ", other) + " since the search");
        }
        return other.isEmpty();
    }

    private Variant baseline() {
        return experiment.variants().getFirst();
    }

    private void say(String text) {
        console.note("kiln: " + secrets.text(text));
    }

    private boolean apply(LabSession session, Lab lab, Candidate winner) {
        Experiment alone = HandedOn.brief(
                staying(), winner.variant().with(staying(winner.variant().target())));
        PlannedRun planned = new TuneStage(directory.resolve(STAGE))
                .numbered(Schedule.of(alone).runs())
                .getFirst();
        try (ServiceAsBefore service =
                session.asBefore(lab, staying(baseline().target()), directory.resolve("as-before"))) {
            service.changes();
            try (ExperimentRunner runner = session.runner(lab, alone, directory.resolve(STAGE))) {
                runner.run(List.of(planned), block -> false);
            }
            Path folder = directory.resolve(STAGE).resolve(winner.name()).resolve(Integer.toString(planned.run()));
            RunEvidence run = RunReader.read(folder);
            Effect effect =
                    Effect.of(baseline(), winner, written(winner.variant().target()), run);
            Optional<String> now = service.goesOn(run.info());
            Optional<String> failure = failure(run, effect, now);
            if (failure.isEmpty()) {
                service.keep();
                told(session, effect, now.orElseThrow(), folder);
                undo(winner.variant().target(), service.command());
            } else {
                session.note(secrets.text("kiln: not applied: " + failure.get()));
            }
            return failure.isEmpty();
        }
    }

    /** Returns what the files say, with the flags that the command got: a file withholds those with a secret. */
    private WrittenCure written(Target now) {
        WrittenCure written = AsWritten.written(directory.resolve("tuned"));
        Map<String, String> environment = new TreeMap<>(written.environment());
        Optional.ofNullable(now.environment().get(ToolOptions.NAME))
                .ifPresent(value -> environment.put(ToolOptions.NAME, value));
        return new WrittenCure(environment, written.unit(), written.removed(), written.missing(), written.faults());
    }

    /** Returns the experiment with nothing that ends what its service needs. */
    private Experiment staying() {
        Experiment.Setting setting = experiment.setting();
        return new Experiment(
                experiment.name(),
                experiment.variants(),
                experiment.protocol(),
                experiment.load(),
                new Experiment.Setting(
                        setting.database(), setting.cpus(), setting.cold(), setting.duet(), staying(setting.hooks())),
                experiment.runs(),
                experiment.seed(),
                experiment.claims());
    }

    private static Target staying(Target target) {
        return new Target(
                target.program(),
                target.jvm(),
                target.readiness(),
                target.modifiers(),
                target.where(),
                staying(target.hooks()));
    }

    private static List<Hook> staying(List<Hook> hooks) {
        return hooks.stream().filter(hook -> !ENDING.contains(hook.moment())).toList();
    }

    private static Optional<String> failure(RunEvidence run, Effect effect, Optional<String> now) {
        if (run.info().outcome() != Outcome.COMPLETED) {
            return Optional.of(run.info().course().outcomeDetail().orElse("its run did not come to its end"));
        }
        if (effect.took().filter(took -> !took).isPresent()) {
            return Optional.of(effect.words());
        }
        return now.isPresent()
                ? Optional.empty()
                : Optional.of(
                        "the service does not go on when its command ends; one that serves in the foreground is ended with"
                                + " the run");
    }

    private void told(LabSession session, Effect effect, String now, Path folder) {
        session.note(secrets.text("kiln: applied: the service runs with it as " + now
                + (effect.words().isEmpty() ? "" : "; " + effect.words()) + " (its start is in " + folder + ")"));
    }

    private void undo(Target now, Optional<UserCommand> before) {
        Path file =
                directory.resolve("tuned").resolve(RestartedBy.of(now).starter().file());
        say((RestartedBy.of(now).starter() == RestartedBy.Starter.SET_ENV
                        ? "the deployment keeps it until its own files are applied again; to keep it in them: "
                        : "it lasts until somebody starts the service without it; to keep it: ")
                + (holdsOptions(file, now)
                        ? file
                        : "set " + ToolOptions.NAME + " by hand, because no file holds a value with a secret in it"));
        before.ifPresent(command -> {
            List<String> words = new ArrayList<>();
            if (!command.environment().isEmpty()) {
                words.add("env");
                new TreeMap<>(command.environment()).forEach((name, value) -> words.add(name + "=" + value));
            }
            words.addAll(Secrets.HIDDEN.command(command.words()));
            String line =
                    secrets.text("cd " + NextStep.word(command.folder().toString()) + " && " + NextStep.words(words));
            // A line that is broken cannot be copied.
            console.err().println("kiln: to undo it: " + line);
            if (line.contains(Secrets.MASK)) {
                say("there " + Secrets.MASK + " stands for a secret, which you have to put in");
            }
        });
    }

    /** Tells whether a file has the variable, where the cure has it: a value with a secret in it is withheld. */
    private static boolean holdsOptions(Path file, Target now) {
        if (!now.environment().containsKey(ToolOptions.NAME)) {
            return true;
        }
        try {
            return Files.exists(file)
                    && InputFile.text(file, InputFile.DOCUMENT)
                            .lines()
                            .anyMatch(line -> !line.startsWith("#") && line.contains(ToolOptions.NAME));
        } catch (IOException unreadable) {
            return false;
        }
    }
}
