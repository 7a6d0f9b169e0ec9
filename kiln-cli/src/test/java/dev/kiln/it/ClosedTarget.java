package dev.kiln.it;

import dev.kiln.fixtures.CurveServer;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;

/** A target that forbids others to look into it, as programs do that hold secrets: only root may read its {@code /proc}. */
final class ClosedTarget {
    /** linux/prctl.h */
    private static final int PR_SET_DUMPABLE = 4;

    private ClosedTarget() {}

    @SuppressWarnings("restricted") // Java has no other way to say this to the kernel.
    public static void main(String[] args) throws Throwable {
        Linker linker = Linker.nativeLinker();
        // Still open when Kiln first looks into it.
        Thread.sleep(2_000);
        int refused = (int) linker.downcallHandle(
                        linker.defaultLookup().find("prctl").orElseThrow(),
                        FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG),
                        Linker.Option.firstVariadicArg(1))
                .invokeExact(PR_SET_DUMPABLE, 0L);
        if (refused != 0) {
            throw new IllegalStateException("prctl: " + refused);
        }
        CurveServer.main(args);
    }
}
