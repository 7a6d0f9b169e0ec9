package dev.kiln.evidence;

import dev.kiln.model.run.Sample;

/**
 * An EvidenceSink receives samples as they come; those of one kind come in the order of their times. Several threads
 * may use it.
 */
public interface EvidenceSink {
    void append(Sample sample);

    /** Says that one round of samples is complete, so that they can be written or old ones be dropped. */
    void flush();

    /** Returns a sink that passes each sample on to this sink and to a second one. */
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
