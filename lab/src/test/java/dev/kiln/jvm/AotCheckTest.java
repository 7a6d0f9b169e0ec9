package dev.kiln.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AotCheckTest {
    /** As JDK 25.0.3 prints it. Without a profile, the pointer to it is nil. */
    @Test
    void methodsWithAProfileAreNamed() {
        assertThat(AotCheck.profiled("""
                        Archived TrainingData Dictionary
                           0: 0x00007f4a2c8a1f28 K java/lang/String dep:java/lang/String.hashCode()I#12L3
                           1: 0x00007f4a2c8a1f90 M java/lang/String.hashCode()I LM24 mc=0x00007f4a2c0 mdo=0x00007f4a2c1
                          C java/lang/String.hashCode()I#12L3 dep:java/lang/String
                           2: 0x00007f4a2c8a2000 M java/lang/String.length()I LM2 mc=0x00007f4a2c2 mdo=(nil)
                           3: 0x00007f4a2c8a2010 M a/Inner$Class[L].<init>(La/B;I)V LM8 mc=0x1 mdo=0x2
                           4: 0x00007f4a2c8a2020 M a/Face[D]I.run()V LM8 mc=0x1 mdo=0x2
                           5: 0x00007f4a2c8a2030 M a/UI.run()V LM8 mc=0x1 mdo=0x2
                           6: 0x00007f4a2c8a2040 M [SYM] LM8 mc=0x1 mdo=0x2
                        """))
                .containsExactlyInAnyOrder(
                        "java.lang.String.hashCode", "a.Inner$Class.<init>", "a.Face.run", "a.UI.run", "a.U.run");
        assertThat(AotCheck.profiled("")).isEmpty();
    }
}
