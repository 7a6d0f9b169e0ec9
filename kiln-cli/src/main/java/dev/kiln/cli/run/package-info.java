/**
 * The commands in this package run experiments, and the other classes are what only these need. A file or flags come
 * in; recorded evidence, a report and an exit code go out. {@link RunCommand} shows the way: {@link ServiceOptions},
 * {@link CourseOptions} and {@link ObserveOptions} become an experiment, in which {@link VariantJdks} and {@link
 * Workloads} fill in JDKs and launch commands, and {@link OptionalVariants} leaves out what cannot run here. A {@link
 * RunSession} runs it block by block in a {@link LabSession}, which owns the lab and its interruption, and then reports
 * it. {@link SweepCommand}, {@link SoakCommand}, {@link StartupCommand}, {@link AotCommand} and {@link DemoCommand} are
 * variations of this. {@link GateCommand} judges two variants against tolerances, with {@link GateLooks} for one that
 * runs until it is decided. {@link TuneCommand} searches for a cure; {@link TuneTrials} makes its runs, and {@link
 * TuneStage} reads them.
 */
@NullMarked
package dev.kiln.cli.run;

import org.jspecify.annotations.NullMarked;
