/**
 * This package has the JDKs, the commands that launch a JVM, and what can be seen of a JVM from outside. In come the
 * target of an experiment and, later, a pid; out come a command line, and answers that are figures or the reason why
 * there is none.
 *
 * <p>The {@link JdkFinder} finds the JDKs of this machine, a {@link JdkProbe} tries what can be observed of one, and a
 * {@link LaunchCommand} puts a {@link Jdk}, its flags and the target's command together. While the target starts, {@link
 * Serving} finds which of its processes serves.
 *
 * <p>A {@link JvmProbe} finds the {@link JvmCounters} of that process, which cost it nothing. What they do not have, Kiln
 * asks for: {@link DiagnosticCommands} go over an {@link AttachSocket}, after {@link Attachable} has made sure that the
 * process is a JVM that will not die of the question, and a {@link Reply} has the answer or a reason. {@link StartupLog} and
 * {@link AotReasons} read what a JVM logs by itself. An {@link AotCheck} tells whether a JVM accepts its AOT cache, and an
 * {@link AotRecording} makes one.
 */
@NullMarked
package dev.kiln.jvm;

import org.jspecify.annotations.NullMarked;
