package dev.kiln.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PodResizeTest {
    private static final PodResize BURSTABLE = new PodResize("shop", "checkout-7d9f", "app", "500m", false);

    @Test
    void amountsAreReadAsTheClusterWritesThem() {
        assertThat(PodResize.millis("500m")).contains(500L);
        assertThat(PodResize.millis("2")).contains(2000L);
        assertThat(PodResize.millis("1.5")).contains(1500L);
        assertThat(PodResize.millis("")).isEmpty();
        assertThat(PodResize.millis("lots")).isEmpty();
        assertThat(BURSTABLE.had(0.5)).isTrue();
        assertThat(BURSTABLE.had(1)).isFalse();
        assertThat(BURSTABLE.cpus()).isEqualTo("0.5");
        assertThat(new PodResize("shop", "checkout", "app", "2", false).cpus()).isEqualTo("2");
    }

    /** The shape is that of the documentation of Kubernetes: "Resize CPU and Memory Resources assigned to Containers". */
    @Test
    void theLimitIsPutBackUnlessThePodIsGoneOrHasIt() {
        assertThat(BURSTABLE.script(List.of("kubectl")))
                .isEqualTo("kubectl patch pod checkout-7d9f -n shop --subresource resize --patch"
                        + " '{\"spec\":{\"containers\":[{\"name\":\"app\",\"resources\":{\"limits\":{\"cpu\":\"500m\"}}}]}}'"
                        + " || { now=$(kubectl get pod checkout-7d9f -n shop --ignore-not-found -o"
                        + " 'jsonpath={.spec.containers[?(@.name==\"app\")].resources.limits.cpu}')"
                        + " && { [ -z \"$now\" ] || [ \"$now\" = 500m ]; }; }");
    }

    /** A pod whose requests are its limits may not become one whose are not. */
    @Test
    void whereTheRequestWasTheLimitItIsChangedToo() {
        assertThat(new PodResize("shop", "checkout", "app", "1", true).script(List.of("kubectl")))
                .contains("\"limits\":{\"cpu\":\"1000m\"},\"requests\":{\"cpu\":\"1000m\"}");
    }
}
