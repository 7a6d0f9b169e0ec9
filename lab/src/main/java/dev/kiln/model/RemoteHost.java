package dev.kiln.model;

import java.util.OptionalLong;

/**
 * The other machine that a target ran on. All times of a run are those of the clock here.
 *
 * @param name as it was given to ssh
 * @param uncertaintyNanos what was recorded there may be so much earlier or later than it says
 * @param driftNanos how much the two clocks moved against each other during the run; empty where the connection was lost
 */
public record RemoteHost(String name, long uncertaintyNanos, OptionalLong driftNanos) {}
