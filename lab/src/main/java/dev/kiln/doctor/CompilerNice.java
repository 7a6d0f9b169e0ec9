package dev.kiln.doctor;

import dev.kiln.host.Niceness;
import dev.kiln.host.ProcFs;
import dev.kiln.jvm.ThreadRoles;
import dev.kiln.model.KilnException;
import dev.kiln.model.KilnException.Exit;
import dev.kiln.model.ThreadRole;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Nice -20 for every compiler thread. A thread that a compiler adds inherits its nice value, and one that the JVM adds does
 * not, so all of them are looked at each time, also when it is taken back.
 */
final class CompilerNice implements Remedy {
    private final ProcFs fs = ProcFs.ofThisMachine();
    private final Treated treated;

    CompilerNice(Treated treated) {
        this.treated = treated;
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
                "not permitted to favour threads of process " + treated.pid(),
                "run Kiln as root, or with CAP_SYS_NICE");
    }

    @Override
    public void undo() {
        if (treated.nice() != Niceness.MOST) {
            set(treated.nice());
        }
    }

    private boolean set(int nice) {
        boolean all = true;
        for (int tid : compilers(fs, treated.pid())) {
            OptionalInt now = Niceness.of(fs, treated.pid(), tid);
            if (treated.lives(fs) && now.isPresent() && now.getAsInt() != nice) {
                all &= Niceness.set(tid, nice)
                        || Niceness.of(fs, treated.pid(), tid).isEmpty();
            }
        }
        return all;
    }

    private static List<Integer> compilers(ProcFs fs, long pid) {
        List<Integer> compilers = new ArrayList<>();
        for (int tid : fs.tids(pid)) {
            ThreadRole role = ThreadRoles.of(
                    fs.text("proc/" + pid + "/task/" + tid + "/comm").orElse("").strip());
            if (role == ThreadRole.C1 || role == ThreadRole.C2) {
                compilers.add(tid);
            }
        }
        return compilers;
    }
}
