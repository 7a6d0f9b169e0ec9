package dev.kiln.report.html;

import dev.kiln.report.html.HtmlReport.View;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * An SvgAxes is a small picture with two axes from their lowest to their highest value; colours are those of the page's
 * variants.
 *
 * @param mostX the horizontal axis begins at 0
 * @param under what it counts
 */
public record SvgAxes(double mostX, double lowY, double highY, boolean log, String under) {
    public static final int WIDTH = 560;
    public static final int HEIGHT = 320;

    /** The mark of what is drawn pale. */
    static final String PALE = "\" opacity=\"0.14\"";

    private static final int LEFT = 76;
    private static final int RIGHT = 12;
    private static final int TOP = 10;
    private static final int BOTTOM = 44;

    public static SvgAxes linear(double mostX, double mostY, String under) {
        return new SvgAxes(mostX, 0, mostY, false, under);
    }

    public static SvgAxes logarithmic(double mostX, double lowY, double highY, String under) {
        return new SvgAxes(mostX, lowY / 1.3, highY * 1.3, true, under);
    }

    private double x(double value) {
        return LEFT + (WIDTH - LEFT - RIGHT) * value / mostX;
    }

    private double y(double value) {
        double share = log
                ? (Math.log(value) - Math.log(lowY)) / (Math.log(highY) - Math.log(lowY))
                : (value - lowY) / (highY - lowY);
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share);
    }

    /** Returns a point of a line. */
    public String at(double x, double y) {
        return pixels(x(x)) + "," + pixels(y(y));
    }

    private static String pixels(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static String colour(int index) {
        return "var(--v" + index % View.COLOURS + ")";
    }

    /** @param dashes as SVG has them; empty for a whole line */
    public String line(int colour, String points, String dashes) {
        return "<polyline fill=\"none\" style=\"stroke:" + colour(colour) + "\" stroke-width=\"2\""
                + (dashes.isEmpty() ? "" : " stroke-dasharray=\"" + dashes + "\"") + " points=\"" + points + "\"/>";
    }

    /** Returns an unbroken line in a colour of the page. */
    public String line(String colour, String points) {
        return "<polyline fill=\"none\" style=\"stroke:" + colour + "\" stroke-width=\"2\" points=\"" + points + "\"/>";
    }

    /** Returns a dashed vertical line over the whole height, in a colour of the page. */
    public String edge(String colour, double x) {
        return "<line style=\"stroke:var(--" + colour + ")\" stroke-dasharray=\"3 3\" x1=\"" + pixels(x(x)) + "\" x2=\""
                + pixels(x(x)) + "\" y1=\"" + TOP + "\" y2=\"" + (HEIGHT - BOTTOM) + "\"/>";
    }

    public String dot(int colour, double x, double y, boolean hollow) {
        String fill = hollow ? "var(--bg)" : colour(colour);
        return "<circle cx=\"" + pixels(x(x)) + "\" cy=\"" + pixels(y(y)) + "\" r=\"3.5\" style=\"fill:" + fill
                + ";stroke:" + colour(colour) + "\"/>";
    }

    /** Returns filled dots as one path; each point is written by {@link #at}. */
    public String dots(int colour, List<String> points) {
        return "<path fill=\"none\" stroke-linecap=\"round\" stroke-width=\"8\" style=\"stroke:" + colour(colour)
                + "\" d=\"M" + String.join("h0M", points) + "h0\"/>";
    }

    /** Returns a pale band between two values of the horizontal axis, over the whole height. */
    public String band(int colour, double from, double to) {
        return "<rect x=\"" + pixels(x(from)) + "\" y=\"" + TOP + "\" width=\"" + pixels(Math.max(1, x(to) - x(from)))
                + "\" height=\"" + (HEIGHT - TOP - BOTTOM) + "\" style=\"fill:" + colour(colour)
                + PALE + "/>";
    }

    /** Returns a pale band between two values of the vertical axis, over the whole width. */
    public String level(int colour, double from, double to) {
        double top = y(Math.min(to, highY));
        return "<rect x=\"" + LEFT + "\" y=\"" + pixels(top) + "\" width=\"" + (WIDTH - LEFT - RIGHT) + "\" height=\""
                + pixels(Math.max(1, y(Math.max(from, lowY)) - top)) + "\" style=\"fill:" + colour(colour)
                + PALE + "/>";
    }

    /** Returns a band in a colour of the page between two values of the horizontal axis, over the whole height. */
    public String shade(String colour, double from, double to) {
        return "<rect x=\"" + pixels(x(from)) + "\" y=\"" + TOP + "\" width=\"" + pixels(x(to) - x(from))
                + "\" height=\"" + (HEIGHT - TOP - BOTTOM) + "\" style=\"fill:var(--" + colour + ")\"/>";
    }

    /** Returns a text in the colour of a variant, centred just above a point, or just below it. */
    public String label(int colour, double x, double y, boolean below, String text) {
        return "<text x=\"" + pixels(x(x)) + "\" y=\"" + pixels(y(y) + (below ? 14 : -5))
                + "\" text-anchor=\"middle\" style=\"font-weight:600;fill:" + colour(colour) + "\">"
                + Html.escape(text) + "</text>";
    }

    /** Returns a text centred just above the horizontal axis. */
    public String foot(double x, String text) {
        return text(x(x), HEIGHT - BOTTOM - 8, "middle", text);
    }

    public String svg(String marks, String label) {
        StringBuilder out = new StringBuilder("<svg viewBox=\"0 0 " + WIDTH + " " + HEIGHT
                + "\" role=\"img\" aria-label=\"" + Html.escape(label) + "\">");
        for (double tick : log ? decades() : steps(highY, 5)) {
            out.append("<line class=\"grid\" x1=\"" + LEFT + "\" x2=\"" + (WIDTH - RIGHT) + "\" y1=\"" + pixels(y(tick))
                            + "\" y2=\"" + pixels(y(tick)) + "\"/>")
                    .append(text(LEFT - 8, y(tick) + 4, "end", number(tick)));
        }
        for (double tick : steps(mostX, 8)) {
            out.append(text(x(tick), HEIGHT - BOTTOM + 18, "middle", number(tick)));
        }
        out.append("<line class=\"axis\" x1=\"" + LEFT + "\" x2=\"" + (WIDTH - RIGHT) + "\" y1=\"" + (HEIGHT - BOTTOM)
                + "\" y2=\"" + (HEIGHT - BOTTOM) + "\"/>");
        out.append(text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 4, "middle", under));
        return out.append(marks).append("</svg>\n").toString();
    }

    private static String text(double x, double y, String anchor, String text) {
        return "<text x=\"" + pixels(x) + "\" y=\"" + pixels(y) + "\" text-anchor=\"" + anchor + "\">"
                + Html.escape(text) + "</text>";
    }

    /** Returns the figure beside a tick: a million has no room for its zeros. */
    static String number(double value) {
        return value >= 1e6
                ? Show.plain(Math.round(value / 1e3) / 1e3) + " M"
                : value >= 1000 ? Show.whole(value) : Show.plain(Math.round(value * 1000) / 1000.0);
    }

    /** Returns 1, 2 or 5 times a power of ten, about as many of which are in a length as wanted. */
    static double step(double length, int wanted) {
        double rough = length / wanted;
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        return rough <= power ? power : rough <= 2 * power ? 2 * power : rough <= 5 * power ? 5 * power : 10 * power;
    }

    /** Returns multiples of 1, 2 or 5 times a power of ten, about as many as wanted. */
    private static List<Double> steps(double most, int wanted) {
        double step = step(most, wanted);
        List<Double> ticks = new ArrayList<>();
        for (int k = 0; k * step <= most; k++) {
            ticks.add(k * step);
        }
        return ticks;
    }

    /** Returns 1, 2 and 5 times each power of ten between the ends; only the powers if those would be too many. */
    List<Double> decades() {
        List<Double> ticks = new ArrayList<>();
        boolean wide = highY / lowY > 1000;
        for (double power = Math.pow(10, Math.floor(Math.log10(lowY))); power <= highY; power *= 10) {
            for (double of : wide ? new double[] {1} : new double[] {1, 2, 5}) {
                if (of * power >= lowY && of * power <= highY) {
                    ticks.add(of * power);
                }
            }
        }
        return ticks;
    }
}
