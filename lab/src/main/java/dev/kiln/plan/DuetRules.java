package dev.kiln.plan;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.DatabaseSpec;
import dev.kiln.model.experiment.LoadTemplate;
import dev.kiln.model.experiment.LoadTemplate.LoadEngine;
import dev.kiln.model.experiment.Placeholders;
import dev.kiln.model.experiment.Protocol;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.experiment.Target.ReadySign;
import dev.kiln.model.experiment.Variant;
import dev.kiln.model.experiment.Where;
import java.util.ArrayList;
import java.util.List;

/** DuetRules find why the variants of an experiment cannot run at once, each on its half of the CPUs. */
public final class DuetRules {
    private DuetRules() {}

    /** Checks an experiment that options may have changed; throws with all that stands against two runs at once. */
    public static void require(Experiment experiment) {
        List<String> found = problems(experiment);
        if (!found.isEmpty()) {
            throw KilnException.usage(
                    String.join("\n", found),
                    "kiln help experiment-file says what a duet needs; without it, runs follow one another");
        }
    }

    /** Returns what stands against two runs at once, in words; nothing for an experiment that asks for none. */
    static List<String> problems(Experiment experiment) {
        if (!experiment.isDuet()) {
            return List.of();
        }
        List<String> found = new ArrayList<>();
        List<Variant> variants = experiment.variants();
        if (variants.size() != 2
                || variants.stream().anyMatch(each -> each.connections().isPresent())) {
            found.add("duet: found " + (variants.size() == 1 ? "one variant" : variants.size() + " variants")
                    + (variants.size() == 2 ? " that are levels of a sweep" : "") + ", expected two with one load");
        }
        runs(experiment.runs(), found);
        protocol(experiment.protocol(), found);
        load(experiment.load(), found);
        setting(experiment, found);
        variants.forEach(variant -> variant(variant, found));
        return found;
    }

    private static void runs(Experiment.Runs runs, List<String> found) {
        if (runs.adaptive() || runs.atMost() % 2 != 0) {
            found.add("runs: found " + (runs.adaptive() ? "until-decided" : String.valueOf(runs.atMost()))
                    + " with duet, expected an even number, such as 6: the halves of the CPUs are swapped from block to"
                    + " block, and each variant must have had each as often");
        }
    }

    /** Seconds are paired in the load after the pause, so both must come to it at the same time. */
    private static void protocol(Protocol protocol, List<String> found) {
        List<Phase> phases = protocol.phases();
        int last = phases.size() - 1;
        boolean paused =
                last > 0 && phases.get(last) instanceof Phase.Load && phases.get(last - 1) instanceof Phase.Pause;
        if (protocol.reference().isPresent() || protocol.endsEarly() || !paused) {
            found.add("protocol: found " + protocol.name()
                    + " with duet, expected phases of a fixed length that end with a pause and a load, such as"
                    + " load=60s,pause=15s,load=30s: both variants must come to the same second at the same time");
        }
    }

    private static void load(LoadTemplate load, List<String> found) {
        if (!load.engine().equals(LoadEngine.KILN) || load.from().isPresent()) {
            found.add("load: found "
                    + (load.from().isPresent()
                            ? "a load from elsewhere"
                            : load.engine().id())
                    + " with duet, expected Kiln's own driver on this machine: each variant's runs on its half");
        }
        if (load.rate().isPresent()) {
            found.add(
                    "load: found a rate with duet, expected none: at a given rate both serve the same, and their ratio"
                            + " says nothing");
        }
        load.calls().stream()
                .map(LoadTemplate.TemplateCall::url)
                .filter(DuetRules::isFixed)
                .findFirst()
                .ifPresent(url -> found.add("load: found " + url
                        + " with duet, expected ${port} in it: two services cannot have the same port"));
    }

    private static void setting(Experiment experiment, List<String> found) {
        Experiment.Setting setting = experiment.setting();
        if (!setting.cpus().target().isEmpty()
                || !setting.cpus().load().isEmpty()
                || !setting.cpus().database().isEmpty()) {
            found.add("cpus: found CPUs with duet, expected auto: Kiln halves those that it may use");
        }
        if (setting.cold()) {
            found.add(
                    "cold: found true with duet, expected false: the page cache is one, and the second launch would drop"
                            + " what the first has read");
        }
        if (setting.database() instanceof DatabaseSpec.External) {
            found.add(
                    "database: found a server of your own with duet, expected postgres or none: both variants would load"
                            + " the same one");
        }
    }

    private static void variant(Variant variant, List<String> found) {
        String of = "variant " + variant.name() + ": ";
        if (!(variant.target().where() instanceof Where.Here)) {
            found.add(of + "found a target that is " + variant.target().where().text()
                    + " with duet, expected one that Kiln starts on this machine, outside a container");
        }
        if (!variant.target().hooks().isEmpty()) {
            found.add(of + "found "
                    + variant.target().hooks().iterator().next().moment().key()
                    + " with duet, expected no commands around runs: two would run at once");
        }
        boolean fixed = switch (variant.target().readiness()) {
            case ReadySign.HttpStatus http -> isFixed(http.url());
            case ReadySign.TcpPort tcp -> tcp.port().isPresent();
            case ReadySign.FirstResponse first -> false;
            case ReadySign.LogPattern log -> false;
        };
        if (fixed) {
            found.add(of
                    + "found a readiness at a fixed port with duet, expected ${port}: two services cannot have the same"
                    + " port");
        }
    }

    private static boolean isFixed(String url) {
        return !Placeholders.namesIn(url).contains(Placeholders.PORT);
    }
}
