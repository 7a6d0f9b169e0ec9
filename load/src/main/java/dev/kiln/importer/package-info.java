/** Result files of other programs to evidence: one parser a format, clocks aligned, limits named. */
@NullMarked
package dev.kiln.importer;

import org.jspecify.annotations.NullMarked;
