/** What can hold a service back: a class a cause, with its id, thresholds, wording and remedies. */
@NullMarked
package dev.kiln.explain.cause;

import org.jspecify.annotations.NullMarked;
