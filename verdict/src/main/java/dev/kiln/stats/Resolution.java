package dev.kiln.stats;

import dev.kiln.stats.Estimate.Slack;

/**
 * A Resolution is to what the figures of two sides are known: each to half a bin of its own, either way.
 *
 * @param a bin of the side that is compared with, in the unit; 0 where its figures are exact
 * @param b bin of the other side
 * @param unit of both; blank for plain numbers
 */
public record Resolution(double a, double b, String unit) {
    /** This is the resolution of what is measured, and not counted in bins. */
    public static final Resolution EXACT = new Resolution(0, 0, "");

    /** Returns the slack of the logarithm of the ratio of two geometric means. */
    public Slack ofLogRatio(double ofA, double ofB) {
        double halfOfA = a / 2;
        double halfOfB = b / 2;
        return a == 0 && b == 0
                ? Slack.NONE
                : new Slack(
                        Math.log(ofB / (ofB - halfOfB)) + Math.log((ofA + halfOfA) / ofA),
                        Math.log((ofB + halfOfB) / ofB) + Math.log(ofA / (ofA - halfOfA)));
    }

    /** Returns the slack of a difference. */
    public Slack ofDifference() {
        double both = (a + b) / 2;
        return new Slack(both, both);
    }

    /** Returns the coarser bin with its unit. */
    public String words() {
        return (Figures.number(Math.max(a, b)) + " " + unit).strip();
    }
}
