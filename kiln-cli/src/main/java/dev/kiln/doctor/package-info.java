/**
 * The doctor diagnoses live JVMs and helps them without a restart. A pid, a container or nothing comes in; a diagnosis,
 * an exit code and metrics go out, or a JVM that is warm. {@link DoctorCommand} decides between one JVM and all of
 * them. For one, a {@link DoctorSession} lets a {@link Watch} record it into evidence and judges that at any moment: a
 * {@link LiveDiagnosis} is what its {@link LiveFigures} and the causes say. A {@link DoctorFix} applies a {@link
 * Remedy}, and a {@link LiveFix} writes an {@link UndoNote} first, so that the change is undone even
 * if Kiln is killed. For all JVMs, {@link DoctorRounds} diagnoses them one after the other, {@link DoctorSession.Readiness} turns the
 * judgements into an answer for a probe, and {@link MetricsServer} and {@link MetricsPush} publish them. {@link
 * WarmCommand} warms a service up: a {@link Warming} sends {@link BurstRequests} until its compilers have done their
 * work.
 */
@NullMarked
package dev.kiln.doctor;

import org.jspecify.annotations.NullMarked;
