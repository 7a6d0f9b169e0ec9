package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.budget.Budget;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.cause.Difference.Taken;
import dev.kiln.explain.window.Window;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.explain.window.WindowStatisticsBuilder;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.Proof;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Sample.CpuSample;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.DoubleStream;

/**
 * Softirqs is the cause that the kernel's work for packets takes CPU of the target. It is no other program, and belongs to
 * no thread: what it interrupts runs for longer, and what is ready to run waits for longer.
 */
final class Softirqs {
    static final CauseId ID = new CauseId(
                    "softirq", "the kernel's network work takes CPU", Curve.THROUGHPUT, CauseId.ANY)
            .taking(BudgetPart.CPU_WAIT, BudgetPart.KERNEL);

    /**
     * Softirqs take much from this share of the target's CPUs. A choice: an ordinary service over a network has 1 to 5 %
     * of its CPUs there, and a fifth less of them leaves a fifth less throughput.
     */
    private static final double MUCH = 0.2;

    /** A thread that needs one CPU, such as an event loop, misses half of it from here on. */
    private static final double ONE_CPU = 0.5;

    /** Without a load to compare with, requests wait for it if at least this share of their time is where it shows. */
    private static final double SEEN = 0.25;

    private static final FindingRemedy FEWER = new FindingRemedy(
            "send fewer packets",
            "keep connections alive, answer in fewer writes, compress",
            "code or configuration of the service and its clients; not tried by Kiln",
            RemedyPlace.PLATFORM);

    private static final String OTHER_CPUS = "let other CPUs handle the packets";
    private static final String THEIR_COST = "CPUs that others do not get; not tried by Kiln";

    private static final List<FindingRemedy> OF_A_CARD = List.of(
            new FindingRemedy(
                    OTHER_CPUS,
                    "/proc/irq/N/smp_affinity for the network card's interrupts, /sys/class/net/DEV/queues/rx-N/rps_cpus",
                    THEIR_COST,
                    RemedyPlace.PLATFORM),
            FEWER);

    /** The CPU that sends a packet over the loopback receives it too (loopback_xmit and netif_rx of Linux). */
    private static final List<FindingRemedy> OF_LOOPBACK = List.of(
            FEWER,
            new FindingRemedy(
                    OTHER_CPUS,
                    "the load came from this machine, and no network card had its packets: the CPU that sends one receives it too,"
                            + " unless /sys/class/net/lo/queues/rx-0/rps_cpus names others",
                    THEIR_COST,
                    RemedyPlace.PLATFORM));

    private Softirqs() {}

    static Finding judge(WindowEvidence s, Findings earlier) {
        Optional<Double> share = share(s);
        if (share.isEmpty()) {
            return ID.notObservable(
                    "the time of softirqs on the target's CPUs was not recorded, or this machine does not"
                            + " count it (the softirq column of /proc/stat): perf record -a -g shows it");
        }
        Proof took = proof(
                String.format(
                        Locale.ROOT,
                        "softirqs, most of all the kernel's work for packets, took %.0f %% of the target's CPUs",
                        100 * share.get()),
                s.moment());
        if (share.get() < MUCH) {
            // One queue of a network card interrupts one CPU.
            return busiest(s) >= ONE_CPU
                    ? ID.notObservable(took.text()
                            + String.format(
                                    Locale.ROOT,
                                    ", but %.0f %% of one of them; whether threads of the target needed that one was not recorded",
                                    100 * busiest(s)))
                    : ID.ruledOut(took);
        }
        Optional<Proof> same = Difference.ofCpu(Softirqs::takes).same(s);
        if (same.isPresent()) {
            // Each request has packets: a service that answers fast has many, at its peak too.
            return ID.ruledOut(took, same.get());
        }
        Optional<Budget> end = earlier.budgets().end().filter(Stage::isKnown);
        if (end.isEmpty()) {
            // Of several processes nobody knows whose a request was: its time was recorded all the same.
            Proof unknown = proof("whether requests took longer by it is not known"
                    + (s.evidence().sent().shared() ? "" : ": their time was not recorded"));
            return ID.confirmed(
                    ID.title(),
                    CauseId.NONE,
                    share.get(),
                    List.of(took, unknown),
                    remedies(s.evidence().info()));
        }
        Optional<Budget> reference = earlier.budgets().reference().filter(Stage::isKnown);
        boolean longer = longer(end.get(), reference);
        Proof requests = proof(words(end.get(), reference));
        return ID.confirmed(
                ID.title(),
                longer ? ID.can() : CauseId.NONE,
                share.get(),
                List.of(took, requests),
                remedies(s.evidence().info()));
    }

