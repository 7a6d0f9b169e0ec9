package dev.kiln.evidence;

import dev.kiln.model.run.Sample;

/** Takes samples as they come; those of one kind come in the order of their times. Several threads may use it. */
public interface EvidenceSink {
    void append(Sample sample);

    /** One round of samples is complete. */
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
