/**
 * This package turns an experiment as people write it into the experiment that runs. In comes a YAML file or the flags
 * of a command; out comes an experiment, or every error with its place and what was expected there.
 *
 * <p>One walk through it: {@link ExperimentFile} parses the file and gives each part to a binder. {@link TargetBinder}
 * and {@link VariantsBinder} make drafts, each a {@link TargetDraft}, and let them inherit. {@link LabBinder},
 * {@link ContainerBinder}, {@link ReadinessBinder}, {@link ClaimBinder} and {@link GateBinder} read the rest, and
 * {@link HostRules} refuses what a target on another machine cannot have. {@link FlagExperiment} and
 * {@link StartupFlags} do the same for flags. A {@link Schedule} then puts the runs in order, and {@link PlanText} says
 * in words what would run. {@link Changes} and {@link ObserverEffect} derive variants that no file describes.
 */
@NullMarked
package dev.kiln.plan;

import org.jspecify.annotations.NullMarked;
