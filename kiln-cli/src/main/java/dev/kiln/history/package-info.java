/**
 * {@code kiln history} follows a service over many experiments. Folders of results come in; a series for each metric
 * goes out, with the changes that sessions show. {@link History} groups the runs of experiments that are over by
 * service and variant, and finds the changes. {@link HistoryReport}, {@link HistoryTables}, {@link OtavaExport} and
 * {@link HtmlHistory} are its forms, and {@link HistoryPage} shows one service in a library.
 */
@NullMarked
package dev.kiln.history;

import org.jspecify.annotations.NullMarked;
