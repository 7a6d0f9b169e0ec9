/** What is to be run: an experiment, its variants and targets, its protocol, its claims and gates. */
@NullMarked
package dev.kiln.model.experiment;

import org.jspecify.annotations.NullMarked;
