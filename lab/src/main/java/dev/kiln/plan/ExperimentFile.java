package dev.kiln.plan;

import dev.kiln.files.InputFile;
import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.IoReason;
import dev.kiln.model.experiment.Claim;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.DatabaseSpec;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.experiment.GateSpec;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Variant;
import dev.kiln.plan.ObserverEffect.ObserveBinder;
import dev.kiln.plan.load.Defaults;
import dev.kiln.plan.load.EngineOptions;
import dev.kiln.plan.load.LoadBinder;
import dev.kiln.plan.load.Protocols.ProtocolBinder;
import dev.kiln.plan.load.Sweep;
import dev.kiln.plan.text.Fields;
import dev.kiln.plan.text.Fields.Numbers;
import dev.kiln.plan.text.Names;
import dev.kiln.plan.text.Names.PlaceholderUse;
import dev.kiln.plan.text.Node.Kind;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Problems.BadValue;
import dev.kiln.plan.text.Section;
import dev.kiln.plan.text.YamlTree;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** ExperimentFile reads an experiment from its YAML file. */
public final class ExperimentFile {
    /** The sections are all the maps that an experiment's file can have. */
    static final List<Section> SECTIONS = Stream.concat(
                    Stream.of(
                            Section.EXPERIMENT,
                            Section.TARGET,
                            Section.VARIANT,
                            Section.JDK,
                            Section.CONTAINER,
                            Section.READINESS,
                            LoadBinder.SECTION,
                            Section.CALL,
                            Section.FEED,
                            Section.SESSION,
                            Section.REPLAY,
                            Section.PHASE,
                            Section.CPUS,
                            Section.DATABASE,
                            ObserveBinder.SECTION,
                            Section.AOT,
                            Modifiers.SECTION,
                            Section.BOOST,
                            Section.CLAIM,
                            Section.GATE),
                    EngineOptions.ALL.stream().map(EngineOptions::section))
            .toList();

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

    /**
     * Reads the file with other numbers of connections than its own: each level of each variant is a variant of its
     * own.
     */
    public static Experiment read(Path file, List<Integer> levels) {
        return new ExperimentFile(file, Optional.of(levels)).bind(textOf(file));
    }

    /** Reads the gate of a file that has been found good; empty if it has none. */
    public static Optional<GateSpec> gate(Path file, List<Variant> variants) {
        Problems problems = new Problems(file.toString());
        Optional<GateSpec> gate = YamlTree.parse(textOf(file), problems)
                .flatMap(root -> Fields.of(root, Section.EXPERIMENT, "a map with target and load", problems))
                .flatMap(fields -> fields.node("gate"))
                .flatMap(node -> new GateBinder(file.toString(), variants, problems).bind(node));
        problems.throwIfAny();
        return gate;
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
        ObserveBinder observe = new ObserveBinder(problems);
        ObserveBinder.Asked observed = fields.node("observe").map(observe::bind).orElse(ObserveBinder.Asked.NOTHING);
        List<Variant> variants = Sweep.variants(
                new VariantsBinder(base, usesPort, problems, observed.observe()).bind(fields),
                levels.orElseGet(loads::levels));
        Protocol protocol = new ProtocolBinder(problems).bind(fields);
        LabBinder lab = new LabBinder(base, problems);
        DatabaseSpec database = fields.node("database").map(lab::database).orElseGet(DatabaseSpec.None::new);
        CpuRequest asked = fields.node("cpus").map(lab::cpus).orElseGet(CpuRequest::auto);
        CpuRequest cpus = HostRules.allElsewhere(variants) ? asked.withTargetElsewhere() : asked;
        checkDatabase(fields, variants, database);
        String title = title(fields);
        Runs runs = RunsBinder.bind(fields);
        boolean cold = fields.bool("cold").orElse(false);
        long seed = fields.integer("seed", Long.MIN_VALUE, Long.MAX_VALUE).orElse(Defaults.SEED);
        List<Claim> claims = new ClaimBinder(variants, problems).bind(fields);
        // Bound again by who runs it: it is no part of what runs.
        fields.node("gate").ifPresent(node -> new GateBinder("", variants, problems).bind(node));
        problems.throwIfAny();
        Experiment read = new Experiment(
                title,
                variants,
                protocol,
                load.orElseThrow(),
                new Experiment.Setting(database, cpus, cold),
                runs,
                seed,
                claims);
        Experiment experiment = observed.effect() ? ObserverEffect.of(read) : read;
        HostRules.problems(experiment).forEach(problem -> problems.add(fields.at(), problem));
        problems.throwIfAny();
        return experiment;
    }

