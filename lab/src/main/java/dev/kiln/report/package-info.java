/** Terminal, HTML, Markdown, JSON and CSV. */
@NullMarked
package dev.kiln.report;

import org.jspecify.annotations.NullMarked;
