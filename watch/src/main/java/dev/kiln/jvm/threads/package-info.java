/**
 * This package reads thread dumps of a JVM. In comes what the JVM says of its threads; out come rows that say what each
 * pool waits for.
 *
 * <p>{@link ThreadPrint} reads the text of {@code Thread.print}, which has all platform threads, and {@link ThreadJson} the
 * file of {@code Thread.dump_to_file}, which has virtual threads too. Both make {@link DumpedThread}s. A {@link ThreadWait}
 * is what one of them does, told from its frames; {@link ThreadWait.LibraryWaits} tell what it is for. {@link BlockedRows} sum up those that
 * stand alike.
 */
@NullMarked
package dev.kiln.jvm.threads;

import org.jspecify.annotations.NullMarked;
