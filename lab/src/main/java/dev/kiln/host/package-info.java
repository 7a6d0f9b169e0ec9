/** CPUs, cgroups and /proc: pure parsers and a thin reader rooted at a path. */
@NullMarked
package dev.kiln.host;

import org.jspecify.annotations.NullMarked;
