/** Containers of podman and docker as targets. */
@NullMarked
package dev.kiln.host.container;

import org.jspecify.annotations.NullMarked;
