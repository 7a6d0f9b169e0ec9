package dev.kiln.explain;

import static dev.kiln.explain.Named.CGROUP_THROTTLING;
import static dev.kiln.explain.Named.DATABASE_LIMIT;
import static dev.kiln.explain.Named.GENERATOR_LIMIT;
import static dev.kiln.explain.Named.NOISY_NEIGHBOUR;
import static dev.kiln.explain.Named.proof;

import dev.kiln.model.Finding;
import dev.kiln.model.LoadBin;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Whether the target waits for something behind it: its CPUs are idle while requests are in flight. From outside a slow
 * database looks like a slow service behind it, or a lock inside it.
 */
final class DatabaseLimit implements Cause {
    @Override
    public Finding judge(Situation s, Judged earlier) {
        boolean database = s.part("database").isPresent();
        if (LabLoad.saturated(s) && LabLoad.database(s) > 0 && !earlier.held(GENERATOR_LIMIT)) {
            return held(
                    0.95,
                    String.format(
                            Locale.ROOT,
                            "the database used %.0f %% of a CPU, and its CPU had no room left (%.0f %% busy)",
                            100 * LabLoad.database(s),
                            100 * s.observed().labBusy().orElse(0)),
                    s);
        }
        Optional<Situation.Use> target = s.target();
        double inFlight = inFlight(s);
        if (target.isEmpty() || s.targetCpus().isEmpty() || Double.isNaN(inFlight)) {
            return DATABASE_LIMIT.notObservable(
                    "the target's CPU time or the requests in flight were not recorded: kiln run records both");
        }
        double cpus = s.targetCpus().getAsDouble();
        double used = target.get().cpu() / cpus;
        double away = withGenerator(s, cpus);
        double busy = used + away;
        String text = String.format(
                        Locale.ROOT,
                        "the target used %.0f %% of its CPUs with %.0f requests in flight over %d connections",
                        100 * used,
                        inFlight,
                        connections(s))
                + (database
                        ? String.format(Locale.ROOT, "; the database used %.0f %% of a CPU", 100 * LabLoad.database(s))
                        : "")
                + (away > 0
                        ? String.format(Locale.ROOT, "; for %.0f %% the generator had the request", 100 * away)
                        : "");
        if (earlier.held(CGROUP_THROTTLING) && idle(busy, database)) {
            return DATABASE_LIMIT.notObservable(
                    text + ": a target under a CPU limit is idle by force; measure without it");
        }
        double wanted = target.get().demand() / cpus + away;
        if (earlier.held(NOISY_NEIGHBOUR) && idle(busy, database) && !idle(wanted, database)) {
            return DATABASE_LIMIT.notObservable(
                    text + ": it was ready to use more while others had them; measure without the neighbour");
        }
        boolean waits = idle(busy, database)
                && inFlight >= Thresholds.IN_FLIGHT * connections(s)
                && !earlier.held(GENERATOR_LIMIT);
        return waits ? held(1 - busy, text, s) : DATABASE_LIMIT.ruledOut(proof(text, s.moment()));
    }

    /**
     * Share of the target's CPUs that have no request while the generator handles it: with no more connections than CPUs
     * what the generator takes for a request is time in which the target has none to answer.
     */
    private static double withGenerator(Situation s, double cpus) {
        return connections(s) <= cpus ? LabLoad.generator(s) / cpus : 0;
    }

    private static boolean idle(double used, boolean database) {
        return used < (database ? Thresholds.TARGET_IDLE : Thresholds.TARGET_IDLE_ALONE);
    }

    private static Finding held(double weight, String text, Situation s) {
        return DATABASE_LIMIT.held(weight, List.of(proof(text, s.moment())), Remedies.DATABASE);
    }

    private static int connections(Situation s) {
        return s.evidence().info().load().connections();
    }

    /** Mean over the window; not a number where bins tell no backlog, as those of imported load. */
    private static double inFlight(Situation s) {
        double[] backlog = s.within(s.evidence().load(), LoadBin::startNanos).stream()
                .mapToDouble(LoadBin::backlog)
                .toArray();
        double mean = Arrays.stream(backlog).average().orElse(0);
        return mean > 0 ? mean : Double.NaN;
    }
}
