package dev.kiln.doctor;

import dev.kiln.host.Niceness;
import dev.kiln.host.ProcFs;
import dev.kiln.jvm.ThreadRoles;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Nice -20 for every compiler thread. A thread that a compiler adds inherits its nice value, and one that the JVM adds does
 * not, so all of them are looked at each time, also when it is taken back.
 */
final class CompilerNice implements Remedy {
    private final ProcFs fs = ProcFs.ofThisMachine();
    private final Remedy.Target target;

    CompilerNice(Remedy.Target target) {
        this.target = target;
    }

    /** That of the compiler that is favoured least; they are alike unless somebody has changed one. */
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
        return new KilnException(
                Exit.MACHINE,
                "not permitted to favour threads of process " + target.pid(),
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
