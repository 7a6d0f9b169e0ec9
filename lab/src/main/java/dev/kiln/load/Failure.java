package dev.kiln.load;

/** Why a request did not succeed; each request fails at most once. */
enum Failure {
    /** No connection could be made. */
    REFUSED,
    /** The connection broke before an answer began, or was reset within it. */
    RESET,
    /** No complete answer within the load's timeout, connecting included. */
    TIMEOUT,
    /** A complete answer whose status is not 2xx. */
    NON_2XX,
    /** An answer that is not HTTP, was cut short, or lacks the expected text. */
    BAD_BODY
}
