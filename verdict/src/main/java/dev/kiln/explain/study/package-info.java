/** What many runs say: experiments with their sweeps and claims, soaks, comparisons of starts, histories. */
@NullMarked
package dev.kiln.explain.study;

import org.jspecify.annotations.NullMarked;
