package dev.kiln.remote;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class KubectlTest {
    private static JsonNode pod(String statuses) {
        return JsonMapper.shared().readTree("{\"status\":{\"containerStatuses\":[" + statuses + "]}}");
    }

    /** One that the cluster started again is as old as its last start. */
    @Test
    void aPodStartedWhenItsLastContainerDid() {
        assertThat(Kubectl.startedAt(pod(
                        "{\"state\":{\"running\":{\"startedAt\":\"2026-11-27T09:00:07Z\"}},\"lastState\":{\"terminated\":"
                                + "{\"startedAt\":\"2026-11-27T08:00:00Z\"}}},{\"state\":{\"running\":{\"startedAt\":"
                                + "\"2026-11-27T09:00:05Z\"}}}")))
                .isEqualTo("2026-11-27T09:00:07Z");
        assertThat(Kubectl.startedAt(pod("{\"state\":{\"running\":{}}}"))).isEmpty();
    }
}
