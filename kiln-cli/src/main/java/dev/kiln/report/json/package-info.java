/**
 * This package writes results for programs: JSON, CSV, and the formats of other tools. An analysed result comes in; a
 * text goes out whose keys do not change their meaning within a schema version. {@link ResultJson} is {@code
 * result.json}: it writes {@link HowJson} on the measurement and a {@link RunResultJson} for each run, which uses
 * {@link SeriesJson} for the load and {@link ExplanationJson} for the causes. {@link GateJson}, {@link SoakJson},
 * {@link StartupJson}, {@link SweepJson}, {@link TuneJson} and {@link DoctorJson} belong to one command each. {@link
 * ComparisonTables} and {@link HistoryTables} also have CSV, {@link OtavaExport} is for another change detector, and
 * {@link DoctorMetrics} become Prometheus text or, by {@link OtlpMetrics}, OpenTelemetry.
 */
@NullMarked
package dev.kiln.report.json;

import org.jspecify.annotations.NullMarked;
