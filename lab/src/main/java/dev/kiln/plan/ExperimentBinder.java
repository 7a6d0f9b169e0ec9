package dev.kiln.plan;

import dev.kiln.model.CpuAssignment.CpuRequest;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Claim;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.DatabaseSpec;
import dev.kiln.model.experiment.Experiment.Runs;
import dev.kiln.model.experiment.Hook;
import dev.kiln.model.experiment.Hook.HookMoment;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Where;
import dev.kiln.plan.ObserverEffect.ObserveBinder;
import dev.kiln.plan.load.Defaults;
import dev.kiln.plan.load.LoadBinder;
import dev.kiln.plan.load.Protocols.ProtocolBinder;
import dev.kiln.plan.load.Sweep;
import dev.kiln.plan.text.Fields;
import dev.kiln.plan.text.Fields.Numbers;
import dev.kiln.plan.text.Names;
import dev.kiln.plan.text.Names.PlaceholderUse;
import dev.kiln.plan.text.Node.ScalarKind;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Problems.BadValue;
import dev.kiln.plan.text.Spot;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An ExperimentBinder makes an experiment of a map, whether a file has it or the flags of a command.
 *
 * @param base what relative paths are relative to
 * @param name of an experiment that names itself nothing
 */
record ExperimentBinder(Path base, String name, Problems problems) {
    /**
     * Makes the experiment of a map.
     *
     * @param levels numbers of connections that replace those of the map
     * @throws KilnException with all that is wrong
     */
    Experiment bind(Fields fields, Optional<List<Integer>> levels) {
        LoadBinder loads = new LoadBinder(base, problems, LoadPlace::of);
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
        boolean duet = fields.bool("duet").orElse(false);
        int usual = AttachRules.attaches(variants) ? 1 : duet ? Defaults.DUET_BLOCKS : Defaults.RUNS;
        Runs runs = RunsBinder.bind(fields, usual, AttachRules.startedByOthers(variants));
        List<Hook> hooks = new HookBinder(base, problems).bind(fields, HookMoment.OF_EXPERIMENT);
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
                new Experiment.Setting(database, cpus, cold, duet, hooks),
                runs,
                seed,
                claims);
        Experiment experiment = observed.effect() ? ObserverEffect.of(read) : read;
        HostRules.problems(experiment).forEach(problem -> problems.add(fields.at(), problem));
        AttachRules.problems(experiment).forEach(problem -> problems.add(fields.at(), problem));
        DuetRules.problems(experiment).forEach(problem -> problems.add(fields.at(), problem));
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
            String name = "variant " + variant.name();
            Spot at = fields.at("target").part(name);
            PlaceholderUse.databaseWithout(database, variant.target())
                    .ifPresent(wanted -> problems.add(
                            at,
                            name,
                            "found ${" + wanted
                                    + "} but no database, expected a database such as 'database: postgres'"
                                    + (at instanceof Spot.OfFlag ? " in an experiment file: no option adds one" : "")));
        }
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

        /**
         * Reads how many runs there are.
         *
         * @param usual how many where the experiment does not say it
         * @param byOthers whether others start them: what these start beside them keeps CPUs busy, and spoils nothing
         */
        static Runs bind(Fields experiment, int usual, boolean byOthers) {
            Runs runs = number(experiment, usual);
            return runs.withRepeats(experiment.bool("repeat").orElse(!byOthers));
        }

        private static Runs number(Fields experiment, int otherwise) {
            return experiment.has("runs")
                    ? experiment
                            .scalar(
                                    "runs",
                                    EXPECTED,
                                    EnumSet.of(ScalarKind.INTEGER, ScalarKind.TEXT),
                                    RunsBinder::parse)
                            .orElseGet(() -> Runs.fixed(otherwise))
                    : Runs.fixed(otherwise);
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

    /** A LoadPlace is the value of {@code from}: where the load is sent from, if not from this machine. */
    public static final class LoadPlace {
        private static final String EXPECTED =
                "a machine as ssh takes it, kube:NAMESPACE/POD, or a command such as [podman, exec, -i, NAME]";

        private LoadPlace() {}

        /**
         * Makes the place of a command, or of the one word that names a machine or a pod.
         *
         * @throws BadValue for words that lead nowhere
         */
        public static Where of(List<String> words) {
            if (words.isEmpty()) {
                throw BadValue.of("nothing", EXPECTED);
            }
            if (words.stream().anyMatch(word -> !Placeholders.namesIn(word).isEmpty())) {
                throw BadValue.of("a placeholder", "none: the load comes from the same place in all runs");
            }
            String first = words.getFirst();
            if (first.equals("ssh") || first.endsWith("/ssh")) {
                throw BadValue.of("ssh in from", "the machine alone, such as user@box: Kiln calls ssh itself");
            }
            // A command of one word is a script, which has a path.
            return words.size() > 1 || (first.contains("/") && !first.startsWith(AttachRules.KUBE))
                    ? HostRules.through(words)
                    : named(first);
        }

        private static Where named(String word) {
            try {
                Where place = word.startsWith(AttachRules.KUBE)
                        ? HostRules.running(AttachRules.parse(word), Optional.empty())
                        : HostRules.host(word);
                if (!(place instanceof Where.Here)) {
                    return place;
                }
            } catch (BadValue e) {
                // It names what else an attach can be, which a place cannot.
            }
            throw BadValue.of("'" + word + "'", EXPECTED + ", or no 'from' for this machine");
        }
    }
}
