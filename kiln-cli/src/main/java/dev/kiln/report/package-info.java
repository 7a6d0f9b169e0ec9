/** What reports of every form share, and reports in several forms: for the terminal, Markdown and CSV. */
@NullMarked
package dev.kiln.report;

import org.jspecify.annotations.NullMarked;
