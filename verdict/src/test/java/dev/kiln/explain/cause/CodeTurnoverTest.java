package dev.kiln.explain.cause;

import static dev.kiln.explain.HandMade.SECOND;
import static dev.kiln.explain.HandMade.nanos;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.Service;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.JitState;
import dev.kiln.model.run.JitState.CodeCacheFill;
import dev.kiln.model.run.Sample.ClassSample;
import dev.kiln.model.run.Sample.JitSample;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Code that leaves a code cache of 8 MiB while 160 methods a second are compiled. The window is from second 40 to 70. */
class CodeTurnoverTest {
    private static final double MIB = 1 << 20;

    /**
     * @param mostMib in use, and 1 MiB less at each second answer
     * @param optimised methods of C2 that are in use beside those before, at each answer
     */
    private static Service turning(double mostMib, int optimised) {
        Service service = Service.healthy();
        service.asked = false;
        service.compilations = 160;
        for (int i = 0; i < 15; i++) {
            service.made.jit.add(JitSample.at(nanos(41 + 2 * i))
                    .with(new JitState.CodeLevels(100, 600, 400, 800 + optimised * i, OptionalInt.empty()))
                    .with(new CodeCacheFill(
                            Math.round((i % 2 == 0 ? mostMib : mostMib - 1) * MIB), 8 << 20, 0, 0, List.of())));
        }
        return service;
    }

    /**
     * As JDK 25 told it of 1,000 methods that take turns in 4 MiB: a third of the cache is free, and more leaves it than it holds.
     *
     * @param loadedPerSecond classes
     */
    private static Service overturned(double loadedPerSecond) {
        Service service = turning(5.9, 0);
        service.collectedFor = "CodeCache GC Threshold";
        for (int t = 0; t <= 105; t++) {
            service.made.classes.add(new ClassSample(t * SECOND, Math.round(2000 + loadedPerSecond * t), 0));
            if (t % 2 == 0) {
                service.made.jit.add(JitSample.at(t * SECOND)
                        .with(new JitState.Deoptimisations(0, nanos(2), true, 0, Optional.empty())));
            }
        }
        return service;
    }

    @Test
    void moreThanItHeldLeavesACacheForWantOfRoomWhereNoClassDies() {
        assertThat(overturned(0).held()).containsExactly("code-cache-full");
        assertThat(overturned(0).first("code-cache-full"))
                .isEqualTo(
                        "74 % of it was in use, at least 7.0 MiB of code left it, and 160 methods a second were compiled; more"
                                + " left it than it held, while no class was loaded and hardly any code was left by a deoptimisation, so"
                                + " it left for want of room; the JVM collected 3.0 times a second because of the code cache");
        assertThat(state(overturned(1))).as("code may leave with its classes").isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    /** In a warm-up code of C1 makes way for code of C2: each compilation leaves its mark. */
    @Test
    void codeThatIsReplacedLeavesNoCacheForWantOfRoom() {
        assertThat(state(turning(6.5, 0))).isEqualTo(FindingState.CONFIRMED);
        assertThat(state(turning(6.5, 100))).isEqualTo(FindingState.RULED_OUT);
    }

    private static FindingState state(Service service) {
        return service.finding("code-cache-full").state();
    }
}
