package dev.kiln.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kiln.model.KilnException;
import dev.kiln.model.experiment.Experiment;
import dev.kiln.model.experiment.Experiment.Runs;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DuetRulesTest extends WrittenExperiment {
    private static final String VARIANTS =
            "variants:\n  a: {command: 'java -version ${port}'}\n  b: {command: 'java -version ${port}'}\n";
    private static final String PORT = "load: {url: 'http://localhost:${port}/'}\n";
    private static final String FIXED = "protocol: load=10s,pause=5s,load=10s\n";

    private Experiment duet() throws IOException {
        return read("duet: true\n" + VARIANTS + PORT + FIXED);
    }

    @Test
    void halvesAreSwappedFromBlockToBlock() throws IOException {
        assertThat(duet().runs()).isEqualTo(Runs.fixed(4));
        assertThat(Schedule.of(duet()).runs())
                .extracting(run -> run.block() + run.variant().name())
                .containsExactly("1a", "1b", "2b", "2a", "3a", "3b", "4b", "4a");
    }

    @Test
    void itTakesHalfTheTimeOfRunsThatFollowOneAnother() throws IOException {
        Experiment alone = read("runs: 4\n" + VARIANTS + PORT + FIXED).withoutClosing();
        Duration both = Schedule.of(duet().withoutClosing()).estimate();
        assertThat(both.minus(Schedule.BEFORE_ALL.multipliedBy(2)).multipliedBy(2))
                .isEqualTo(Schedule.of(alone).estimate().minus(Schedule.BEFORE_ALL));
        assertThat(PlanText.render(duet(), Schedule.of(duet()))).contains("both variants of a block at once");
    }

    @Test
    void theTimeLeftCountsBlocks() throws IOException {
        TimeLeft left = new TimeLeft(duet(), Schedule.of(duet()));
        long run = Duration.ofSeconds(40).toNanos();
        for (int block = 1; block <= 4; block++) {
            left.runStarted(duet().duetName(), block, 4, (block - 1) * run);
        }
        assertThat(left.left(3 * run)).isEqualTo(Duration.ofNanos(run));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "runs: 5 | runs: found 5 with duet, expected an even number",
                "runs: until-decided | runs: found until-decided with duet, expected an even number",
                "'cpus: {target: 0}' | cpus: found CPUs with duet, expected auto",
                "cold: true | cold: found true with duet, expected false",
                "'database: {url: ''jdbc:postgresql://localhost/a''}' | database: found a server of your own with duet"
            })
    void whatTwoAtOnceCannotHaveIsRefused(String key, String message) {
        refused("duet: true\n" + VARIANTS + PORT + FIXED + key + "\n", message);
    }

    @Test
    void bothMustComeToTheSameSecondAtTheSameTime() {
        for (String protocol :
                new String[] {"", "protocol: load=10s\n", "protocol: load=until-steady:60s-120s,pause=5s,load=10s\n"}) {
            refused("duet: true\n" + VARIANTS + PORT + protocol, "expected phases of a fixed length");
        }
    }

    @Test
    void thereAreTwoVariantsWithPortsOfTheirOwn() {
        refused(
                "duet: true\ntarget: {command: 'java -version ${port}'}\n" + PORT + FIXED,
                "duet: found one variant, expected two with one load");
        refused(
                "duet: true\nvariants:\n  a: {command: java -version}\n  b: {command: java -version}\n" + LOAD + FIXED,
                "load: found http://localhost:8080/ with duet, expected ${port} in it");
        refused(
                "duet: true\ntarget: {command: 'java -version ${port}'}\n"
                        + "load: {url: 'http://localhost:${port}/', connections: [1, 2]}\n" + FIXED,
                "2 variants that are levels of a sweep");
        refused(
                "duet: true\ntarget: {readiness: {port: 9000}}\n" + VARIANTS + PORT + FIXED,
                "found a readiness at a fixed port with duet");
        refused(
                "duet: true\ntarget: {beforeRun: 'true'}\n" + VARIANTS + PORT + FIXED,
                "variant a: found beforeRun with duet, expected no commands around runs");
    }

    @Test
    void whatAnOptionMakesADuetIsCheckedToo() throws IOException {
        Experiment three = read(VARIANTS + PORT + FIXED);
        DuetRules.require(three);
        DuetRules.require(three.with(Runs.fixed(2)).withDuet());
        assertThatThrownBy(() -> DuetRules.require(three.withDuet()))
                .isInstanceOf(KilnException.class)
                .hasMessageContaining("runs: found 3 with duet");
    }
}
