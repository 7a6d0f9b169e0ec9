/** Pages that need nothing else: text and tables without scripts, charts with the scripts they carry. */
@NullMarked
package dev.kiln.report.html;

import org.jspecify.annotations.NullMarked;
