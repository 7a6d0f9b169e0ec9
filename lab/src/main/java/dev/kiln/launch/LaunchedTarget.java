package dev.kiln.launch;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.PinnedProcess;
import dev.kiln.jvm.JvmProbe;
import dev.kiln.jvm.LaunchCommand;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A LaunchedTarget is a running target, with the cgroup or container around it.
 *
 * @param boost of its CPU at the start; empty where none was asked for
 * @param around removes the cgroup or container when the process has ended
 * @param notes on how it was launched
 */
public record LaunchedTarget(
        PinnedProcess process,
        LaunchCommand command,
        Optional<CompilerFavour> favour,
        Optional<CpuBoost> boost,
        Optional<Runnable> around,
        List<String> notes) {

    public LaunchedTarget {
        notes = List.copyOf(notes);
    }

    /** Says to which ports the load goes. It has to be called before any load. */
    public void serving(Set<Integer> ports) {
        favour.ifPresent(some -> some.serving(ports));
    }

    /** Ends the target after at most {@code grace}, and removes what is around it. */
    public void stop(Duration grace) {
        OptionalLong jvm = JvmProbe.inTree(ProcFs.ofThisMachine(), process.pid());
        try {
            favour.ifPresent(CompilerFavour::close);
            boost.ifPresent(CpuBoost::close);
            process.stop(grace);
        } finally {
            around.ifPresent(Runnable::run);
            jvm.ifPresent(JvmProbe::removeSocketOfDead);
        }
    }
}
