/**
 * {@code kiln startup} compares how fast two or more commands start. Commands, an experiment's file or a table of
 * starts come in; the difference with its interval goes out. {@link StartupCommand} reads the options, a {@link
 * StartupCommand.StartupSession} makes the starts in pairs with the lab, and a {@link StartupAssessment} makes a {@link
 * StartupResult} of them. {@link StartupReport} says it in text, Markdown and CSV, {@link StartupJson} in JSON and
 * {@link StartupPage} as a page of a library. The starts themselves are made by
 * the runner of the lab, and {@code startup.json} keeps them.
 */
@NullMarked
package dev.kiln.startup;

import org.jspecify.annotations.NullMarked;
