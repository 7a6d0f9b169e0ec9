package dev.kiln.tune;

import dev.kiln.compare.Configuration;
import dev.kiln.compare.Measured;
import dev.kiln.console.Outputs;
import dev.kiln.console.TextFiles;
import dev.kiln.files.InputFile;
import dev.kiln.model.KilnException;
import dev.kiln.model.Metric;
import dev.kiln.model.Secrets;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.JvmOptions.ToolOptions;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.experiment.SetEnv;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.RunEvidence;
import dev.kiln.stats.Descriptive;
import dev.kiln.text.Show;
import dev.kiln.tune.HandedOver.WrittenFile;
import dev.kiln.tune.HandedOver.WrittenRun;
import dev.kiln.tune.Trials.Results;
import dev.kiln.tune.Tuning.TuneProof;
import dev.kiln.tune.Tuning.TuneVerdict;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * AsWritten hands over a proven cure as files, and tries once what they say: the baseline runs with the environment and the limits
 * that are read back from the files, and with nothing else of the cure.
 *
 * @param directory of the search
 * @param secrets what becomes of passwords and tokens
 * @param lab makes the run
 */
record AsWritten(Variant baseline, Path directory, Secrets secrets, OneRun lab) {
    static final String STAGE = "7-as-written";

    /** As much load shows whether the service runs with the files, and serves what it did in the proof. A choice. */
    static final int SECONDS = 20;

    private static final String CACHE_FLAG = "-XX:AOTCache=";

    /** The reason why files for other places are not tried. */
    private static final String YOURS =
            "the names in capitals are yours, and this machine has no cluster or proxy of yours";

    /** A OneRun runs a variant once. */
    interface OneRun {
        /**
         * Returns one run of the variant alone, which is not made again if the stage has it; empty if the budget is not
         * enough.
         */
        Optional<MadeRun> once(String stage, Variant variant);
    }

    /**
     * A MadeRun is what a run alone showed.
     *
     * @param evidence of the run; empty where it did not end by itself
     * @param whole whether it had the whole protocol, and so may show a time to the peak
     * @param results of its stage
     */
    record MadeRun(Optional<RunEvidence> evidence, boolean whole, Results results) {
        /** @param err where Kiln warns of evidence that it cannot read */
        static MadeRun of(TuneStage stage, String variant, Protocol protocol, PrintWriter err) {
            Optional<RunEvidence> run = stage.last(variant);
            boolean cut = !shortest(protocol).equals(protocol)
                    && run.filter(made -> made.info().phases().size() == 1).isPresent();
            return new MadeRun(run, !cut, stage.results(variant, List.of(), Map.of(), err));
        }
    }

    /** Returns the protocol of a run for which a whole one is too long: the first seconds of its load, if it can be cut there. */
    static Protocol shortest(Protocol whole) {
        boolean goesOn = whole.phases().size() > 1 || whole.reference().isPresent();
        return goesOn
                        && whole.phases().getFirst() instanceof Phase.Load load
                        && load.shape().isEmpty()
                        && load.duration().toSeconds() > SECONDS
                ? new Protocol("as-written", List.of(new Phase.Load(load.name(), Duration.ofSeconds(SECONDS))))
                : whole;
    }

    /** Returns the same for an experiment; the whole where another generator than Kiln's own may not tell single seconds. */
    static Protocol shortest(Experiment of) {
        return of.load().engine().equals(LoadEngine.KILN) ? shortest(of.protocol()) : of.protocol();
    }

