/**
 * This package reads the texts that people write of an experiment. In come a YAML file and single values; out come
 * fields with their places in the file, checked values, and a list of all that is wrong with them.
 *
 * <p>One walk through it: {@link YamlTree} parses a file into a tree of {@link Node}, in which each value knows its
 * {@link Spot}: its line, or the flag that it stood behind. {@link Fields} reads one map of that tree by the keys of its {@link Section}. Its values go to the readers of
 * single texts: {@link DurationText}, {@link JdkBinder}, {@link Names} for names, placeholders and URLs,
 * {@link ShellWords} for commands, and {@link CommandPaths} for the files that these name. Each mistake is added to
 * {@link Problems}, and is thrown with the others when the whole file has been read.
 */
@NullMarked
package dev.kiln.plan.text;

import org.jspecify.annotations.NullMarked;
