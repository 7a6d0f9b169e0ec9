package dev.kiln.doctor;

import dev.kiln.host.proc.ProcFs;
import dev.kiln.host.process.Niceness;
import dev.kiln.jvm.ThreadRoles;
import dev.kiln.model.KilnException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * A CompilerNice gives every compiler thread nice -20. A thread that a compiler starts inherits its nice value, but a
 * thread that the JVM starts does not. So each application looks at all of them, and so does the undo.
 */
final class CompilerNice implements Remedy {
    private final ProcFs fs = ProcFs.ofThisMachine();
    private final Remedy.RemedyTarget target;

    CompilerNice(Remedy.RemedyTarget target) {
        this.target = target;
    }

    /**
     * Returns the nice value of the compiler with the lowest priority. All are the same unless somebody has changed
     * one.
     */
    static int now(ProcFs fs, long pid) {
        return compilers(fs, pid).stream()
                .map(tid -> Niceness.of(fs, pid, tid))
                .flatMapToInt(OptionalInt::stream)
                .max()
                .orElse(0);
    }

    @Override
    public void check() {
        if (!Niceness.mayFavour()) {
            throw refused();
        }
    }

    @Override
    public void apply() {
        if (!set(Niceness.MOST)) {
            throw refused();
        }
    }

    private KilnException refused() {
        return KilnException.machine(
                "not permitted to raise the priority of threads of process " + target.pid(),
                "run Kiln as root, or with CAP_SYS_NICE");
    }

    @Override
    public void undo() {
        if (target.nice() != Niceness.MOST) {
            set(target.nice());
        }
    }

    private boolean set(int nice) {
        boolean all = true;
        for (int tid : compilers(fs, target.pid())) {
            OptionalInt now = Niceness.of(fs, target.pid(), tid);
            if (target.lives(fs) && now.isPresent() && now.getAsInt() != nice) {
                all &= Niceness.set(tid, nice)
                        || Niceness.of(fs, target.pid(), tid).isEmpty();
            }
        }
        return all;
    }

    private static List<Integer> compilers(ProcFs fs, long pid) {
        List<Integer> compilers = new ArrayList<>();
        for (int tid : fs.tids(pid)) {
            if (ThreadRoles.isCompiler(fs.threadName(pid, tid))) {
                compilers.add(tid);
            }
        }
        return compilers;
    }
}
