/** Launches a target on this machine: its CPUs, its cgroup or container, and checks whether they are possible here. */
@NullMarked
package dev.kiln.launch;

import org.jspecify.annotations.NullMarked;
