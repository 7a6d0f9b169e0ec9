/**
 * This package has the evidence of a run: files that hold everything that was measured, in a form that other tools read
 * too. In come samples while a run goes on; out come the same records, read again, with a list of what is missing.
 *
 * <p>A {@link RunWriter} is the {@link EvidenceSink} of a run. It passes each sample to the {@link CsvWriter} of its {@link
 * Table}, which has the columns and both directions of a row; a {@link LoadFile}, a {@link LatencyLog} and a {@link
 * LoadFile.CallFile} take the load, and {@link RunJson} the run itself. An {@link EvidenceSink.EvidenceCollector} is a sink that
 * keeps the newest samples in memory alone.
 *
 * <p>A {@link RunReader} reads a folder back, however damaged: {@link CsvReader} turns a bad row into one of the {@link
 * Gaps}, never into a figure. A {@link RunReader.RowStream} reads hours row by row, and a {@link RunReader.RunTail}
 * follows a run that is still being written. {@link FlightFiles} are the digest of a recording. Above runs, the {@link ExperimentReader}
 * finds those of an experiment, and a {@link StudyFile} is a document beside them. The format is described in {@code
 * docs/reference/evidence.md}.
 */
@NullMarked
package dev.kiln.evidence;

import org.jspecify.annotations.NullMarked;
