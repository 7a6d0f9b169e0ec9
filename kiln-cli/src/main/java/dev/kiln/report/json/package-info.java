/** Results for programs: JSON, CSV, and the formats of other tools. */
@NullMarked
package dev.kiln.report.json;

import org.jspecify.annotations.NullMarked;