    /** Writes the files of a cure in place of what an earlier search left, and tries them; empty if there is no cure. */
    Optional<HandedOver> of(Tuning tuning) {
        Path folder = directory.resolve("tuned");
        for (String name : TunedFiles.NAMES) {
            try {
                Files.deleteIfExists(folder.resolve(name));
            } catch (IOException e) {
                throw KilnException.machine(
                        e,
                        "cannot replace " + folder.resolve(name),
                        "make it writable, or name another folder: --results DIR");
            }
        }
        if (tuning.verdict() != TuneVerdict.IMPROVED) {
            return Optional.empty();
        }
        Outputs.make(folder, "--results");
        Map<String, String> texts = new TunedFiles(baseline, tuning, directory, secrets).texts();
        texts.forEach((name, text) -> TextFiles.write(folder.resolve(name), text));
        return Optional.of(
                tried(folder, List.copyOf(texts.keySet()), tuning.winner().orElseThrow()));
    }

    private HandedOver tried(Path folder, List<String> names, TuneProof proof) {
        WrittenCure written = written(folder);
        Attempt run = tried(written, proof);
        List<WrittenFile> files = new ArrayList<>(List.of(run.environment));
        files.add(WrittenUnit.verified(
                folder.resolve(TunedFiles.SYSTEMD), directory.resolve(STAGE), written, run.made.isPresent()));
        names.stream()
                .filter(name -> !name.equals(TunedFiles.ENVIRONMENT) && !name.equals(TunedFiles.SYSTEMD))
                .map(name -> new WrittenFile(
                        name,
                        false,
                        switch (name) {
                            case TunedFiles.DOCKERFILE -> "IMAGE and train.sh in it are yours";
                            case TunedFiles.COMPOSE -> "Kiln does not change your compose project";
                            case TunedKubernetes.PATCH -> patchUntried();
                            default -> YOURS;
                        }))
                .forEach(files::add);
        return new HandedOver(folder, run.made, files);
    }

    private String patchUntried() {
        return SetEnv.of(baseline.target()).isPresent()
                ? "its environment is what the run had, and nothing else of it was applied"
                : YOURS;
    }

    /** Returns what the files in a folder say. */
    static WrittenCure written(Path folder) {
        return WrittenCure.of(read(folder.resolve(TunedFiles.ENVIRONMENT)), read(folder.resolve(TunedFiles.SYSTEMD)));
    }

    /**
     * @param made the run; empty where there was none
     * @param environment what became of {@code service.env}
     */
    private record Attempt(Optional<WrittenRun> made, WrittenFile environment) {
        private static Attempt not(String why) {
            return new Attempt(Optional.empty(), new WrittenFile(TunedFiles.ENVIRONMENT, false, why));
        }
    }

    private Attempt tried(WrittenCure written, TuneProof proof) {
        Optional<String> cache = absentCache(written);
        if (written.isEmpty() || cache.isPresent()) {
            return Attempt.not(cache.orElseGet(written::nothing));
        }
        Variant variant = written.variant(baseline, proof.candidate().name() + "-as-written");
        try {
            return lab.once(STAGE, variant)
                    .map(run -> tried(written, variant, run, proof))
                    .orElseGet(() ->
                            Attempt.not("the budget is not enough for one more run; a larger --budget with the same"
                                    + " --results goes on"));
        } catch (KilnException e) {
            return Attempt.not(String.valueOf(e.getMessage()));
        }
    }

    private Attempt tried(WrittenCure written, Variant variant, MadeRun run, TuneProof proof) {
        if (run.evidence.isEmpty()) {
            return Attempt.not("its run was not completed; the same command with the same --results makes it");
        }
        boolean died = run.evidence.get().info().outcome() == Outcome.TARGET_FAILED;
        Effect effect = died
                ? new Effect(Optional.of(false), "the service did not run with it")
                : Effect.of(baseline, proof.candidate(), written, run.evidence.get());
        Optional<Configuration> figures = run.results.of(variant.name());
        List<String> words = new ArrayList<>(List.of(effect.words()));
        Optional.ofNullable(run.results.failed().get(variant.name())).ifPresent(words::add);
        words.add(run.whole ? told(figures, proof.figures()) : served(run.evidence.get(), proof));
        words.addAll(written.faults());
        List<String> inherited = ToolOptions.parse(
                        Optional.ofNullable(System.getenv(ToolOptions.NAME)).orElse(""))
                .flags();
        if (written.environment().containsKey(ToolOptions.NAME)
                && SetEnv.of(baseline.target()).isEmpty()
                && !written.flags().containsAll(inherited)) {
            words.add("without the " + ToolOptions.NAME + " of Kiln's own environment, which the other runs had");
        }
        return new Attempt(
                Optional.of(new WrittenRun(
                        STAGE, effect.took(), figures.map(AsWritten::t90).orElse(OptionalDouble.empty()))),
                new WrittenFile(TunedFiles.ENVIRONMENT, true, String.join(", ", words) + without(written)));
    }