    /** Returns what would cure it: where Kiln sent the load from the target's own machine, no network card is in the way. */
    private static List<FindingRemedy> remedies(RunInfo info) {
        boolean here = !info.imported()
                && !info.load().calls().isEmpty()
                && info.remote().isEmpty()
                && info.loadFrom().isEmpty();
        return here ? OF_LOOPBACK : OF_A_CARD;
    }

    static Optional<Taken> takes(WindowEvidence s) {
        return share(s).map(share -> Taken.share(share, "of the target's CPUs"));
    }

    /**
     * Returns the share of the target's CPUs; empty where it was not recorded, and where no CPU of the machine ever counted
     * any: such a machine does not count it.
     */
    private static Optional<Double> share(WindowEvidence s) {
        List<CpuSample> rows = s.evidence().cpus();
        boolean counted = rows.stream()
                .mapToInt(CpuSample::cpu)
                .distinct()
                .mapToObj(cpu -> counter(s, cpu))
                .anyMatch(counter -> !counter.isEmpty()
                        && counter.lastEntry().getValue() > counter.firstEntry().getValue());
        if (!counted) {
            return Optional.empty();
        }
        return shares(s).average().stream().boxed().findFirst();
    }

    private static double busiest(WindowEvidence s) {
        return shares(s).max().orElse(0);
    }

    private static DoubleStream shares(WindowEvidence s) {
        Window window = s.window();
        return WindowStatisticsBuilder.targetCpus(s.evidence()).stream()
                .mapToDouble(cpu -> window.growth(counter(s, cpu)))
                .filter(share -> !Double.isNaN(share));
    }

    private static NavigableMap<Long, Long> counter(WindowEvidence s, int cpu) {
        NavigableMap<Long, Long> counter = new TreeMap<>();
        s.evidence().cpus().stream()
                .filter(row -> row.cpu() == cpu)
                .forEach(row -> row.softirqNanos().ifPresent(nanos -> counter.put(row.timeNanos(), nanos)));
        return counter;
    }

    /** Tells whether requests waited or ran longer than after the pause; without that, whether they do so at all. */
    private static boolean longer(Budget end, Optional<Budget> reference) {
        double least = Explained.LONGER * end.responseMillis();
        return reference
                .map(after ->
                        end.responseMillis() - after.responseMillis() > least && onCpus(end) - onCpus(after) > least)
                .orElse(onCpus(end) >= SEEN * end.responseMillis());
    }

    /** Returns the ms in which a request had a CPU or waited for one. */
    private static double onCpus(Budget budget) {
        return Set.of(BudgetPart.RUNNING, BudgetPart.KERNEL, BudgetPart.CPU_WAIT).stream()
                .mapToDouble(part -> budget.of(part).orElse(0))
                .sum();
    }

    private static String words(Budget end, Optional<Budget> reference) {
        return String.format(
                        Locale.ROOT,
                        "of the %s ms of a request, %s ms were on a CPU or waiting for one",
                        Explained.ms(end.responseMillis()),
                        Explained.ms(onCpus(end)))
                + reference
                        .map(after -> String.format(
                                Locale.ROOT,
                                "; after the pause %s of %s ms",
                                Explained.ms(onCpus(after)),
                                Explained.ms(after.responseMillis())))
                        .orElse("");
    }
}
