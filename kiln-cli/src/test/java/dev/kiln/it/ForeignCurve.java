package dev.kiln.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.evidence.RunReader;
import dev.kiln.it.Kiln.Answer;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Course.Outcome;
import dev.kiln.model.run.Course.PhaseTime;
import dev.kiln.model.run.RunEvidence;

/** A ForeignCurve is the evidence of a good run whose load a load generator on a JVM of its own sent. */
final class ForeignCurve {
    private ForeignCurve() {}

    /**
     * Requires that the run of a sandbox has a curve in two loads and a pause, and that Kiln watched what sent them.
     *
     * @param engine its name in notes
     */
    static RunEvidence assertMade(Sandbox sandbox, Answer answer, String engine) {
        assertThat(answer.humane()).as(answer.err()).isTrue();
        RunEvidence evidence = RunReader.read(sandbox.run("baseline"));
        assertThat(evidence.info().outcome()).as(answer.err()).isEqualTo(Outcome.COMPLETED);
        assertThat(evidence.info().driver())
                .contains("100 ms bins by completion", "a new JVM for each phase, which compiles itself");
        assertThat(evidence.info().phases()).extracting(PhaseTime::name).containsExactly("warmup", "pause", "measure");
        assertThat(evidence.load())
                .hasSizeGreaterThan(20)
                .allMatch(bin -> bin.endNanos() - bin.startNanos() <= 100_000_000);
        assertThat(evidence.load().stream().mapToLong(LoadBin::completed).sum()).isPositive();
        assertThat(evidence.load().stream()
                        .mapToLong(bin -> bin.errors().total())
                        .sum())
                .isZero();
        assertThat(evidence.latency().seconds()).isNotEmpty();
        assertThat(evidence.parts()).anyMatch(part -> part.part().equals("load") && part.cpuNanos() > 0);
        assertThat(evidence.info().notes())
                .anyMatch(note ->
                        note.matches("warmup: " + engine + " took .* s to start; the target had no load meanwhile"))
                .anyMatch(note -> note.startsWith("the load driver's own compilers took "));
        sandbox.awaitNoProcess();
        return evidence;
    }
}
