import dev.kiln.cli.Main;
import dev.kiln.stats.LevelShifts;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Nights whose truth is known, judged by the commands of Kiln as somebody types them: {@code compare} and {@code gate} of
 * two nights, and {@code history} of many, looked at as they come.
 */
final class Sessions {
    private static final int RUNS = 5;
    private static final int EARLIER = 12;
    private static final double RUN_SD = 0.01;
    private static final JsonMapper JSON = new JsonMapper();

    private final Path work;
    private final Random random;

    private Sessions(Path work, long seed) {
        this.work = work;
        this.random = new Random(seed);
    }

    public static void main(String[] args) throws IOException {
        Path work = Path.of(args[0]);
        Sessions bench = new Sessions(work, Long.parseLong(args[1]));
        bench.pairs(Integer.parseInt(args[2]));
        bench.rule(2000, Integer.parseInt(args[4]), Integer.parseInt(args[5]));
        bench.histories(Integer.parseInt(args[3]), Integer.parseInt(args[4]), Integer.parseInt(args[5]));
    }

    private static String kiln(int most, String... command) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int exit = Main.run(List.of(command), new PrintWriter(out), new PrintWriter(err));
        if (exit > most || exit == 2) {
            throw new IllegalStateException(String.join(" ", command) + ": " + exit + "\n" + err);
        }
        return out.toString();
    }

    private static JsonNode json(int most, String... command) {
        return JSON.readTree(kiln(most, command));
    }

    private String night(String name, double level) {
        StringBuilder rows = new StringBuilder();
        for (int run = 0; run < RUNS; run++) {
            rows.append(name).append(String.format(
                    Locale.ROOT, "%.3f%n", 1000 * Math.exp(level + RUN_SD * random.nextGaussian())));
        }
        return rows.toString();
    }

    /** Two nights each, and twelve before them. */
    private void pairs(int pairs) throws IOException {
        Path tolerance = Files.writeString(work.resolve("tolerance.yaml"), "peak: 5\n");
        System.out.println("| nights differ by | change | earlier nights | compare: shown % | 95 % interval covers % |"
                + " gate: FAIL % | PASS % |");
        System.out.println("|---|---|---|--:|--:|--:|--:|");
        for (double change : new double[] {0, -0.05, -0.1}) {
            for (double sd : new double[] {0.01, 0.02, 0.03}) {
                int[][] counts = new int[2][4];
                for (int i = 0; i < pairs; i++) {
                    StringBuilder earlier = new StringBuilder("session,peak\n");
                    for (int night = 0; night < EARLIER; night++) {
                        earlier.append(night("n" + night + ",", sd * random.nextGaussian()));
                    }
                    String nights = file("earlier.csv", earlier.toString());
                    String a = file("a.csv", "peak\n" + night("", sd * random.nextGaussian()));
                    String b = file("b.csv", "peak\n" + night("", sd * random.nextGaussian() + Math.log1p(change)));
                    for (int known = 0; known < 2; known++) {
                        judge(counts[known], change, tolerance.toString(), a, b, known == 0 ? "" : nights);
                    }
                }
                for (int known = 0; known < 2; known++) {
                    int[] of = counts[known];
                    System.out.printf(
                            Locale.ROOT,
                            "| %.0f %% | %.0f %% | %s | %s | %.1f | %.1f | %.1f |%n",
                            100 * sd,
                            100 * change,
                            known == 0 ? "none" : EARLIER,
                            known == 0 ? "no word" : String.format(Locale.ROOT, "%.1f", 100.0 * of[0] / pairs),
                            100.0 * of[1] / pairs,
                            100.0 * of[2] / pairs,
                            100.0 * of[3] / pairs);
                    if (known == 0 && of[0] > 0) {
                        throw new IllegalStateException("a word of conclusion without sessions");
                    }
                }
            }
        }
    }

    private void judge(int[] counts, double change, String tolerance, String a, String b, String earlier) {
        List<String> compare = new ArrayList<>(List.of("compare", a, b, "--json", "-"));
        List<String> gate =
                new ArrayList<>(List.of("gate", "--baseline", a, "--tolerance", tolerance, b, "--json", "-"));
        if (!earlier.isEmpty()) {
            compare.addAll(List.of("--sessions", earlier));
            gate.addAll(List.of("--sessions", earlier));
        }
        JsonNode peak = json(0, compare.toArray(String[]::new)).at("/comparisons/0/metrics/0");
        String verdict = peak.path("verdict").asString();
        counts[0] += verdict.equals("higher") || verdict.equals("lower") ? 1 : 0;
        counts[1] += peak.path("lo").asDouble() <= 1 + change && peak.path("hi").asDouble() >= 1 + change ? 1 : 0;
        String decided = json(5, gate.toArray(String[]::new)).path("verdict").asString();
        counts[2] += decided.equals("FAIL") ? 1 : 0;
        counts[3] += decided.equals("PASS") ? 1 : 0;
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(work.resolve(name), text).toString();
    }

    /** The rule of history alone, on so many series that a rate of 5 % is known. */
    private void rule(int count, int nights, int changeAt) {
        System.out.println("\n| correlation of nights | nights differ by | told in " + nights
                + " nights without a change % | delay of -5 %: median, 90 % | of -10 % |");
        System.out.println("|---|---|--:|--:|--:|");
        for (double correlation : new double[] {0, 0.3, 0.5}) {
            for (double sd : new double[] {0.01, 0.02, 0.03}) {
                int wrong = 0;
                for (int i = 0; i < count; i++) {
                    wrong += LevelShifts.of(series(nights, nights, sd, correlation, 0)).told().isEmpty() ? 0 : 1;
                }
                System.out.printf(
                        Locale.ROOT,
                        "| %.1f | %.0f %% | %.1f | %s | %s |%n",
                        correlation,
                        100 * sd,
                        100.0 * wrong / count,
                        delay(count / 4, nights, changeAt, sd, correlation, -0.05),
                        delay(count / 4, nights, changeAt, sd, correlation, -0.1));
            }
        }
    }

    private String delay(int count, int nights, int changeAt, double sd, double correlation, double change) {
        List<Integer> delays = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            delays.add(LevelShifts.of(series(nights, changeAt, sd, correlation, change)).told().stream()
                    .filter(told -> told.since() >= changeAt && told.shift().after() < told.shift().before())
                    .mapToInt(told -> told.since() - changeAt + 1)
                    .min()
                    .orElse(Integer.MAX_VALUE));
        }
        delays.sort(Integer::compare);
        return night(delays.get(count / 2)) + ", " + night(delays.get(count * 9 / 10));
    }

    private double[] series(int nights, int changeAt, double sd, double correlation, double change) {
        double[] out = new double[nights];
        double state = random.nextGaussian();
        for (int night = 0; night < nights; night++) {
            out[night] = 1000 * Math.exp(sd * state) * (night < changeAt ? 1 : 1 + change);
            state = correlation * state + Math.sqrt(1 - correlation * correlation) * random.nextGaussian();
        }
        return out;
    }

    private void histories(int count, int nights, int changeAt) throws IOException {
        System.out.println("\n| correlation of nights | change | series | told without a change % | delay, nights:"
                + " median | 90 % | never told % |");
        System.out.println("|---|---|--:|--:|--:|--:|--:|");
        for (double correlation : new double[] {0, 0.3, 0.5}) {
            for (double change : new double[] {0, -0.05, -0.1}) {
                if (change != 0 && correlation == 0.3) {
                    continue;
                }
                history(count, nights, changeAt, correlation, change);
            }
        }
    }

    private void history(int count, int nights, int changeAt, double correlation, double change) throws IOException {
        int before = 0;
        List<Integer> delays = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Path results = imported(nights, changeAt, correlation, change);
            JsonNode series =
                    json(0, "history", results.toString(), "--metric", "peak", "--json", "-").at("/series/0");
            List<String> times = new ArrayList<>();
            series.path("points").forEach(point -> times.add(point.path("time").asString()));
            if (times.size() != nights) {
                throw new IllegalStateException(times.size() + " of " + nights + " sessions");
            }
            int told = Integer.MAX_VALUE;
            boolean wrong = false;
            for (JsonNode one : series.path("changes")) {
                int since = times.indexOf(one.path("toldSince").asString());
                if (change == 0 || since < changeAt) {
                    wrong = true;
                } else {
                    told = Math.min(told, since - changeAt + 1);
                }
            }
            before += wrong ? 1 : 0;
            delays.add(told);
            delete(results);
        }
        delays.sort(Integer::compare);
        boolean none = change == 0;
        System.out.printf(
                Locale.ROOT,
                "| %.1f | %s | %d | %.1f | %s | %s | %s |%n",
                correlation,
                none ? "none" : String.format(Locale.ROOT, "%.0f %%", 100 * change),
                count,
                100.0 * before / count,
                none ? "" : night(delays.get(count / 2)),
                none ? "" : night(delays.get(count * 9 / 10)),
                none
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                "%.1f",
                                100.0 * delays.stream().filter(d -> d == Integer.MAX_VALUE).count() / count));
    }

    private static String night(int delay) {
        return delay == Integer.MAX_VALUE ? "never" : Integer.toString(delay);
    }

    /** One run a night of 12 s and, after a pause, 12 s: imported as anybody's result files are. */
    private Path imported(int nights, int changeAt, double correlation, double change) throws IOException {
        Path results = Files.createTempDirectory(work, "results");
        double state = random.nextGaussian();
        long start = 1_780_000_000_000L;
        for (int night = 0; night < nights; night++) {
            double level = 0.02 * state + (night < changeAt ? 0 : Math.log1p(change));
            double mean = 1000 * Math.exp(level);
            StringBuilder rows = new StringBuilder("phase,start_ms,end_ms,requests\n");
            for (int s = 0; s < 39; s++) {
                if (s < 12 || s >= 27) {
                    long at = start + night * 86_400_000L + s * 1000L;
                    double rate = mean * (1 - 0.5 * Math.exp(-s / 2.0)) * Math.exp(0.01 * random.nextGaussian());
                    rows.append(s < 12 ? "warmup" : "load").append(',').append(at).append(',').append(at + 1000);
                    rows.append(',').append(Math.round(rate)).append('\n');
                }
            }
            Path in = Files.createDirectories(work.resolve("in"));
            Files.writeString(in.resolve("svc-1.csv"), rows);
            kiln(
                    0,
                    "import",
                    in.toString(),
                    "--name",
                    "nightly",
                    "--results",
                    results.resolve("n" + night).toString(),
                    "--evidence-only");
            state = correlation * state + Math.sqrt(1 - correlation * correlation) * random.nextGaussian();
        }
        return results;
    }

    private static void delete(Path folder) throws IOException {
        try (var all = Files.walk(folder)) {
            for (Path path : all.sorted((x, y) -> y.compareTo(x)).toList()) {
                Files.delete(path);
            }
        }
    }
}
