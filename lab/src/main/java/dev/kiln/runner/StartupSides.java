package dev.kiln.runner;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.Launcher.LaunchSpec;
import dev.kiln.host.process.PinnedProcess;
import dev.kiln.jvm.AotFlags;
import dev.kiln.jvm.JvmProbe;
import dev.kiln.jvm.LaunchCommand;
import dev.kiln.launch.Lab;
import dev.kiln.launch.LaunchedTarget;
import dev.kiln.launch.TargetLaunch;
import dev.kiln.model.experiment.Experiment.DatabaseSpec;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.StartupSpec.StartSide;
import dev.kiln.model.experiment.Target;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.run.Treatment.AotUse;
import dev.kiln.postgres.Postgres;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** A StartupSides is the commands of a start-up comparison, ready to be launched. */
sealed interface StartupSides extends AutoCloseable {
    StartSide NOTHING = new StartSide("rehearsal", List.of("true"), Optional.empty());

    /** Returns the commands as they are launched, their placeholders still in them. */
    List<StartSide> sides();

    /** Makes what a start needs around it anew. */
    default void fresh() {}

    /** Returns the values of the commands' placeholders; a start writes into this folder. */
    Placeholders values(int port, Path directory);

    /** Returns the working directory of a command. */
    Path directory(int side);

    LaunchedTarget launch(int side, Placeholders values, Path log);

    /** Returns why the process did not start as it was asked, such as without its AOT cache; empty where it did. */
    default Optional<String> unlike(int side, PinnedProcess process, Path log) {
        return Optional.empty();
    }

    /** Returns a comparison whose one command does nothing, launched in the same way. */
    StartupSides nothing();

    @Override
    default void close() {}

    /** TypedCommands are the commands as typed: {@code java} is that of the PATH, and nothing is added. */
    record TypedCommands(Lab lab, List<StartSide> sides, Path folder) implements StartupSides {
        @Override
        public Placeholders values(int port, Path directory) {
            return RunContext.values(
                    new DatabaseSpec.None(), Optional.empty(), Optional.empty(), port, RunContext.HERE, directory);
        }

        @Override
        public Path directory(int side) {
            return folder;
        }

        @Override
        public LaunchedTarget launch(int side, Placeholders values, Path log) {
            StartSide typed = sides.get(side);
            List<String> command = typed.command().stream().map(values::fill).toList();
            PinnedProcess process = lab.launcher()
                    .start(new LaunchSpec("command " + typed.name(), command, log)
                            .in(Optional.of(folder))
                            .on(lab.pinTo(lab.cpus().target())));
            return new LaunchedTarget(
                    process,
                    new LaunchCommand(command, Map.of()),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    List.of());
        }

        @Override
        public StartupSides nothing() {
            return new TypedCommands(lab, List.of(NOTHING), folder);
        }
    }

    /**
     * An OfVariants is the variants of an experiment, launched as {@code kiln run} launches them.
     *
     * @param sides as the experiment has them
     * @param database that each start gets afresh
     * @param caches by the variants' names, made before the first start
     */
    record OfVariants(
            Lab lab,
            List<Variant> variants,
            List<StartSide> sides,
            DatabaseSpec spec,
            Optional<Postgres> database,
            Map<String, AotMaking.Made> caches)
            implements StartupSides {
        @Override
        public List<StartSide> sides() {
            return IntStream.range(0, sides.size())
                    .mapToObj(side -> sides.get(side).with(launch(side).told(flags(side))))
                    .toList();
        }

        @Override
        public void fresh() {
            database.ifPresent(Postgres::startFresh);
        }

        @Override
        public Placeholders values(int port, Path directory) {
            return RunContext.values(spec, database, Optional.empty(), port, RunContext.HERE, directory);
        }

        @Override
        public Path directory(int side) {
            return variants.get(side).target().workingDirectory().orElse(Path.of(""));
        }

        @Override
        public LaunchedTarget launch(int side, Placeholders values, Path log) {
            return launch(side).start(values, flags(side), log);
        }

        private TargetLaunch launch(int side) {
            return new TargetLaunch(lab, variants.get(side).target());
        }

        private Optional<AotMaking.Made> cache(int side) {
            return Optional.ofNullable(caches.get(variants.get(side).name()));
        }

        private List<String> flags(int side) {
            return cache(side).map(made -> AotFlags.use(made.file(), false)).orElse(List.of());
        }

        /** Returns why the JVM did not use its cache: one that refuses it is slower than without the flag. */
        @Override
        public Optional<String> unlike(int side, PinnedProcess process, Path log) {
            long pid = JvmProbe.inTree(ProcFs.ofThisMachine(), process.pid()).orElse(process.pid());
            return cache(side)
                    .flatMap(made -> new AotProof(pid, log, made).look())
                    .flatMap(AotUse::failure)
                    .map(why -> "did not use its AOT cache: " + why);
        }

        @Override
        public StartupSides nothing() {
            Variant first = variants.getFirst();
            Target nothing = new Target(
                    new Target.Program(
                            NOTHING.command(),
                            List.of(),
                            Map.of(),
                            first.target().workingDirectory()),
                    Target.Jvm.USUAL,
                    first.target().readiness());
            return new OfVariants(
                    lab,
                    List.of(new Variant(NOTHING.name(), nothing)),
                    List.of(NOTHING),
                    new DatabaseSpec.None(),
                    Optional.empty(),
                    Map.of());
        }

        @Override
        public void close() {
            database.ifPresent(Postgres::close);
        }
    }
}
