/**
 * This package reads logs of pidstat, mpstat, sar and vmstat. In comes a log of threads or CPUs; out comes a system
 * log, whose samples go to its sink once its clock is aligned with that of the load.
 *
 * <p>{@link Pidstat} is a log of threads: a {@link PidstatReader} reads its rows, whose {@link PidstatColumns} depend
 * on the header of each block, {@link ThreadNames} keeps the names, and {@link ThreadTotals} adds up the shares to counters.
 * {@link Mpstat} is a log of CPUs as text, {@link SysstatJson} the same as JSON, and {@link Vmstat} has all CPUs together.
 * {@link Sysstat} reads what these programs print alike: the first line of a log and the times of rows.
 */
@NullMarked
package dev.kiln.importer.sysstat;

import org.jspecify.annotations.NullMarked;
