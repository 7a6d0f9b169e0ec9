/**
 * This machine: CPUs, cgroups and /proc, processes, and containers. Parsers are pure, and the reader of /proc has a
 * root of its own for tests.
 */
@NullMarked
package dev.kiln.host;

import org.jspecify.annotations.NullMarked;
