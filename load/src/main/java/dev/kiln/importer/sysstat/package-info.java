/** Logs of pidstat, mpstat and vmstat. */
@NullMarked
package dev.kiln.importer.sysstat;

import org.jspecify.annotations.NullMarked;
