package dev.kiln.explain.cause;

import static dev.kiln.explain.cause.CauseServices.changes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.Service;
import dev.kiln.model.experiment.Change;
import dev.kiln.model.run.Finding;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.FlightDigest;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Code that has no room, or that is thrown away as fast as it is made. */
class LeftCodeTest {
    @Test
    void aFullCodeCacheIsToldByTheJvmOrByARecording() {
        Service stopped = Service.healthy();
        stopped.codeStopped = 1;
        Service full = Service.healthy();
        full.codeFull = 2;
        Service nearly = Service.healthy();
        nearly.codeUsed = 228L << 20;
        Service flown = Service.healthy();
        flown.made.flight = Optional.of(HandMade.flight(new FlightDigest.FlightJit(
                List.of(),
                List.of(),
                List.of(),
                List.of(new FlightDigest.CodeCacheEvent(22_000_000_000L, "full")),
                List.of())));

        assertThat(stopped.held()).containsExactly("code-cache-full");
        assertThat(full.held()).containsExactly("code-cache-full");
        assertThat(full.first("code-cache-full"))
                .isEqualTo("30.0 of 240.0 MiB in use (13 %); found full 2 times, compilation stopped 0 times");
        assertThat(changes(full, "code-cache-full"))
                .as("twice what it has")
                .extracting(Change::jvmFlags)
                .containsExactly(List.of("-XX:ReservedCodeCacheSize=480m"));
        assertThat(nearly.held()).containsExactly("code-cache-full");
        nearly = Service.healthy();
        nearly.codeUsed = 227L << 20;
        assertThat(nearly.held()).isEmpty();
        assertThat(flown.held()).containsExactly("code-cache-full");
        assertThat(flown.finding("code-cache-full").evidence())
                .containsExactly(new Finding.Proof(
                        "1 events of the code cache, the first: full", Optional.of(new Finding.Moment(12, 12))));
    }

    @Test
    void deoptimisationsAreCountedByReason() {
        assertThat(deoptimising(1500).held()).containsExactly("deoptimisation-storm");
        assertThat(deoptimising(1500).first("deoptimisation-storm"))
                .isEqualTo("51.0 deoptimisations a second, most of them class_check");
        assertThat(deoptimising(1469).held()).isEmpty();
    }

    private static Service deoptimising(int count) {
        Service service = Service.healthy();
        service.made.flight = Optional.of(HandMade.flight(new FlightDigest.FlightJit(
                List.of(),
                List.of(),
                List.of(
                        new FlightDigest.FlightDeoptimizations(50_000_000_000L, "class_check", "", count),
                        new FlightDigest.FlightDeoptimizations(50_000_000_000L, "unstable_if", "", 30),
                        new FlightDigest.FlightDeoptimizations(20_000_000_000L, "unstable_if", "", 9000)),
                List.of(),
                List.of())));
        return service;
    }

    @Test
    void codeThatIsThrownAwayAsFastAsItIsMadeIsAStorm() {
        Service storm = Service.healthy();
        storm.compilations = 20;
        storm.level3PerSecond = 9.9;
        Service growing = Service.healthy();
        growing.compilations = 20;
        growing.level3PerSecond = 10.2;
        Service draining = Service.healthy();
        draining.compilations = 20;
        draining.level3 = 2000;
        draining.level3PerSecond = -10.2;
        draining.level4PerSecond = 10.2;
        Service settled = Service.healthy();
        settled.compilations = 19;

        assertThat(storm.held()).containsExactly("deoptimisation-storm");
        assertThat(storm.first("deoptimisation-storm"))
                .isEqualTo("20 compilations a second, while methods in use changed by 297, those of C2 by 0");
        assertThat(growing.held()).isEmpty();
        assertThat(draining.held()).as("C2 works off its queue").isEmpty();
        assertThat(settled.held()).isEmpty();
    }

    @Test
    void compilationsThatDoNotFallOffAreAStormEvenIfMethodsInUseAreNotKnown() {
        Service storm = Service.healthy();
        storm.asked = false;
        storm.compilations = 100;
        Service less = Service.healthy();
        less.asked = false;
        less.compilations = 99;
        Service starved = Service.healthy().starved();
        starved.asked = false;
        starved.compilations = 100;

        assertThat(storm.held()).containsExactly("deoptimisation-storm");
        assertThat(storm.first("deoptimisation-storm"))
                .isEqualTo("100 compilations a second, then 100, so they did not become fewer");
        assertThat(less.finding("deoptimisation-storm").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(starved.finding("deoptimisation-storm").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    @Test
    void aQueueBeforeAFullCodeCacheIsNoBacklogOfItsOwn() {
        Service service = Service.healthy();
        service.codeStopped = 1;
        service.queue = 1500;

        assertThat(service.held()).containsExactly("code-cache-full");
        assertThat(service.first("c2-backlog")).endsWith("the code cache has no room for them, which is the cause");
    }
}
