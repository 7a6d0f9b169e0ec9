/**
 * The commands in this package work on live JVMs: {@code kiln doctor} diagnoses them, {@code kiln warm} sends them
 * requests until they are warm. A pid or a container comes in; a diagnosis, an exit code and metrics go out. {@link
 * DoctorCommand} decides between one JVM and all of them. For one, a {@link DoctorSession} watches until the JVM is
 * warm or the time is over, and a {@link DoctorFix} applies a fix if a person agrees, and undoes it. For all, {@link
 * DoctorRounds} diagnoses them together or one after the other, and a {@link DoctorFeed} publishes the result. {@link
 * WarmCommand} warms a service up with its own requests. The work itself is done by the package {@code
 * dev.kiln.doctor}.
 */
@NullMarked
package dev.kiln.cli.doctor;

import org.jspecify.annotations.NullMarked;
