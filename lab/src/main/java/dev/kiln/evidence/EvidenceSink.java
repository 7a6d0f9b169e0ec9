package dev.kiln.evidence;

import dev.kiln.model.Sample;

/** Takes samples as they come, in the order of their times for each kind. For use by several threads. */
public interface EvidenceSink {
    void append(Sample sample);

    /** A look at everything is complete. */
    void flush();

    /** Hands each sample to another sink too. */
    default EvidenceSink and(EvidenceSink second) {
        EvidenceSink first = this;
        return new EvidenceSink() {
            @Override
            public void append(Sample sample) {
                first.append(sample);
                second.append(sample);
            }

            @Override
            public void flush() {
                first.flush();
                second.flush();
            }
        };
    }
}
