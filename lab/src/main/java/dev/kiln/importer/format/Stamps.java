package dev.kiln.importer.format;

import dev.kiln.text.Show;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.regex.Pattern;

/** Times as programs print them, to ns. */
public final class Stamps {
    private static final Pattern FORM = Pattern.compile("\\d{1,19}(?:\\.\\d{1,20})?(?:[eE][+-]?\\d{1,2})?");
    private static final BigDecimal MOST = BigDecimal.valueOf(Long.MAX_VALUE / 4);

    private Stamps() {}

    /** ISO 8601, to ns since 1970. */
    public static long iso(Lines lines, String stamp) {
        try {
            Instant time = OffsetDateTime.parse(stamp).toInstant();
            return Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L), time.getNano());
        } catch (DateTimeException | ArithmeticException e) {
            throw lines.malformed("'" + stamp + "' for the time", "a time such as 2026-01-02T03:04:05.678Z");
        }
    }

    /**
     * A decimal figure, without the detour over a float.
     *
     * @param power of ten that one unit has in ns: 9 for seconds, 6 for ms
     */
    public static long nanos(Lines lines, String text, int power) {
        String plain = text.strip();
        if (!FORM.matcher(plain).matches()) {
            throw lines.malformed("'" + Show.brief(plain, 30) + "'", "a time as a number that is not negative");
        }
        BigDecimal nanos = new BigDecimal(plain).movePointRight(power);
        if (nanos.compareTo(MOST) > 0) {
            throw lines.malformed("'" + Show.brief(plain, 30) + "'", "a time before the year 2043");
        }
        return nanos.longValue();
    }
}
