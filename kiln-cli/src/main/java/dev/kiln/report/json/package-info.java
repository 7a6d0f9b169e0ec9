/**
 * This package writes results for programs: JSON, CSV, and the formats of other tools. An analysed result comes in; a
 * text goes out whose keys do not change their meaning within a schema version. {@link ResultJson} is {@code
 * result.json}: it writes {@link HowJson} on the measurement and a {@link RunResultJson} for each run, which uses
 * {@link SeriesJson} for the load and {@link ExplanationJson} for the causes. {@link
 * ComparisonTables} also have CSV. What belongs to one command is written in the folder of its product.
 */
@NullMarked
package dev.kiln.report.json;

import org.jspecify.annotations.NullMarked;
