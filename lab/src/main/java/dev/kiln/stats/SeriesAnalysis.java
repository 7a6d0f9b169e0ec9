package dev.kiln.stats;

/** What one series says by itself. */
public sealed interface SeriesAnalysis permits Analysed, NotEnoughData {
    /** Length of the series. */
    int bins();

    /** Served over the whole series; needs no peak. */
    double requests();
}
