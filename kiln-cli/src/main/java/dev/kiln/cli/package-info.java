/**
 * The command line is one class for each command, which parses options, calls the module that does the work, and prints
 * the result. Words come in, an exit code and text or JSON go out. {@link Main} finds the command that the first word
 * names and lets picocli fill its options; a mistake in the words ends as a {@link UsageError}, any other failure as a
 * message with a remedy, and only a bug of Kiln's prints a stack trace. {@link CompletionCommand} prints the completion
 * for a shell, and {@link Training} is what the launcher runs once to fill Kiln's own AOT cache. The other commands lie
 * in the packages below: {@code run} measures, {@code results} reads what was measured, {@code doctor} works on live
 * JVMs, and {@code console} has what all of them share.
 */
@NullMarked
package dev.kiln.cli;

import org.jspecify.annotations.NullMarked;
