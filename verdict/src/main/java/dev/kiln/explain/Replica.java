package dev.kiln.explain;

import dev.kiln.explain.Curves.JitPoint;
import dev.kiln.explain.window.CpuUse;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A Replica is one of several processes that serve behind one address. Who sends the load cannot tell which of them answered,
 * so none has a throughput, a peak or a time to it of its own.
 *
 * @param name of the place in which it ran
 * @param cpu of one CPU that the process used in the second half of the warm-up; empty where that was not recorded
 * @param c2 what C2 got at the end of the load; empty without C2, and where it was seen in less than half of that
 * @param left what C2 had to do at the end of the load
 * @param waits whether the waits of its threads were recorded; else all of them are zero here
 * @param cleared seconds since the first request from which C2 was quiet to the end of the first load; infinite where it had
 *     work until then, and empty where that is not known
 * @param jit C2's CPU and wait of each second
 */
public record Replica(
        String name,
        OptionalDouble cpu,
        Optional<CpuUse> c2,
        C2AtEnd left,
        boolean waits,
        OptionalDouble cleared,
        List<JitPoint> jit) {
    /** The time to the peak of one replica is not observable, for this reason. */
    public static final String NO_TIME =
            "not observable: the load generator cannot tell which replica answered. To see it, send"
                    + " the load to one of them alone, by an address of its own";

    /** A C2AtEnd is what C2 had to do at the end of the load. */
    public enum C2AtEnd {
        STARVED("starved"),
        BUSY("busy"),
        QUIET("quiet"),
        UNSEEN("not recorded");

        private final String text;

        C2AtEnd(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    public Replica {
        jit = List.copyOf(jit);
    }

    /** Returns how many of its C2 threads waited for a CPU at the end of the load; empty where that is not known. */
    public Optional<Double> c2Waiting() {
        return c2.filter(use -> waits).map(CpuUse::waiting);
    }

    /** Returns in one sentence what is known of it. */
    public String words() {
        String used = cpu.isPresent()
                ? String.format(Locale.ROOT, "used %.0f %% of one CPU", 100 * cpu.getAsDouble())
                : "its CPU was not recorded";
        String quiet = cleared.isEmpty() || Double.isInfinite(cleared.getAsDouble())
                ? ""
                : String.format(Locale.ROOT, ", quiet from second %.0f on", cleared.getAsDouble());
        String work = left == C2AtEnd.UNSEEN
                ? "what C2 had to do at the end of the load was not recorded"
                : "C2 was " + left.text() + " at the end of the load";
        return name + ": " + used + "; " + work
                + c2.map(use -> " (" + got(use) + ")").orElse("") + quiet;
    }

    private String got(CpuUse use) {
        return waits
                ? use.words("it")
                : String.format(
                        Locale.ROOT, "it got %.1f %% of a CPU, and its wait for one was not recorded", 100 * use.cpu());
    }
}
