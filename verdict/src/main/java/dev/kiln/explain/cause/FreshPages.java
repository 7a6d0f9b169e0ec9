package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseId.proof;

import dev.kiln.explain.budget.Budget;
import dev.kiln.explain.budget.Budget.BudgetPart;
import dev.kiln.explain.window.Counter;
import dev.kiln.explain.window.WindowEvidence;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.Curve;
import dev.kiln.model.run.Finding.FindingRemedy;
import dev.kiln.model.run.Finding.RemedyPlace;
import dev.kiln.model.run.Sample.MemorySample;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * FreshPages is the cause that requests touch pages that are not mapped, and the kernel has to map each of them. Faults for
 * which a disk is read are {@link MemoryPressure}'s.
 */
final class FreshPages {
    static final CauseId ID = new CauseId(
                    "page-faults",
                    "page faults: the kernel maps pages that requests touch",
                    Curve.MEMORY,
                    CauseId.ANY,
                    CauseId.Role.NEEDS_LOAD)
            .taking(BudgetPart.KERNEL, BudgetPart.CPU_WAIT);

    /** The kernel takes a large part from this share of the response time on, as for a wait. */
    private static final double LARGE = 0.25;

    /** Faults explain the kernel's time if they take at least this share of it. */
    private static final double MOST = 0.5;

    /**
     * A fault of 4 KiB takes about so long, with the page unmapped again. Measured on a virtual machine of an AMD EPYC, Linux
     * 6.18, over 600,000 faults: 2,040 to 2,300 ns for a private page of a file, 1,800 to 2,300 ns for fresh memory; and
     * 4,600 and 5,000 ns in a JVM that did nothing else in the kernel and took 11 GiB, beside other programs. Bare metal
     * needs less.
     */
    private static final double FAULT_NANOS = 2500;

    /** The cheapest fault, of bare metal, takes about so long: an estimate, not measured here. */
    private static final double CHEAP_FAULT_NANOS = 1000;

    /** A fault of a huge page clears 2 MiB; measured in the same way: 250,000 to 270,000 ns. */
    private static final double HUGE_FAULT_NANOS = 250_000;

    /** The first two were tried on a program that touches 750 MiB of fresh heap, with the serial collector on JDK 25. */
    private static final List<FindingRemedy> REMEDIES = List.of(
            new FindingRemedy(
                            "touch the whole heap before the first request, and keep it",
                            "-XX:+AlwaysPreTouch, with -Xms as large as -Xmx",
                            "the start takes longer, and the memory is resident at once; helps only for pages of the heap: 4 faults"
                                    + " instead of 192,054, and no time in the kernel instead of 0.36 s",
                            RemedyPlace.LAUNCH_FLAG)
                    .tried(Change.flags("-XX:+AlwaysPreTouch")),
            new FindingRemedy(
                    "map memory in larger pages",
                    "-XX:+UseTransparentHugePages, or -XX:+UseLargePages with huge pages that the machine keeps",
                    "memory in pieces of 2 MiB, each of which takes longer to clear: 385 faults instead of 192,054, and 0.12 to"
                            + " 0.73 s in the kernel instead of 0.36 s",
                    RemedyPlace.LAUNCH_FLAG),
            new FindingRemedy(
                    "map files and direct buffers once, and use them again",
                    "a pool of buffers; one mapping for all requests",
                    "code of the service; not tried by Kiln",
                    RemedyPlace.CODE));

    /**
     * A Faulting is what page faults are to a request.
     *
     * @param perRequest how many
     * @param kernel ms of a request in the kernel; empty where that is not known
     * @param cpu ms of a request on a CPU, the kernel's included
     * @param ofCpus share of the response time on a CPU or waiting for one. Threads that wait for a CPU wait for those that
     *     run, and as much of that time for the kernel as these are in it
     */
    private record Faulting(double perRequest, OptionalDouble kernel, double cpu, double ofCpus) {
        static Optional<Faulting> of(WindowEvidence s, Budget budget) {
            List<MemorySample> rows = s.evidence().memory().stream()
                    .filter(row -> row.faults().isPresent())
                    .toList();
            double cpu = budget.sum(BudgetPart.RUNNING, BudgetPart.KERNEL).orElse(0);
            double onCpus = cpu + budget.of(BudgetPart.CPU_WAIT).orElse(0);
            return Counter.of(
                            rows,
                            MemorySample::timeNanos,
                            row -> row.faults().orElseThrow().minor())
                    .rateWhereKnown(budget.window())
                    .stream()
                    .filter(rate -> cpu > 0)
                    .mapToObj(rate -> new Faulting(
                            1e9 * rate / budget.requestsPerSecond(),
                            budget.of(BudgetPart.KERNEL),
                            cpu,
                            onCpus / budget.responseMillis()))
                    .findFirst();
        }

