package dev.kiln.runner;

import dev.kiln.host.process.Niceness;
import dev.kiln.launch.CompilerFavour;
import dev.kiln.model.experiment.FoundReference;
import dev.kiln.model.experiment.FoundReference.End;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.recorder.Recording.CompilerLoad;
import dev.kiln.runner.RunControl.Judge;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A ReferenceRounds is the search for the reference peak of one run: rounds of a pause until the compilers are quiet,
 * and a load.
 *
 * @param run its folder
 * @param phases those that were run before
 * @param earlier the peaks that earlier runs of the variant found
 */
record ReferenceRounds(Path run, RunPhases phases, List<Double> earlier) {
    private static final int QUIET_SECONDS = 3;

    /** Searches until the reference is found or given up; compilers are favoured where the pid is known. */
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
        phases.facts()
                .note(
                        possible
                                ? "the compilers had priority in the rounds that look for the peak"
                                : "the compilers had no priority in the rounds that look for the peak: "
                                        + (pid.isPresent()
                                                ? "not permitted"
                                                : phases.facts().attached()
                                                        ? "Kiln changes nothing of a target that it did not start"
                                                        : "the target ran on another machine"));
        return possible ? Optional.of(CompilerFavour.of(pid.getAsLong())) : Optional.empty();
    }

    private void find() {
        Optional<End> end = Optional.empty();
        String sofar = "";
        for (int round = 1; end.isEmpty(); round++) {
            pause(round, sofar);
            phases.run(new Phase.Load(FoundReference.load(round), FoundReference.LOAD));
            Judge.Searched seen = phases.context().judge().searched(run, earlier);
            end = seen.end();
            sofar = String.format(
                    Locale.ROOT,
                    "round %d: %,.0f req/s%s; ",
                    round,
                    seen.requestsPerSecond(),
                    seen.why().isEmpty() ? "" : ", " + seen.why());
        }
        phases.context().listener().loadEnded();
        phases.context()
                .listener()
                .doing(sofar + "search for the peak: " + end.get().text());
        phases.facts().referenceEnded(end.get());
    }

    private void pause(int round, String sofar) {
        String name = FoundReference.pause(round);
        Duration most = phases.recording().c2LastSecond().isPresent()
                ? FoundReference.LONGEST_PAUSE
                : FoundReference.BLIND_PAUSE;
        phases.context()
                .listener()
                .doing(sofar + "pausing until the compilers are quiet, at most " + most.toSeconds() + " s (round "
                        + round + " of at most " + FoundReference.MOST_ROUNDS + ")");
        long launch = phases.start().target().launchNanos();
        long start = System.nanoTime();
        phases.facts().phaseBegan(name, false, start - launch);
        int quiet = 0;
        for (long second = 0; second < most.toSeconds() && quiet < QUIET_SECONDS; second++) {
            phases.session().pause(new Phase.Pause(name, Duration.ofSeconds(1)));
            phases.check();
            boolean now = phases.recording()
                    .c2LastSecond()
                    .filter(c2 -> c2.demand() <= CompilerLoad.QUIET)
                    .isPresent();
            quiet = now ? quiet + 1 : 0;
        }
        phases.facts().pauseEnded(start - launch, System.nanoTime() - launch);
    }
}
