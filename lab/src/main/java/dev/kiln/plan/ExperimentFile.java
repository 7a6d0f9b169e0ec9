package dev.kiln.plan;

import dev.kiln.model.Claim;
import dev.kiln.model.CpuRequest;
import dev.kiln.model.DatabaseSpec;
import dev.kiln.model.Experiment;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.LoadTemplate;
import dev.kiln.model.Protocol;
import dev.kiln.model.Runs;
import dev.kiln.model.Variant;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Reads an experiment from its YAML file. */
public final class ExperimentFile {
    private final Path base;
    private final String name;
    private final Problems problems;

    private final Optional<List<Integer>> levels;

    private ExperimentFile(Path file, Optional<List<Integer>> levels) {
        Path absolute = file.toAbsolutePath().normalize();
        this.base = Optional.ofNullable(absolute.getParent()).orElse(absolute);
        this.name = absolute.getFileName().toString().replaceFirst("\\.ya?ml$", "");
        this.problems = new Problems(file.toString());
        this.levels = levels;
    }

    /**
     * Reads and checks {@code file}.
     *
     * @throws KilnException that lists every error of the file, a line each: {@code file:line: what was found, what
     *     was expected}
     */
    public static Experiment read(Path file) {
        return new ExperimentFile(file, Optional.empty()).bind(textOf(file));
    }

    /** The same with other numbers of connections than the file's: each level of each variant is a variant of its own. */
    public static Experiment read(Path file, List<Integer> levels) {
        return new ExperimentFile(file, Optional.of(levels)).bind(textOf(file));
    }

    private Experiment bind(String text) {
        Fields fields = YamlTree.parse(text, problems)
                .flatMap(root -> Fields.of(root, Section.EXPERIMENT, "a map with target and load", problems))
                .orElseThrow(problems::failure);
        LoadBinder loads = new LoadBinder(base, problems);
        Optional<LoadTemplate> load = fields.node("load").flatMap(loads::bind);
        if (!fields.has("load")) {
            problems.add(fields.at(), "found no load, expected load with a url or calls");
        }
        boolean usesPort = load.filter(PlaceholderUse::port).isPresent();
        List<Variant> variants = Sweep.variants(
                new VariantsBinder(base, usesPort, problems).bind(fields), levels.orElseGet(loads::levels));
        Protocol protocol = new ProtocolBinder(problems).bind(fields);
        LabBinder lab = new LabBinder(base, problems);
        DatabaseSpec database = fields.node("database").map(lab::database).orElseGet(DatabaseSpec.None::new);
        CpuRequest asked = fields.node("cpus").map(lab::cpus).orElseGet(CpuRequest::auto);
        CpuRequest cpus = HostRules.allElsewhere(variants) ? asked.withTargetElsewhere() : asked;
        checkDatabase(fields, variants, database);
        String title = fields.has("name")
                ? fields.parsed("name", "text", Names::check).orElse(name)
                : problems.attempt(fields.at(), "the file's name", () -> Names.check(name))
                        .orElse(name);
        Runs runs = RunsBinder.bind(fields);
        long seed = fields.integer("seed", Long.MIN_VALUE, Long.MAX_VALUE).orElse(Defaults.SEED);
        ObserveBinder observe = new ObserveBinder(problems);
        UnaryOperator<Experiment> observed =
                fields.node("observe").map(observe::bind).orElseGet(UnaryOperator::identity);
        List<Claim> claims = new ClaimBinder(variants, problems).bind(fields);
        // Bound again by who runs it: it is no part of what runs.
        fields.node("gate").ifPresent(node -> new GateBinder("", variants, problems).bind(node));
        problems.throwIfAny();
        Experiment experiment = observed.apply(
                new Experiment(title, variants, protocol, load.orElseThrow(), database, cpus, runs, seed, claims));
        HostRules.problems(experiment).forEach(problem -> problems.add(fields.at(), problem));
        problems.throwIfAny();
        return experiment;
    }

    private void checkDatabase(Fields fields, List<Variant> variants, DatabaseSpec database) {
        if (fields.has("database")) {
            return;
        }
        for (Variant variant : variants) {
            PlaceholderUse.databaseWithout(database, variant.target())
                    .ifPresent(wanted -> problems.add(
                            fields.at("target"),
                            "variant " + variant.name() + ": found ${" + wanted
                                    + "} but no database, expected a database such as 'database: postgres'"));
        }
    }

    static String textOf(Path file) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw unreadable(file, "no such file", e);
        } catch (CharacterCodingException e) {
            throw unreadable(file, "is not text in UTF-8", e);
        } catch (IOException e) {
            throw unreadable(file, Files.isDirectory(file) ? "is a directory" : "cannot be read: " + e, e);
        }
    }

    private static KilnException unreadable(Path file, String why, IOException cause) {
        return new KilnException(
                Exit.USAGE, file + ": " + why, "Name an experiment file, such as experiments/demo.yaml.", cause);
    }
}
