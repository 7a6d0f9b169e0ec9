/**
 * {@code kiln run} runs an experiment, and the products that run one are variations of it. A file or flags come in;
 * recorded evidence, a report and an exit code go out. {@link ExperimentOptions} are the arguments of all of them:
 * {@link ServiceOptions}, {@link CourseOptions} and {@link ExperimentOptions.ObserveOptions} become an experiment, in which {@link
 * VariantJdks} and {@link Workloads} fill in JDKs and launch commands, and {@link OptionalVariants} leaves out what
 * cannot run here. A {@link RunSession} runs it block by block in a {@link LabSession}, which owns the lab and its
 * interruption, and then reports it. A {@link FollowUp} is what a product does after the last run. {@link
 * DemoCommand} and {@link PlanCommand} are small commands beside it.
 */
@NullMarked
package dev.kiln.run;

import org.jspecify.annotations.NullMarked;
