package dev.kiln.aot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kiln.model.AotSight;
import dev.kiln.model.AotSight.Fault;
import dev.kiln.model.AotSight.Reason;
import dev.kiln.model.AotSight.Used;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class AotVerdictTest {
    private static final Fault FAULT =
            new Fault("JDK-1", "it is slow", "leave it out", List.of("25.0.5", "27"), "somebody/jdk#1");

    private static AotSight sight(boolean accepted, List<Reason> reasons, Optional<Used> used) {
        return new AotSight(
                Optional.of(Path.of("/srv/app.aot")),
                Path.of("/jdk"),
                "25.0.3",
                accepted,
                reasons,
                used,
                List.of(FAULT));
    }

    @Test
    void anAcceptedCacheIsToldWithWhatIsUsedOfItAndWithTheFaultsOfTheJdk() {
        AotSight sight = sight(
                true,
                List.of(new Reason("collector", "its machine code is for G1", "make it anew")),
                Optional.of(new Used(OptionalInt.of(12_345), 678, OptionalLong.of(1_500_000), OptionalInt.empty())));
        assertThat(AotVerdict.text(sight).lines())
                .containsExactly(
                        "JDK 25.0.3 (/jdk) accepts /srv/app.aot.",
                        "It takes from it: 12,345 classes at once, profiles of 678 methods, 1.5 MB of objects, no machine"
                                + " code.",
                        "",
                        "A part is not used: its machine code is for G1. [collector]",
                        "What to do: make it anew.",
                        "",
                        "Known faults of this JDK with AOT caches, as of " + Fault.AS_OF + ":",
                        "- JDK-1 (fixed in 25.0.5, 27): it is slow. Way round: leave it out. Source: somebody/jdk#1.");
    }

    /** Scripts read this form. */
    @Test
    void theFormForScripts() {
        AotSight rejected = sight(
                false, List.of(new Reason("pointers", "pointers differ", "take one collector")), Optional.empty());
        assertThat(JsonMapper.shared().readTree(AotVerdict.json(rejected)))
                .isEqualTo(JsonMapper.shared().readTree("""
                        {
                          "accepted": false,
                          "cache": "/srv/app.aot",
                          "jdk": "25.0.3",
                          "jdkHome": "/jdk",
                          "reasons": [{"id": "pointers", "text": "pointers differ", "remedy": "take one collector"}],
                          "used": null,
                          "knownFaults": [{
                            "id": "JDK-1", "text": "it is slow", "remedy": "leave it out", "fixedIn": ["25.0.5", "27"],
                            "source": "somebody/jdk#1", "asOf": "2026-11"
                          }]
                        }
                        """));
    }
}
