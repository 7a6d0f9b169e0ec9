package dev.kiln.runner;

import dev.kiln.evidence.LoadFile;
import dev.kiln.host.process.Niceness;
import dev.kiln.launch.CompilerFavour;
import dev.kiln.load.LoadSession;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.experiment.FoundReference.End;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.recorder.Recording;
import dev.kiln.recorder.Recording.CompilerLoad;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A ReferenceRounds is the search for the reference peak of one run: rounds of a pause until the compilers are quiet,
 * and a load.
 */
final class ReferenceRounds {
    private static final int QUIET_SECONDS = 3;

    /**
     * The end of a load is this long, in ns: there, a load of a minute is at the level to which its warm-up has brought
     * it.
     */
    private static final long TAIL_NANOS = 10_000_000_000L;

    private static final long SECOND = 1_000_000_000L;

    private final Path run;
    private final RunPhases phases;
    private final LoadSession session;
    private final Recording recording;
    private final RunFacts facts;
    private final RunListener listener;

    /**
     * Begins the search after the phases of a run.
     *
     * @param run its folder
     */
    ReferenceRounds(Path run, RunPhases phases) {
        this.run = run;
        this.phases = phases;
        session = phases.session();
        recording = phases.recording();
        facts = phases.facts();
        listener = phases.context().listener();
    }

    /**
     * Searches until the reference is found or given up.
     *
     * @param pid of a target of this machine that may be changed: of any other, compilers are not favoured
     */
    void find(FoundReference asked, OptionalLong pid) {
        Optional<CompilerFavour> favour = asked.favoured() ? favour(pid) : Optional.empty();
        try {
            find();
        } finally {
            favour.ifPresent(CompilerFavour::close);
        }
    }

    private Optional<CompilerFavour> favour(OptionalLong pid) {
        boolean possible = pid.isPresent() && Niceness.mayFavour();
        facts.note(
                possible
                        ? "the compilers had priority in the rounds that look for the peak"
                        : "the compilers had no priority in the rounds that look for the peak: "
                                + (pid.isPresent()
                                        ? "not permitted"
                                        : facts.attached()
                                                ? "Kiln changes nothing of a target that it did not start"
                                                : "the target ran on another machine"));
        return possible ? Optional.of(CompilerFavour.of(pid.getAsLong())) : Optional.empty();
    }

    private void find() {
        List<PhaseTime> loads = facts.phases().stream().filter(PhaseTime::load).toList();
        double tail = tail(phase(loads.getLast().name(), load()));
        List<Double> levels = new ArrayList<>();
        Optional<End> end = Optional.empty();
        String sofar = "";
        while (end.isEmpty()) {
            int round = levels.size() + 1;
            pause(round, sofar);
            Optional<CompilerLoad> from = recording.c2LastSecond();
            long begin = System.nanoTime();
            phases.run(new Phase.Load(FoundReference.load(round), FoundReference.LOAD));
            double seconds = (System.nanoTime() - begin) / 1e9;
            C2Use c2 = C2Use.between(from, recording.c2LastSecond(), seconds);
            boolean starved = phases.context().judge().starved(c2.cpu, c2.waiting);
            double share = c2.cpu / facts.targetCpus();
            List<LoadBin> load = load();
            List<LoadBin> last = phase(FoundReference.load(round), load);
            int change = last.isEmpty() ? 0 : phases.context().judge().change(load);
            levels.add(level(last));
            double[] rounds = levels.stream().mapToDouble(Double::doubleValue).toArray();
            end = FoundReference.after(tail, rounds, change, starved, share);
            String why = starved
                    ? ", C2 starved"
                    : share > FoundReference.C2_AT_PEAK
                            ? ", C2 busy"
                            : change > 0
                                    ? ", still climbing"
                                    : change < 0
                                            ? ", declining"
                                            : FoundReference.fell(tail, rounds) ? ", less than before" : "";
            sofar = String.format(Locale.ROOT, "round %d: %,.0f req/s%s; ", round, levels.getLast(), why);
        }
        listener.loadEnded();
        listener.doing(sofar + "search for the peak: " + end.get().text());
        facts.referenceEnded(end.get());
    }

    private void pause(int round, String sofar) {
        String name = FoundReference.pause(round);
        Duration most =
                recording.c2LastSecond().isPresent() ? FoundReference.LONGEST_PAUSE : FoundReference.BLIND_PAUSE;
        listener.doing(sofar + "pausing until the compilers are quiet, at most " + most.toSeconds() + " s (round "
                + round + " of at most " + FoundReference.MOST_ROUNDS + ")");
        long launch = phases.target().launchNanos();
        long start = System.nanoTime();
        facts.phaseBegan(name, false, start - launch);
        int quiet = 0;
        for (long second = 0; second < most.toSeconds() && quiet < QUIET_SECONDS; second++) {
            session.pause(new Phase.Pause(name, Duration.ofSeconds(1)));
            phases.check();
            boolean now = recording
                    .c2LastSecond()
                    .filter(c2 -> c2.demand() <= CompilerLoad.QUIET)
                    .isPresent();
            quiet = now ? quiet + 1 : 0;
        }
        facts.pauseEnded(start - launch, System.nanoTime() - launch);
    }

    /**
     * A C2Use is the CPU time that C2 used in a load and the time that it waited for one, both in CPUs; zero where they
     * are not known.
     */
    private record C2Use(double cpu, double waiting) {
        static C2Use between(Optional<CompilerLoad> from, Optional<CompilerLoad> to, double seconds) {
            return from.isEmpty() || to.isEmpty()
                    ? new C2Use(0, 0)
                    : new C2Use(
                            (to.get().cpuSeconds() - from.get().cpuSeconds()) / seconds,
                            (to.get().waitSeconds() - from.get().waitSeconds()) / seconds);
        }
    }

    private static List<LoadBin> phase(String name, List<LoadBin> load) {
        return load.stream().filter(bin -> bin.phase().equals(name)).toList();
    }

    private List<LoadBin> load() {
        try {
            return LoadFile.read(run.resolve("load.csv")).bins();
        } catch (IOException e) {
            throw KilnException.machine(e, "cannot read the load just recorded", "check the disk");
        }
    }

    /**
     * Returns good responses a second over a phase without its first second, which begins with connections that are
     * idle; over all of it where the engine gives no more than its sum.
     */
    static double level(List<LoadBin> phase) {
        List<LoadBin> settled = phase.stream()
                .filter(bin -> bin.startNanos() >= phase.getFirst().startNanos() + SECOND)
                .toList();
        return mean(settled.isEmpty() ? phase : settled);
    }

    /** Returns good responses a second in the last ten seconds of a phase. */
    static double tail(List<LoadBin> phase) {
        return mean(phase.stream()
                .filter(bin -> bin.endNanos() > phase.getLast().endNanos() - TAIL_NANOS)
                .toList());
    }

    private static double mean(List<LoadBin> bins) {
        return bins.isEmpty()
                ? 0
                : bins.stream().mapToLong(LoadBin::completed).sum()
                        * 1e9
                        / (bins.getLast().endNanos() - bins.getFirst().startNanos());
    }
}
