package dev.kiln.importer;

import dev.kiln.importer.SeriesColumns.Role;
import dev.kiln.model.LoadBin;

/**
 * From Hyperfoil's counters of one interval to what Kiln counts. Hyperfoil counts an interval's requests and what became of
 * them in the interval in which they began.
 *
 * @param responses whether the source tells responses apart from requests
 * @param statuses whether it tells responses by status
 */
record SeriesCounts(boolean responses, boolean statuses) {
    /** Cells by the ordinal of their role. Less than 0 where counts contradict one another. */
    long completed(long[] cells) {
        return completed(cells, errors(cells));
    }

    /** @param errors of the same cells */
    long completed(long[] cells, LoadBin.Errors errors) {
        if (statuses) {
            return cells[Role.OK.place()] - errors.badBody();
        }
        return responses
                ? cells[Role.RESPONSES.place()] - errors.non2xx() - errors.badBody()
                : cells[Role.REQUESTS.place()] - errors.total();
    }

    LoadBin.Errors errors(long[] cells) {
        long status = cells[Role.REDIRECT.place()]
                + cells[Role.CLIENT.place()]
                + cells[Role.SERVER.place()]
                + cells[Role.OTHER.place()];
        // A response of a bad status is invalid as well, and must not count twice.
        long body = Math.max(0, cells[Role.INVALID.place()] - status);
        // What the generator itself could not send is lost like a connection.
        long lost = cells[Role.CONNECTION.place()] + cells[Role.INTERNAL.place()];
        return lost + status + body + cells[Role.TIMEOUT.place()] + cells[Role.ERRORS.place()] == 0
                ? LoadBin.Errors.NONE
                : new LoadBin.Errors(0, lost, cells[Role.TIMEOUT.place()], status + cells[Role.ERRORS.place()], body);
    }
}
