package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class AnalysisConfigTest {
    @Test
    void everyConstantIsChecked() throws ReflectiveOperationException {
        List<String> checked = new ArrayList<>();
        check(AnalysisConfig.defaults(), checked);

        assertThat(checked)
                .contains("binSeconds", "noiseBins", "timeZ", "endZ", "heldBins", "jumpBins", "maxErrorShare");
        assertThat(checked).doesNotHaveDuplicates();
    }

    private static void check(Record group, List<String> checked) throws ReflectiveOperationException {
        RecordComponent[] components = group.getClass().getRecordComponents();
        for (int i = 0; i < components.length; i++) {
            Object value = components[i].getAccessor().invoke(group);
            String name = components[i].getName();
            if (value instanceof Record nested) {
                check(nested, checked);
            } else {
                Object wrong = value instanceof Integer ? (Object) Integer.valueOf(-1) : (Object) Double.NaN;
                int at = i;
                assertThatThrownBy(() -> with(group, at, wrong))
                        .cause()
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(name);
                checked.add(name);
            }
        }
    }

    private static void with(Record group, int index, Object value) throws ReflectiveOperationException {
        RecordComponent[] components = group.getClass().getRecordComponents();
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = i == index ? value : components[i].getAccessor().invoke(group);
        }
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        group.getClass().getDeclaredConstructor(types).newInstance(values);
    }

    @Test
    void rangesIncludeTheirEnds() {
        Checks.atLeast("x", 3, 3);
        for (double share : new double[] {0, 1}) {
            assertThatThrownBy(() -> Checks.share("x", share)).hasMessageContaining("between 0 and 1");
        }
        for (double value : new double[] {0, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> Checks.positive("x", value)).hasMessageContaining("greater than 0");
        }
        assertThat(AnalysisConfig.defaults()).isEqualTo(AnalysisConfig.defaults());
    }

    /** Rules are of bins of a second; longer ones need fewer, and some at least. */
    @Test
    void secondsOfARuleAreBins() {
        assertThat(AnalysisConfig.defaults().bins(10, 5)).isEqualTo(10);
        assertThat(AnalysisConfig.defaults().withBinSeconds(0.1).bins(10, 5)).isEqualTo(100);
        assertThat(AnalysisConfig.defaults().withBinSeconds(3).bins(10, 3)).isEqualTo(4);
        assertThat(AnalysisConfig.defaults().withBinSeconds(5).bins(10, 5)).isEqualTo(5);
    }
}