    private String title(Fields fields) {
        Optional<String> title = fields.has("name")
                ? fields.parsed("name", "text", Names::check)
                : problems.attempt(fields.at(), "the file's name", () -> Names.check(name));
        return title.orElse(name);
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

    /** People write these files, and the largest that is known has 20 KB: more than this is a mistake. */
    private static final int MOST_BYTES = 1 << 20;

    static String textOf(Path file) {
        try {
            byte[] text = InputFile.named(file, MOST_BYTES);
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(text))
                    .toString();
        } catch (NoSuchFileException e) {
            throw unreadable(file, "no such file", e);
        } catch (CharacterCodingException e) {
            throw unreadable(file, "is not text in UTF-8", e);
        } catch (IOException e) {
            throw unreadable(file, Files.isDirectory(file) ? "is a directory" : "cannot be read: " + IoReason.of(e), e);
        }
    }

    private static KilnException unreadable(Path file, String why, IOException cause) {
        return KilnException.usage(file + ": " + why, "Name an experiment file, such as experiments/demo.yaml.", cause);
    }

    /** A RunsBinder reads {@code runs:}, a number or {@code until-decided} with how narrow and how many. */
    static final class RunsBinder {
        private static final String EXPECTED =
                "a whole number from 1 to 1000, or until-decided[:WIDTH[:LEAST-MOST]] such as until-decided:5%:5-10";
        private static final Pattern UNTIL =
                Pattern.compile("until-decided(?::(\\d{1,3}(?:\\.\\d+)?)\\s*%(?::(\\d{1,4})-(\\d{1,4}))?)?");
        private static final double DEFAULT_WIDTH_PERCENT = 5;

        /** No fewer runs decide: after fewer, the interval is too often narrow by chance, and then it misses. */
        private static final int LEAST = 5;

        private static final int DEFAULT_MOST = 10;
        private static final int MOST = 1000;

        private RunsBinder() {}

        static Runs bind(Fields experiment) {
            Runs runs = number(experiment);
            return runs.withRepeats(experiment.bool("repeat").orElse(true));
        }

        private static Runs number(Fields experiment) {
            return experiment.has("runs")
                    ? experiment
                            .scalar("runs", EXPECTED, EnumSet.of(Kind.INTEGER, Kind.TEXT), RunsBinder::parse)
                            .orElseGet(() -> Runs.fixed(Defaults.RUNS))
                    : Runs.fixed(Defaults.RUNS);
        }

        static Runs parse(String text) {
            Matcher until = UNTIL.matcher(text.strip());
            if (!until.matches()) {
                return Runs.fixed(Math.toIntExact(Numbers.integer(text.strip(), 1, MOST, EXPECTED)));
            }
            double percent = until.group(1) == null ? DEFAULT_WIDTH_PERCENT : Double.parseDouble(until.group(1));
            int least = until.group(2) == null ? LEAST : Integer.parseInt(until.group(2));
            int most = until.group(3) == null ? DEFAULT_MOST : Integer.parseInt(until.group(3));
            if (percent <= 0 || least < LEAST || most < least || most > MOST) {
                throw BadValue.of(
                        "'" + text + "'", EXPECTED + ", with at least " + LEAST + " runs and a width above 0");
            }
            return new Runs(least, most, OptionalDouble.of(percent / 100));
        }
    }
}
