/** What the kernel tells of this machine: /proc, cgroups, CPUs. Parsers are pure, and the reader of /proc has a root of its own for tests. */
@NullMarked
package dev.kiln.host.proc;

import org.jspecify.annotations.NullMarked;
