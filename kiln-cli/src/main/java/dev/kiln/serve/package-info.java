/**
 * The server shows a folder of results as pages: what was recorded, and what is being recorded now. A folder comes in;
 * HTML and events go out, and nothing is written. A {@link WebServer} receives a request, checks that it may be
 * answered, and asks {@link Pages}, which chooses the page for an address. A {@link Library} has the experiments:
 * {@link FoundFolders.TopFolders} lists the folders, {@link FoundFolders} are what is in them, an {@link ItemReader} reads each into an
 * {@link Item} by its summary, and a {@link DocumentReader} what is one document.
 * An {@link Overlay} compares variants of any experiments. A {@link Live} follows an experiment that still runs, with a
 * {@link LiveRun} for each of its runs, and sends its seconds to all viewers.
 */
@NullMarked
package dev.kiln.serve;

import org.jspecify.annotations.NullMarked;
