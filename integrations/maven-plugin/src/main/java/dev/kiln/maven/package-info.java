/** This package has the Maven plugin: {@link GateMojo} is its goal {@code gate}. */
@NullMarked
package dev.kiln.maven;

import org.jspecify.annotations.NullMarked;
