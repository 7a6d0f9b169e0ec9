package dev.kiln.importer.format;

import dev.kiln.text.Show;
import java.time.ZoneOffset;

/** Stamps reads times as programs print them, in ns. */
public final class Stamps {
    private Stamps() {}

    /** Reads a time in ISO 8601, in ns since 1970. */
    public static long iso(Lines lines, String stamp) {
        return TimeText.nanos(stamp, "iso", ZoneOffset.UTC)
                .orElseThrow(() -> lines.malformed(
                        "'" + Show.brief(stamp, 30) + "' for the time", "a time such as 2026-01-02T03:04:05.678Z"));
    }

    /**
     * A decimal figure, without the detour over a float.
     *
     * @param power of ten that one unit has in ns: 9 for seconds, 6 for ms
     */
    public static long nanos(Lines lines, String text, int power) {
        String unit = switch (power) {
            case 9 -> "s";
            case 6 -> "ms";
            case 3 -> "us";
            default -> "ns";
        };
        return TimeText.nanos(text, unit, ZoneOffset.UTC)
                .orElseThrow(() -> lines.malformed(
                        "'" + Show.brief(text.strip(), 30) + "'", "a time as a number that is not negative"));
    }
}