        /** Returns the share of the response time that comes of the kernel, or of all that runs where that is not known. */
        double weight() {
            return kernel.orElse(cpu) / cpu * ofCpus;
        }

        /** Tells whether there are too few, whatever one takes. */
        boolean few() {
            double most = perRequest * HUGE_FAULT_NANOS / 1e6;
            return most / cpu * ofCpus < LARGE || most < MOST * kernel.orElse(0);
        }

        /** Returns how much of the kernel's time there is for each; only where that is known, and there are some. */
        double nanosEach() {
            return 1e6 * kernel.orElse(0) / perRequest;
        }

        String words() {
            return String.format(Locale.ROOT, "a request made %,.1f page faults", perRequest)
                    + (kernel.isPresent()
                            ? String.format(
                                    Locale.ROOT,
                                    ", and was %s of its %s ms of CPU in the kernel",
                                    Explained.ms(kernel.getAsDouble()),
                                    Explained.ms(cpu))
                            : "");
        }
    }

    private FreshPages() {}

    static Finding judge(WindowEvidence s, Findings earlier) {
        Optional<Faulting> seen = earlier.budgets().end().flatMap(budget -> Faulting.of(s, budget));
        if (seen.isEmpty()) {
            return ID.notObservable(
                    "page faults, or the CPU time of requests, were not recorded at the end of the load:"
                            + " kiln run reads them from /proc/PID/stat");
        }
        Faulting now = seen.get();
        if (now.weight() < LARGE || now.few()) {
            return ID.ruledOut(proof(now.words(), s.moment(s.end())));
        }
        if (now.kernel().isEmpty()) {
            return ID.notObservable(now.words() + "; how long it was in the kernel is not known: kiln run records it");
        }
        if (earlier.confirmed(MemoryPressure.ID)) {
            return ID.notObservable(
                    now.words() + "; memory is full, and the kernel looks for free pages: see memory-pressure");
        }
        Optional<Budget> after = earlier.budgets().reference();
        Optional<Faulting> there = after.flatMap(budget -> Faulting.of(s, budget));
        boolean fell = there.isPresent()
                && longer(earlier.budgets().end().orElseThrow(), after.orElseThrow(), now, there.get());
        // Where the kernel's time fell with the faults, the fall itself shows what they take.
        if (now.nanosEach() * MOST > (fell ? FAULT_NANOS : CHEAP_FAULT_NANOS)) {
            return ID.notObservable(String.format(
                    Locale.ROOT,
                    "%s: %,.1f microseconds for each, more than one of 4 KiB surely takes; a profile of the"
                            + " kernel shows it (perf record -g)",
                    now.words(),
                    now.nanosEach() / 1e3));
        }
        return confirmed(s, now, there, fell, earlier.budgets().end());
    }

    private static Finding confirmed(
            WindowEvidence s, Faulting now, Optional<Faulting> there, boolean fell, Optional<Budget> end) {
        List<Finding.Proof> proofs = new ArrayList<>();
        proofs.add(proof(
                String.format(
                        Locale.ROOT,
                        "%s: %.2f microseconds for each fault, about what one takes with its unmapping",
                        now.words(),
                        now.nanosEach() / 1e3),
                s.moment(s.end())));
        there.ifPresent(then -> proofs.add(proof("after the pause " + then.words())));
        end.flatMap(DeepSleep::words).ifPresent(text -> proofs.add(proof(text)));
        boolean same = there.isPresent() && !fell;
        return ID.confirmed(
                same ? ID.title() + ", as much at the peak" : ID.title(),
                same ? CauseId.NONE : ID.can(),
                now.weight(),
                proofs,
                REMEDIES);
    }

    /** Tells whether a request took longer than after the pause, was longer in the kernel, and made more faults. */
    private static boolean longer(Budget end, Budget after, Faulting now, Faulting then) {
        return end.responseMillis() - after.responseMillis() > Explained.LONGER * end.responseMillis()
                && now.kernel().orElse(0) - then.kernel().orElse(0) > Explained.LONGER * now.cpu()
                && now.perRequest() > (1 + Explained.LONGER) * then.perRequest();
    }
}
