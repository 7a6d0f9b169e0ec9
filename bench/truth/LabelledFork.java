import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * A LabelledFork is one fork of a public JMH benchmark, with what its authors say of it: L. Traini, V. Cortellessa, D. Di Pompeo,
 * M. Tucci, "Towards effective assessment of steady state performance in Java software: Are we there yet?", Empirical Software
 * Engineering 28 (2023). Places in it are iterations, from 0.
 *
 * @param benchmark name of its file, without the ending
 * @param times mean seconds of an operation, by iteration
 * @param ofBenchmark label of all its forks together
 * @param steady whether the fork has a steady state
 * @param start iteration from which on it is steady; -1 without a steady state
 * @param segments last iterations of the segments between changepoints
 * @param stops iterations at which others would begin to measure, by their names
 */
record LabelledFork(
        String benchmark,
        int fork,
        double[] times,
        String ofBenchmark,
        boolean steady,
        int start,
        List<Integer> segments,
        Map<String, Integer> stops) {
    /** A fork is steady if it is so from here on at the latest: their rule. What follows is the load that shows the peak. */
    static final int MEASURED = 2500;

    /** Each iteration ran operations until it had lasted this long. */
    static final double ITERATION = 0.1;

    /** Stopping criteria of C. Laaber et al. (ESEC/FSE 2020) as the authors ran them, and what the benchmarks' developers set. */
    private static final Map<String, String> OTHERS = others();

    private static final ObjectMapper JSON = new ObjectMapper();

    private static Map<String, String> others() {
        Map<String, String> others = new LinkedHashMap<>();
        others.put("CoV", "dynconfig/Cov");
        others.put("RCIW", "dynconfig/Ci");
        others.put("KLD", "dynconfig/Divergence");
        others.put("developers", "devconfig");
        return others;
    }

    static List<String> rivals() {
        return List.copyOf(OTHERS.keySet());
    }

    /** Lists the benchmarks that both checkouts have, in the order of their names. */
    static List<String> benchmarks(Path folder) throws IOException {
        try (var files = Files.list(folder.resolve("icpe-data-challenge-jmh/timeseries"))) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".json"))
                    .map(name -> name.substring(0, name.length() - ".json".length()))
                    .filter(name -> Files.exists(data(folder, "classification", name)))
                    .sorted()
                    .toList();
        }
    }

    private static Path data(Path folder, String what, String benchmark) {
        return folder.resolve("steady-state/data").resolve(what).resolve(benchmark + ".json");
    }

    /** Reads the forks of a benchmark. */
    static List<LabelledFork> of(Path folder, String benchmark) throws IOException {
        JsonNode series = JSON.readTree(Files.readString(
                folder.resolve("icpe-data-challenge-jmh/timeseries").resolve(benchmark + ".json")));
        JsonNode label = JSON.readTree(Files.readString(data(folder, "classification", benchmark)));
        JsonNode changes = JSON.readTree(Files.readString(data(folder, "changepoints", benchmark)));
        Map<String, JsonNode> stops = new LinkedHashMap<>();
        for (Map.Entry<String, String> other : OTHERS.entrySet()) {
            stops.put(other.getKey(), JSON.readTree(Files.readString(data(folder, other.getValue(), benchmark))));
        }
        List<LabelledFork> forks = new ArrayList<>();
        for (int fork = 0; fork < series.size(); fork++) {
            List<Integer> segments = new ArrayList<>();
            changes.path(fork).forEach(change -> segments.add(change.asInt()));
            Map<String, Integer> stopped = new TreeMap<>();
            for (Map.Entry<String, JsonNode> stop : stops.entrySet()) {
                // The last iteration of its warm-up, and the last that it measures.
                JsonNode last = stop.getValue().path(fork).path(0);
                if (last.isNumber()) {
                    stopped.put(stop.getKey(), last.asInt() + 1);
                }
            }
            int last = label.path("steady_state_starts").path(fork).asInt();
            forks.add(new LabelledFork(
                    benchmark,
                    fork,
                    series.path(fork).valueStream().mapToDouble(JsonNode::asDouble).toArray(),
                    label.path("run").asString(),
                    label.path("forks").path(fork).asString().equals("steady state"),
                    last > 0 ? last + 1 : last,
                    segments,
                    stopped));
        }
        return forks;
    }

    /** Returns the kind in words: a steady fork began so, or what came before it was slower, or faster. */
    String kind() {
        if (!steady) {
            return "no steady state";
        }
        if (start == 0) {
            return "steady from its first iteration";
        }
        int from = segments.stream().filter(last -> last + 1 < start).mapToInt(last -> last + 1).max().orElse(0);
        return mean(from, start) > mean(start, times.length) ? "warm-up" : "slowdown";
    }

    private double mean(int from, int to) {
        return Arrays.stream(times, from, to).average().orElseThrow();
    }

    /** Returns how long the iterations before this one took, in seconds: each ran whole operations. */
    double seconds(int iteration) {
        return Arrays.stream(times, 0, Math.min(iteration, times.length))
                .map(time -> Math.ceil(ITERATION / time) * time).sum();
    }

    /** Tells whether the hundred iterations from here on take as long as the last ones, within 5 % on the average. */
    boolean level(int from) {
        int begin = Math.min(from, times.length - 100);
        return Math.abs(mean(begin, begin + 100) / mean(MEASURED, times.length) - 1) <= 0.05;
    }

    /** Returns the speed of each iteration, with that of the last ones 1. */
    double[] speeds() {
        double level = mean(MEASURED, times.length);
        return Arrays.stream(times).map(time -> level / time).toArray();
    }

    /** Returns the log that JMH would have printed of these forks, had it been told where to begin to measure. */
    static String log(List<LabelledFork> forks) {
        int measured = forks.getFirst().times.length - MEASURED;
        StringBuilder log = new StringBuilder("""
                # JMH version: 1.21
                # Warmup: %d iterations, 100 ms each
                # Measurement: %d iterations, 100 ms each
                # Threads: 1 thread, will synchronize iterations
                # Benchmark mode: Average time, time/op
                # Benchmark: %s
                """.formatted(MEASURED, measured, forks.getFirst().benchmark.replaceAll("[^A-Za-z0-9.]", "_")));
        for (LabelledFork fork : forks) {
            log.append("# Fork: ").append(fork.fork + 1).append(" of ").append(forks.size()).append('\n');
            for (int i = 0; i < fork.times.length; i++) {
                log.append(i < MEASURED ? "# Warmup Iteration " : "Iteration ")
                        .append(i < MEASURED ? i + 1 : i - MEASURED + 1)
                        .append(": ")
                        .append(java.math.BigDecimal.valueOf(fork.times[i] * 1e9).toPlainString())
                        .append(" ns/op\n");
            }
        }
        return log.toString();
    }
}
