/**
 * What people write of an experiment: the fields of a file with their places, and single values. Also all that is wrong
 * with them.
 */
@NullMarked
package dev.kiln.plan.text;

import org.jspecify.annotations.NullMarked;
