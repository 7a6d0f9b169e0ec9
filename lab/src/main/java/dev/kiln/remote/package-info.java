/** A target on another machine: Kiln's recorder is sent there over SSH and tells what it sees as it sees it. */
@NullMarked
package dev.kiln.remote;

import org.jspecify.annotations.NullMarked;
