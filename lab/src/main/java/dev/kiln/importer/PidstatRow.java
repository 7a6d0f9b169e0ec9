package dev.kiln.importer;

/**
 * One row of a pidstat log. Shares are in hundredths of a percent of one CPU, rates in hundredths a second; -1 where the
 * row does not tell.
 *
 * @param second of the row, on the log's own clock
 * @param seconds that the row's figures cover; 0 where that is not told
 * @param tid 0 for the whole process
 * @param resident bytes
 */
record PidstatRow(
        long second,
        long seconds,
        int tgid,
        int tid,
        String name,
        long cpu,
        long waited,
        long voluntary,
        long involuntary,
        long resident) {}