    /** Returns the time to 90 % of the peak beside that of the proof, in words. */
    private static String told(Optional<Configuration> figures, Configuration proof) {
        boolean known = figures.flatMap(of -> of.metric(Metric.T90.id())).isPresent();
        OptionalDouble t90 = figures.map(AsWritten::t90).orElse(OptionalDouble.empty());
        OptionalDouble proven = t90(proof);
        return "T90 "
                + (t90.isPresent() ? seconds(t90) : known ? "not reached" : "not known, for the run is not valid")
                + (proven.isPresent() ? " (in the proof " + seconds(proven) + ")" : "");
    }

    /** Returns the requests of the first seconds beside those of the runs of the proof, in words. */
    private String served(RunEvidence run, TuneProof proof) {
        double[] served = TuneStage.seconds(run).orElse(new double[0]);
        int seconds = Math.min(SECONDS, served.length);
        if (seconds == 0) {
            return "its requests were not recorded by the second, and there was no time for a whole run";
        }
        LongSummaryStatistics proven = new TuneStage(directory.resolve(proof.stage()))
                .served(proof.candidate().name()).stream()
                        .filter(one -> one.length >= seconds)
                        .mapToLong(one -> requests(one, seconds))
                        .summaryStatistics();
        return Show.whole(requests(served, seconds)) + " requests in its first " + seconds + " s of load"
                + (proven.getCount() > 0
                        ? " (in the proof " + Show.whole(proven.getMin()) + " to " + Show.whole(proven.getMax()) + ")"
                        : "")
                + ", because there was no time for a whole run";
    }

    private static long requests(double[] served, int seconds) {
        return Math.round(Arrays.stream(served, 0, seconds).sum());
    }

    private static String seconds(OptionalDouble t90) {
        return Show.three(t90.getAsDouble()) + " s";
    }

    private static String without(WrittenCure written) {
        return written.missing().isEmpty()
                ? ""
                : "; it cannot say, and so the run did not have: " + String.join("; ", written.missing());
    }

    /** Returns why a run would be one without its AOT cache: an image brings the file, and this machine has no such one. */
    private Optional<String> absentCache(WrittenCure written) {
        return written.flags().stream()
                .filter(flag -> flag.startsWith(CACHE_FLAG) && baseline.target().where() instanceof Where.Here)
                .map(flag -> flag.substring(CACHE_FLAG.length()))
                .filter(file -> !Files.exists(Path.of(file)))
                .map(file -> file + " is not on this machine: the Dockerfile makes it in your image")
                .findFirst();
    }

    /** Returns the median of the times to 90 % of the peak; empty if a run did not come to it. */
    private static OptionalDouble t90(Configuration of) {
        return of.metric(Metric.T90.id())
                .filter(measured -> measured.runs().stream().noneMatch(one -> one.censored()))
                .map(Measured::values)
                .map(values -> Descriptive.median(Arrays.stream(values)))
                .orElse(OptionalDouble.empty());
    }

    private static String read(Path file) {
        try {
            return InputFile.text(file, InputFile.DOCUMENT);
        } catch (IOException e) {
            throw KilnException.machine(e, "cannot read " + file, "see that nobody removes it");
        }
    }
}
