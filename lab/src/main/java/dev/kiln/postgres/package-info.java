/**
 * This package runs a PostgreSQL server of Kiln's own for the experiments that want a database. In comes a script of
 * the experiment, if it has one; out comes a server with a JDBC URL, a user and a password for the application.
 *
 * <p>One walk through it: {@link PostgresBinaries} unpacks the server's programs once per version. A {@link Postgres} in its {@link PostgresFolder}
 * makes a template of the data directory with them, and a {@link DatabaseScript} fills it. Before each run the server
 * starts on a fresh copy of that template, so that all runs begin with the same data; after the run it is stopped.
 */
@NullMarked
package dev.kiln.postgres;

import org.jspecify.annotations.NullMarked;
