/**
 * This package has the one way to read a file that somebody else may have made, and the one way to write a file.
 *
 * <p>Kiln reads folders of results that were sent to it, files of processes of other users, and results of other programs.
 * Any of these may be a link to a file that is none of theirs, a pipe that nobody ever writes to, or a device without an
 * end. {@link dev.kiln.files.InputFile} opens regular files alone, follows no link, never waits, and reads up to a limit.
 * A {@link dev.kiln.files.Growth} reads only what was added since it last looked.
 *
 * <p>Whoever owns a folder can put a link where Kiln is going to write. {@link dev.kiln.files.OutputFile} writes beside
 * the file and then renames, so that no link is followed and a crash leaves the old file or the new one. Files that grow
 * while something is recorded are opened as files are read: no link, regular files alone.
 *
 * <p>{@code ArchitectureTest} allows no other way, but for a list of classes with the reason of each.
 */
@NullMarked
package dev.kiln.files;

import org.jspecify.annotations.NullMarked;
