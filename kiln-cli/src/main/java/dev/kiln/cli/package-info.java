/**
 * This package is the entry of the program. Words come in; an exit code and text or JSON go out. {@link Main} lists the
 * commands, finds the one that the first word names and lets picocli fill its options; a mistake in the words ends as a
 * {@link UsageError}, any other failure as a message with a remedy, and only a bug of Kiln's prints a stack trace.
 * {@link CompletionCommand} prints the completion for a shell, and {@link Training} is what the launcher runs once to
 * fill Kiln's own AOT cache. Each product is a folder beside this one, with its command, its assessment and its forms:
 * doctor, startup, soak, sweep, gate, history, tune and aot. What they share is in run, results, serve, report and
 * console.
 */
@NullMarked
package dev.kiln.cli;

import org.jspecify.annotations.NullMarked;
