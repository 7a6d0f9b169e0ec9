package dev.kiln.plan.load;

import dev.kiln.model.load.Sending.Arrivals;
import dev.kiln.model.load.Shape;
import dev.kiln.plan.text.DurationText;
import dev.kiln.plan.text.Problems.BadValue;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** ShapeText reads loads that change: {@code ramp=0-200/30s}, {@code steps=100-500rps/5x20s}. */
public final class ShapeText {
    private static final String RAMP = "FROM-TO/DURATION such as 0-200/30s (connections), 0-500rps/30s or 0-100%/30s";
    private static final String STEPS =
            "FROM-TO/NUMBERxDURATION such as 50-200/4x15s, 100-500rps/5x20s or 25-100%/4x15s";
    private static final String SLOW_START =
            "a window, and if you like aggression and least share, such as 60s or 60s:1.5:10%";

    private static final Pattern RANGE = Pattern.compile(
            "(\\d{1,9}(?:\\.\\d+)?)\\s*-\\s*(\\d{1,9}(?:\\.\\d+)?)\\s*(rps|%)?\\s*/\\s*(?:(\\d{1,4})\\s*x)?(.+)");
    private static final Pattern WINDOW =
            Pattern.compile("([^:]+)(?::\\s*(\\d{1,3}(?:\\.\\d+)?)\\s*(?::\\s*(\\d{1,3}(?:\\.\\d+)?)\\s*%\\s*)?)?");

    /** The least share of a slow start is the default of Envoy and Istio. */
    private static final double LEAST_PERCENT = 10;

    /** A Shaped is a shape and the length of its phase. */
    record Shaped(Shape shape, Duration duration) {}

    private ShapeText() {}

    /** Returns the form of the text behind an entry of this kind, in words for a message. */
    static String expected(String kind) {
        return switch (kind) {
            case "ramp" -> RAMP;
            case "steps" -> STEPS;
            case "slow-start" -> SLOW_START;
            default -> DurationText.EXPECTED;
        };
    }

    static Shaped parse(String kind, String text) {
        return kind.equals("slow-start") ? slowStart(text) : range(kind, text);
    }

    private static Shaped range(String kind, String text) {
        boolean steps = kind.equals("steps");
        Matcher words = RANGE.matcher(text.strip());
        if (!words.matches() || (words.group(4) != null) != steps) {
            throw bad(kind, text);
        }
        Shape.Of of = words.group(3) == null
                ? Shape.Of.CONNECTIONS
                : words.group(3).equals("%") ? Shape.Of.SHARE : Shape.Of.RATE;
        double unit = of == Shape.Of.SHARE ? 100 : 1;
        double from = Double.parseDouble(words.group(1)) / unit;
        double to = Double.parseDouble(words.group(2)) / unit;
        boolean whole = from == Math.rint(from) && to == Math.rint(to);
        if (Math.max(from, to) == 0 || (of == Shape.Of.CONNECTIONS && !whole)) {
            throw bad(kind, text);
        }
        Duration each = DurationText.parse(words.group(5));
        if (!steps) {
            return new Shaped(Shape.ramp(of, from, to), each);
        }
        int number = Integer.parseInt(words.group(4));
        if (number < 2) {
            throw bad(kind, text);
        }
        return new Shaped(Shape.steps(of, from, to, number), each.multipliedBy(number));
    }

    private static Shaped slowStart(String text) {
        Matcher words = WINDOW.matcher(text.strip());
        if (!words.matches()) {
            throw bad("slow-start", text);
        }
        double aggression = words.group(2) == null ? 1 : Double.parseDouble(words.group(2));
        double least = words.group(3) == null ? LEAST_PERCENT : Double.parseDouble(words.group(3));
        if (aggression <= 0 || least > 100) {
            throw bad("slow-start", text);
        }
        return new Shaped(Shape.slowStart(aggression, least / 100), DurationText.parse(words.group(1)));
    }

    private static BadValue bad(String kind, String text) {
        return BadValue.of("'" + text.strip() + "'", expected(kind));
    }

    /** Reads {@code even} or {@code poisson}. */
    public static Arrivals arrivals(String text) {
        return Arrays.stream(Arrivals.values())
                .filter(each -> name(each).equals(text.strip().toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> BadValue.of("'" + text + "'", arrivals()));
    }

    static String arrivals() {
        return Arrays.stream(Arrivals.values()).map(ShapeText::name).collect(Collectors.joining(" or "));
    }

    private static String name(Arrivals arrivals) {
        return arrivals.name().toLowerCase(Locale.ROOT);
    }
}
