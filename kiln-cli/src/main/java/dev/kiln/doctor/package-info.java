/**
 * The doctor finds live JVMs, diagnoses what they lack, and helps them without a restart. A pid comes in; a diagnosis
 * goes out, or a JVM that is warm. {@link LiveJvms} lists the JVMs of the machine from {@code /proc}, across
 * containers. A {@link Watch} records one of them into evidence and judges it at any moment; {@link Readiness} turns
 * the judgements into an answer for a probe, and {@link MetricsServer} and {@link MetricsPush} publish them. A {@link
 * LiveFix} applies each {@link Fix} through its {@link Remedy} and writes an {@link UndoNote} first, so that the change
 * is undone even if Kiln is killed. A {@link Warming} sends {@link BurstRequests} to a JVM until its compilers have
 * done their work.
 */
@NullMarked
package dev.kiln.doctor;

import org.jspecify.annotations.NullMarked;
