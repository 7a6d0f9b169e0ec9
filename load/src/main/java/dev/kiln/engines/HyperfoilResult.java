package dev.kiln.engines;

import dev.kiln.engines.HyperfoilFollower.HyperfoilState;
import dev.kiln.engines.HyperfoilFollower.RunEnd;
import dev.kiln.importer.ToolOutput;
import dev.kiln.load.PhaseResult;
import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Protocol.Phase;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.load.LoadSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A HyperfoilResult judges one run of Hyperfoil as a phase: whether it failed, and what casts doubt on its figures. */
record HyperfoilResult(Phase.Load phase, LoadSpec spec, HyperfoilController controller, String run) {
    /** A phase that was shorter than this part of its time was broken off: agents begin and end it some 100 ms apart. */
    private static final double WHOLE = 0.9;

    /** A message quotes at most this many errors, since errors of one kind come by the dozen. */
    private static final int TOLD = 3;

    PhaseResult cancelled(long atNanos) {
        return result(List.of(), atNanos, true, List.of());
    }

    /** Checks that the run, whose evidence is written, was neither lost, broken off nor without requests. */
    void check(
            RunEnd end,
            HyperfoilFollower follower,
            Optional<ToolOutput.ToolPhase> read,
            boolean cancelled,
            boolean finished,
            boolean own) {
        if (cancelled) {
            return;
        }
        switch (end) {
            case LOST -> throw failed("was lost" + kept(read) + ": " + follower.lostWhy(), goesOn());
            case STUCK -> throw failed("did not end its run" + kept(read), goesOn());
            case UNWRITTEN ->
                throw failed(
                        "ended its run and wrote no figures" + kept(read) + errors(follower.state()),
                        "see its log: an agent may still run");
            case WRITTEN -> written(follower, read, finished, own);
        }
    }

    private void written(
            HyperfoilFollower follower, Optional<ToolOutput.ToolPhase> read, boolean finished, boolean own) {
        List<LoadBin> bins = read.map(ToolOutput.ToolPhase::bins).orElse(List.of());
        HyperfoilState state = follower.state();
        if (bins.isEmpty() && !state.errors().isEmpty()) {
            throw failed(
                    "ended its run without a request" + errors(state),
                    "see whether its agents reach "
                            + spec.calls().getFirst().url().getAuthority()
                            + ", or what load: {hyperfoil: {target: URL}} says");
        }
        boolean early =
                !bins.isEmpty() && seconds(read) < WHOLE * phase.duration().toNanos() / 1e9;
        if (!finished && !own && (state.cancelled() || early)) {
            String how = follower.overdue()
                    ? "did not " + (follower.began() ? "end" : "begin") + " its run in time"
                    : state.cancelled() ? "was told to end its run" : "ended its run early";
            throw failed(how + kept(read) + errors(state), "see its log; Kiln keeps what it recorded");
        }
        for (int i = 1; i < bins.size(); i++) {
            if (bins.get(i).startNanos() < bins.get(i - 1).endNanos()) {
                throw KilnException.usage(
                        "load: phases of the benchmark overlap, in run " + run + " at " + controller
                                + ": their seconds do not make one curve",
                        "have each phase start after the end of the one before (startAfterStrict), with no forks");
            }
        }
    }

    private KilnException failed(String what, String remedy) {
        return KilnException.machine(
                "load: the controller " + controller + " " + what + " (phase " + phase.name() + ", run " + run + ")",
                remedy);
    }

    private String goesOn() {
        return "see whether it is up; its run may still go on: " + controller + "/run/" + run + "/kill ends it";
    }

    private String kept(Optional<ToolOutput.ToolPhase> read) {
        return String.format(
                Locale.ROOT,
                ", after %.0f of %d s",
                seconds(read),
                phase.duration().toSeconds());
    }

    /** Returns the time to the end of the bins that were read, 0 without; the phase may end later. */
    private static double seconds(Optional<ToolOutput.ToolPhase> read) {
        return read.filter(some -> !some.bins().isEmpty())
                .map(some -> (some.endNanos() - some.bins().getFirst().startNanos()) / 1e9)
                .orElse(0.0);
    }

    private static String errors(HyperfoilState state) {
        return state.errors().isEmpty() ? "" : ": " + told(state.errors());
    }

    private static String told(List<String> errors) {
        String first = String.join("; ", errors.subList(0, Math.min(TOLD, errors.size())));
        return errors.size() > TOLD ? first + "; and " + (errors.size() - TOLD) + " more" : first;
    }

    /** Returns the phase with its warnings, asked for so long after the launch. */
    PhaseResult of(
            HyperfoilFollower follower,
            Optional<ToolOutput.ToolPhase> read,
            long askedNanos,
            long uncertaintyNanos,
            boolean cancelled) {
        List<String> warnings = new ArrayList<>();
        read.ifPresent(some -> warnings.addAll(some.gaps()));
        List<LoadBin> bins = read.map(ToolOutput.ToolPhase::bins).orElse(List.of());
        if (bins.isEmpty() && !cancelled) {
            warnings.add("hyperfoil reported no request");
        }
        HyperfoilState state = follower.state();
        List<String> cpu = controller.agentCpu(run);
        if (!cpu.isEmpty()) {
            warnings.add("CPU of the agents, as Hyperfoil reports it: " + String.join("; ", cpu));
        }
        if (!state.errors().isEmpty()) {
            warnings.add("Hyperfoil reported errors: " + told(state.errors()));
        }
        if (!state.failedPhases().isEmpty()) {
            warnings.add("Hyperfoil counts " + String.join(", ", state.failedPhases()) + " as failed"
                    + (spec.rate().isPresent()
                            ? ": more requests waited than it has sessions, so later ones were sent late"
                            : ", by a rule of the benchmark"));
        }
        clocks(bins, askedNanos, uncertaintyNanos).ifPresent(warnings::add);
        return result(bins, askedNanos, cancelled, warnings);
    }

    /** Warns of requests that began before Kiln started the run, which shows that the agents' clocks are behind. */
    private static Optional<String> clocks(List<LoadBin> bins, long askedNanos, long uncertaintyNanos) {
        if (bins.isEmpty()) {
            return Optional.empty();
        }
        long before = askedNanos - uncertaintyNanos - bins.getFirst().startNanos();
        if (before <= 0) {
            return Optional.empty();
        }
        return Optional.of(String.format(
                Locale.ROOT,
                "the agents' clocks are at least %.3f s behind the controller's: their seconds are too early",
                before / 1e9));
    }

    private PhaseResult result(List<LoadBin> bins, long atNanos, boolean cancelled, List<String> warnings) {
        return ForeignSession.result(phase, bins, atNanos, atNanos, true, cancelled, PhaseResult.Cost.NONE, warnings);
    }
}
