package dev.kiln.explain.cause;

import static dev.kiln.explain.HandMade.nanos;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.Service;
import dev.kiln.model.run.Finding.FindingState;
import dev.kiln.model.run.FlightDigest;
import dev.kiln.model.run.FlightDigest.FlightDeoptimizations;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the recording after a run shows of code that is left: it is present, and explains no difference. */
class ClosingDeoptimisationsTest {
    private static Service closing(Service service, String action, int each) {
        service.made.closing = Optional.of(HandMade.flight(new FlightDigest.FlightJit(
                List.of(),
                List.of(),
                List.of(
                        new FlightDeoptimizations(nanos(106), "unstable_if", action, each),
                        new FlightDeoptimizations(nanos(107), "unstable_if", action, each),
                        new FlightDeoptimizations(nanos(110), "class_check", "reinterpret", 5)),
                List.of(),
                List.of())));
        return service;
    }

    /** Nobody asked the JVM, and its counters were not read. */
    private static Service unseen() {
        Service service = Service.healthy();
        service.counters = false;
        service.asked = false;
        return service;
    }

    @Test
    void codeThatIsLeftForNothingIsPresent() {
        Service service = closing(unseen(), "none", 20_000);

        assertThat(service.held()).containsExactly("recompilation-given-up");
        assertThat(service.finding("recompilation-given-up").explains()).isEmpty();
        assertThat(service.first("recompilation-given-up"))
                .isEqualTo(
                        "8,001 deoptimisations a second, 100 % of which changed no code, in the load that went on under a"
                                + " recording (closing/recording.jfr)");
        assertThat(service.finding("deoptimisation-storm").state())
                .as("one may have been there before")
                .isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    @Test
    void codeThatIsMadeAnewAgainAndAgainIsAStorm() {
        Service service = closing(unseen(), "reinterpret", 200);

        assertThat(service.held()).containsExactly("deoptimisation-storm");
        assertThat(service.finding("deoptimisation-storm").explains()).isEmpty();
        assertThat(service.finding("recompilation-given-up").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    /** Seconds without any have no row: 60 in one second of five are 12 a second. */
    @Test
    void aBurstInOneSecondIsNoStorm() {
        Service service = unseen();
        service.made.closing = Optional.of(HandMade.flight(new FlightDigest.FlightJit(
                List.of(),
                List.of(),
                List.of(new FlightDeoptimizations(nanos(108), "unstable_if", "reinterpret", 60)),
                List.of(),
                List.of())));

        assertThat(service.held()).isEmpty();
        assertThat(service.finding("deoptimisation-storm").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
    }

    @Test
    void aFewAreNoneAndRuleNothingOut() {
        Service service = closing(unseen(), "none", 100);

        assertThat(service.held()).isEmpty();
        assertThat(service.finding("recompilation-given-up").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
        assertThat(service.finding("deoptimisation-storm").state()).isEqualTo(FindingState.NOT_OBSERVABLE);
    }
}
