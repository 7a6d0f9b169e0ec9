/**
 * This package makes targets of containers of podman and docker. In comes a {@link ContainerSpec} with an image, a
 * command and limits; out comes a {@link Container} whose first process is a process of this machine, which is recorded
 * as any other.
 *
 * <p>{@link Containers} finds the engine of this machine that can be used, and says what is missing where none can. {@link
 * ContainerCommands} has the command lines of both engines. {@link FirstProcess} asks the engine for the pid of the
 * container's first process, and checks by its cgroup or its parent that it belongs to the container, because an engine may run on another
 * machine. Closing the container removes it.
 */
@NullMarked
package dev.kiln.host.container;

import org.jspecify.annotations.NullMarked;
