/** What all commands share: options, the terminal, files of text, clean-up at the end. */
@NullMarked
package dev.kiln.cli.console;

import org.jspecify.annotations.NullMarked;
