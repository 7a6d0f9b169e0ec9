package dev.kiln.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class AnalysisConfigTest {
    @Test
    void everyConstantIsChecked() throws ReflectiveOperationException {
        RecordComponent[] components = AnalysisConfig.class.getRecordComponents();
        for (int i = 0; i < components.length; i++) {
            Object[] values = values(components);
            values[i] = Double.NaN;
            if (components[i].getType() == int.class) {
                values[i] = -1;
            }
            String name = components[i].getName();
            assertThatThrownBy(() -> make(components, values))
                    .cause()
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(name);
        }
    }

    @Test
    void theTailMustFitAndHoldItsBlocks() throws ReflectiveOperationException {
        RecordComponent[] components = AnalysisConfig.class.getRecordComponents();
        for (Object[] change : new Object[][] {{"minTailBins", 61}, {"minTailBins", 9}, {"minMeasuringTailBins", 9}}) {
            Object[] values = values(components);
            for (int i = 0; i < components.length; i++) {
                values[i] = components[i].getName().equals(change[0]) ? change[1] : values[i];
            }
            assertThatThrownBy(() -> make(components, values)).cause().hasMessageContaining("must fit into minBins");
        }
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

    private static Object[] values(RecordComponent[] components) throws ReflectiveOperationException {
        Object[] out = new Object[components.length];
        for (int i = 0; i < out.length; i++) {
            out[i] = components[i].getAccessor().invoke(AnalysisConfig.defaults());
        }
        return out;
    }

    private static AnalysisConfig make(RecordComponent[] components, Object[] values)
            throws ReflectiveOperationException {
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        Constructor<AnalysisConfig> constructor = AnalysisConfig.class.getDeclaredConstructor(types);
        return constructor.newInstance(values);
    }
}
