/**
 * The console is what all commands share: options, the terminal, text files, and clean-up at the end. The parsed
 * command line comes in; text for people goes to the standard output or the error stream, and JSON to a file or the
 * standard output. A {@link Console} knows the streams and what they can show; a {@link ResultConsole} adds {@code
 * --json}, which means the same in every command. {@link Progress} is the live line of a running experiment. {@link
 * Outputs} makes the folder that results go into, and {@link TextFiles} writes into it or to a file that a user named.
 * A {@link ShutdownHook} runs an action when Kiln is stopped, and {@link Installation} says which Kiln this is.
 */
@NullMarked
package dev.kiln.console;

import org.jspecify.annotations.NullMarked;
