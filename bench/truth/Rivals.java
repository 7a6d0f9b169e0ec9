import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import tools.jackson.databind.ObjectMapper;

/**
 * What others would say of the same series, in Kiln's words. RIVAL FILE... prints the JSON that {@code Score} reads.
 *
 * <p>They decide when to stop warming up and know no verdicts and no peak. So each is told the peak, the mean of the measuring
 * phase without its first second, and gets the most favourable reading: what it finds steady at 95 % of it is "peaked", lower
 * is "below peak", dead is "stopped", and where it finds nothing steady, or nothing was measured, it "cannot tell".
 */
final class Rivals {
    /** Shares of the peak as in Kiln: at it, and dead. */
    private static final double AT_PEAK = 0.95, DEAD = 0.1;

    /** Seconds whose mean is a level. */
    private static final int LEVEL = 10;

    /** What is read of a rival's answer. {@code Double.NaN} in a time: not within the load. */
    record Answer(String verdict, List<double[]> times) {
        static final List<Integer> PERCENTAGES = List.of(50, 90, 95, 99);
    }

    /** Reads a series. */
    @FunctionalInterface
    interface Rival {
        Answer of(double[] warmup, double peak);
    }

    private static Rival named(String name) {
        return switch (name) {
            case "cov-2" -> (warmup, peak) -> windowed(Windows.cov(warmup, 0.02), Windows.COV_SECONDS, warmup, peak);
            case "cov-5" -> (warmup, peak) -> windowed(Windows.cov(warmup, 0.05), Windows.COV_SECONDS, warmup, peak);
            case "rciw" -> (warmup, peak) -> windowed(Windows.rciw(warmup), Windows.MEMORY, warmup, peak);
            case "kld" -> (warmup, peak) -> windowed(Windows.divergence(warmup), Windows.MEMORY, warmup, peak);
            case "e-divisive" -> Rivals::divided;
            default -> throw new IllegalArgumentException("no rival " + name);
        };
    }

    /**
     * Of a criterion that holds, or not, with what is known at the end of each second. A time is that of the first window that
     * it accepts with 10 s at p % of the peak behind it: somewhere between the start of the window before and its own.
     */
    private static Answer windowed(boolean[] steady, int window, double[] x, double peak) {
        int n = x.length;
        boolean atEnd = steady[n - 1];
        List<double[]> times = new ArrayList<>();
        for (int percent : Answer.PERCENTAGES) {
            double[] time = atEnd ? new double[] {Double.NaN, Double.NaN, Double.NaN} : new double[0];
            for (int end = window; end <= n; end++) {
                if (steady[end - 1] && mean(x, end - LEVEL, end) >= percent / 100.0 * peak) {
                    int start = end - window;
                    time = new double[] {start, Math.max(0, start - window), start};
                    break;
                }
            }
            times.add(time);
        }
        return new Answer(atEnd ? verdict(mean(x, n - LEVEL, n), peak) : "cannot tell", times);
    }

    private static String verdict(double level, double peak) {
        return level < DEAD * peak ? "stopped" : level < AT_PEAK * peak ? "below peak" : "peaked";
    }

    /** Of changepoints: what each segment is, is known; where it begins, to the second. */
    private static Answer divided(double[] x, double peak) {
        List<Integer> starts = Divisive.segments(x);
        int count = starts.size();
        double[] level = new double[count];
        for (int i = 0; i < count; i++) {
            level[i] = mean(x, starts.get(i), i + 1 < count ? starts.get(i + 1) : x.length);
        }
        List<double[]> times = new ArrayList<>();
        for (int percent : Answer.PERCENTAGES) {
            int first = count;
            while (first > 0 && level[first - 1] >= percent / 100.0 * peak) {
                first--;
            }
            double at = first == count ? Double.NaN : starts.get(first);
            times.add(new double[] {at, at, at});
        }
        return new Answer(verdict(starts, level, peak), times);
    }

    private static String verdict(List<Integer> starts, double[] level, double peak) {
        double end = level[level.length - 1];
        int turns = 0;
        for (int i = 2; i < level.length; i++) {
            double before = level[i - 1] / level[i - 2] - 1;
            double now = level[i] / level[i - 1] - 1;
            turns += before * now < 0 && Math.min(Math.abs(before), Math.abs(now)) > 1 - AT_PEAK ? 1 : 0;
        }
        if (end < DEAD * peak) {
            return "stopped";
        }
        if (turns >= 2) {
            return "cycling";
        }
        for (int i = 0; i + 1 < level.length; i++) {
            if (starts.get(i + 1) - starts.get(i) >= 20 && end < AT_PEAK * level[i]) {
                return "slowing";
            }
        }
        return verdict(end, peak);
    }

    static double mean(double[] x, int from, int to) {
        return Arrays.stream(x, from, to).average().orElse(0);
    }

    private static Map<String, Object> json(String file, Answer answer) {
        Map<String, Object> times = new LinkedHashMap<>();
        for (int i = 0; i < answer.times().size(); i++) {
            double[] time = answer.times().get(i);
            if (time.length > 0) {
                Map<String, Object> of = new LinkedHashMap<>();
                of.put("seconds", orNull(time[0]));
                of.put("lo", orNull(time[1]));
                of.put("hi", orNull(time[2]));
                times.put(Integer.toString(Answer.PERCENTAGES.get(i)), of);
            }
        }
        return Map.of("source", file, "verdict", answer.verdict(), "timeToPeak", times);
    }

    private static Object orNull(double value) {
        return Double.isNaN(value) ? null : value;
    }

    public static void main(String[] args) throws IOException {
        Rival rival = named(args[0]);
        List<Object> series = new ArrayList<>();
        for (String file : Arrays.asList(args).subList(1, args.length)) {
            List<String> lines = Files.readAllLines(Path.of(file));
            double[] warmup = phase(lines, "warmup");
            double[] measure = phase(lines, "measure");
            OptionalDouble peak = Arrays.stream(measure).skip(1).average();
            series.add(json(
                    file,
                    peak.isPresent() ? rival.of(warmup, peak.getAsDouble()) : new Answer("cannot tell", List.of())));
        }
        System.out.println(new ObjectMapper().writeValueAsString(Map.of("series", series)));
    }

    private static double[] phase(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name + ","))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .toArray();
    }
}
