/**
 * This package turns an experiment as people write it into the experiment that runs. In comes a YAML file or the flags
 * of a command; out comes an experiment, or every error with its place and what was expected there.
 *
 * <p>One walk through it: {@link ExperimentFile} parses the file, or {@link FlagExperiment} makes the same tree of a
 * command's flags, and an {@link ExperimentBinder} gives each part to its binder. {@link TargetBinder} and {@link VariantsBinder} make drafts, each a {@link TargetDraft}, and let them inherit. {@link LabBinder},
 * {@link ContainerBinder}, {@link HookBinder}, {@link ReadinessBinder}, {@link ClaimBinder} and {@link GateBinder} read the rest, and
 * {@link HostRules} refuses what a target on another machine cannot have, {@link AttachRules} what one that Kiln does not start. {@link StartupFlags} reads the flags of a
 * start-up comparison. A {@link Schedule} then puts the runs in order, and {@link PlanText} says
 * in words what would run. {@link Changes} and {@link ObserverEffect} derive variants that no file describes.
 */
@NullMarked
package dev.kiln.plan;

import org.jspecify.annotations.NullMarked;
