package dev.kiln.tune;

import dev.kiln.engines.Engines;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.JvmOptions.ToolOptions;
import dev.kiln.model.experiment.SetEnv;
import dev.kiln.model.experiment.Where;
import dev.kiln.model.experiment.Where.AttachPoint;
import dev.kiln.plan.AttachRules;
import java.util.Optional;

/** TuneRules find what a search cannot be made of. Unchecked, it would end after hours without an answer. */
final class TuneRules {
    private TuneRules() {}

    /** @throws KilnException if no search for this goal can be made */
    static void require(Experiment wanted, Goal by) {
        requireStarted(wanted);
        requireComparable(wanted, by);
        requireCurve(wanted, by);
        if (by == Goal.SLO && wanted.load().slo().isEmpty()) {
            throw KilnException.usage("--goal slo without an SLO", "name it: --slo 'p99 < 200ms'");
        }
    }

    /** @throws KilnException if nothing goes on running with which a cure could be applied */
    static void requireApplicable(Experiment wanted) {
        if (wanted.variants().stream().anyMatch(variant -> !variant.target().restarts())) {
            throw KilnException.usage(
                    "--apply: Kiln starts this service itself for each run, and ends it, so nothing runs that a cure could"
                            + " be applied to",
                    "leave it out; the folder tuned/ of the results has the cure as files for where the service is started");
        }
    }

    private static void requireStarted(Experiment wanted) {
        if (AttachRules.attaches(wanted.variants())) {
            throw KilnException.usage(
                    "attach: a search starts the service anew for each of its runs, each time with other flags, and"
                            + " nothing says how others start this one anew",
                    wanted.variants().stream()
                            .flatMap(variant -> deployment(variant.target().where()).stream())
                            .findFirst()
                            .orElse("name the command that does: restart: docker compose up -d --force-recreate app, or"
                                    + " --restart; kiln doctor PID says which remedies help a JVM that runs"));
        }
        wanted.variants().stream()
                .flatMap(variant -> SetEnv.of(variant.target()).stream())
                .filter(set -> !set.names().contains(ToolOptions.NAME))
                .findFirst()
                .ifPresent(set -> {
                    throw KilnException.usage(
                            "restart: it sets " + String.join(" ", set.names())
                                    + " alone, and a search hands flags over by " + ToolOptions.NAME,
                            "name " + ToolOptions.NAME + " there too");
                });
    }

    /** Returns how a deployment is started anew with other flags, as a remedy; empty for any other target. */
    private static Optional<String> deployment(Where where) {
        return where instanceof Where.Running running
                        && running.point() instanceof AttachPoint.KubePod pod
                        && pod.deployment()
                ? Optional.of("allow Kiln to set the variable there: restart: kubectl set env deployment/" + pod.name()
                        + " -n " + pod.namespace() + " " + ToolOptions.NAME
                        + ", or --restart; at the end the deployment is as it was")
                : Optional.empty();
    }

    private static void requireComparable(Experiment wanted, Goal by) {
        if (wanted.protocol().endsEarly()) {
            throw KilnException.usage(
                    "a load that ends before its time (until-steady, until-known): runs of different lengths do not compare",
                    "give it a length: --protocol load=60s,pause=15s,load=20s");
        }
        if (wanted.variants().stream().anyMatch(variant -> variant.connections().isPresent())) {
            throw KilnException.usage(
                    wanted.name() + " has several numbers of connections",
                    "give one: a cure is searched for under one load");
        }
        boolean rate =
                wanted.load().rate().isPresent() || wanted.load().replay().isPresent();
        if (rate && by.needsAPeak()) {
            throw KilnException.usage(
                    wanted.name() + " has a rate: a service that serves all of it has no peak to keep",
                    "leave the rate out, or search for the sooner time to an SLO: --goal slo --slo 'p99 < 200ms'");
        }
    }

    private static void requireCurve(Experiment wanted, Goal by) {
        if (by != Goal.PEAK && Engines.of(wanted.load()).totals()) {
            String engine = wanted.load().engine().id();
            throw KilnException.usage(
                    "load: " + engine
                            + " tells the requests of a whole phase only, so no run shows when the service came to"
                            + " its peak",
                    "leave the engine out, take another such as h2load, or search for a higher peak: --goal peak");
        }
    }
}
