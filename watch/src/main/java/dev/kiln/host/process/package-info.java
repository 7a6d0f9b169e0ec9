/** Processes of this machine: launched, pinned, ended, and found again if Kiln was killed. */
@NullMarked
package dev.kiln.host.process;

import org.jspecify.annotations.NullMarked;
