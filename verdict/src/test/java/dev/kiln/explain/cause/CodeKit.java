package dev.kiln.explain.cause;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.HandMade.seconds;

import dev.kiln.explain.RunDigest;
import dev.kiln.explain.Service;
import dev.kiln.model.run.CodeFamily;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.FamilySamples;
import dev.kiln.model.run.FlightDigest.QueueUse;
import dev.kiln.model.run.FlightDigest.ThrowableCount;
import dev.kiln.model.run.Sample.BlockedSample;
import dev.kiln.model.run.WaitKind;
import dev.kiln.stats.AnalysisConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** CodeKit has short ways to say what tests of the code that requests run say often. */
final class CodeKit {
    private CodeKit() {}

    /** A service that is slower before the pause than after it. */
    static Service slower() {
        return Service.of(seconds(60, 500), 1000);
    }

    /** Five dumps, in each of which so many of 20 running threads are in a family. */
    static void dumps(Service service, int from, String family, int of) {
        for (int second = from; second < from + 5; second++) {
            running(service, second, of, "app.Stock.take:12", family);
            running(service, second, 20 - of, "app.Stock.sum:30", "");
        }
    }

    static void running(Service service, int second, int threads, String frame, String family) {
        service.made.blocked.add(
                new BlockedSample(second * SECOND, "http", false, threads, WaitKind.RUNNABLE, frame, family, ""));
    }

    static FindingState state(Service service, String id) {
        return service.finding(id).state();
    }

    /** Returns what was found of a process beside which others served part of the load. */
    static String besideOthers(String id, Service service) {
        return RunDigest.of(service.evidence().with(List.of(), List.of()), AnalysisConfig.defaults())
                .findings()
                .stream()
                .filter(finding -> finding.id().equals(id))
                .flatMap(finding -> finding.evidence().stream())
                .map(Finding.Proof::text)
                .collect(Collectors.joining("; "));
    }

    static Service idle(int inFlight) {
        Service idle = Service.of(seconds(60, 100), 100, inFlight);
        idle.workerCpu = 0.04;
        idle.workerWait = 0;
        idle.targetCpu = 0.04;
        idle.targetWait = 0;
        idle.targetBusy = 0.05;
        idle.loadCpu = 0.1;
        idle.database = false;
        dumps(idle, 64, "logging", 18);
        return idle;
    }

    /** @param of of 50 samples a second */
    static Service closed(int of) {
        Service service = slower();
        List<FamilySamples> rows = new ArrayList<>();
        for (int t = 110; t < 115; t++) {
            rows.add(new FamilySamples(t * SECOND, CodeFamily.named("exceptions"), "app.Stock.take", of));
            rows.add(new FamilySamples(t * SECOND, Optional.empty(), "", 50 - of));
        }
        service.made.flight = Optional.empty();
        service.made.closing = Optional.of(new FlightDigest(
                new FlightDigest.FlightJit(List.of(), List.of(), List.of(), List.of(), List.of()),
                new FlightDigest.FlightCollector(List.of(), List.of()),
                new FlightDigest.FlightSamples(List.of(), List.of(), rows, List.of()),
                List.of()));
        return service;
    }

    /** @param of of 50 samples a second before the pause */
    static Service recorded(String family, int of, long throwablesPerSecond) {
        Service service = slower();
        List<FamilySamples> rows = new ArrayList<>();
        List<ThrowableCount> thrown = new ArrayList<>();
        List<QueueUse> queues = new ArrayList<>();
        for (int t = 0; t < 105; t++) {
            int mine = t < 70 ? of : 0;
            rows.add(new FamilySamples(t * SECOND, CodeFamily.named(family), "app.Stock.take", mine));
            rows.add(new FamilySamples(t * SECOND, Optional.empty(), "", 50 - mine));
            queues.add(new QueueUse(t * SECOND, "C2", 0, 0, 0, 0));
            if (throwablesPerSecond >= 0) {
                thrown.add(new ThrowableCount(t * SECOND, throwablesPerSecond * t));
            }
        }
        service.made.flight = Optional.of(new FlightDigest(
                new FlightDigest.FlightJit(List.of(), queues, List.of(), List.of(), List.of()),
                new FlightDigest.FlightCollector(List.of(), List.of()),
                new FlightDigest.FlightSamples(List.of(), List.of(), rows, thrown),
                List.of()));
        return service;
    }
}
