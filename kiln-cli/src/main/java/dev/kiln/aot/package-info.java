/**
 * {@code kiln aot} makes and checks AOT caches outside an experiment. A command or a running JVM comes in; a cache
 * file, or the JVM's own answer to it, goes out. {@link AotCommand} has both parts: {@code train} records the program
 * under load, or under what it does by itself, and lets a JVM assemble the cache; {@code check} starts the JVM with
 * {@code --dry-run} and reads whether it accepts the cache. {@link AotVerdict} is what they print.
 */
@NullMarked
package dev.kiln.aot;

import org.jspecify.annotations.NullMarked;
