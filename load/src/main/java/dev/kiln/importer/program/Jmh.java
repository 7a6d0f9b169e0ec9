package dev.kiln.importer.program;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Format.ImportedRun;
import dev.kiln.importer.format.Format.ImportedRun.ImportedFacts;
import dev.kiln.importer.format.Json;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.LoadSource.LoadSink;
import dev.kiln.importer.format.LoadSource.LoadSink.LoadRow;
import dev.kiln.importer.format.LoadSource.LoadSink.RowLatencies;
import dev.kiln.importer.format.LoadSource.Span;
import dev.kiln.model.KilnException;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Provenance;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import tools.jackson.databind.JsonNode;

/** Jmh reads {@code -rf json} without warm-up: a fork is a run, an iteration a bin of operations a second. */
public final class Jmh {
    /** Of old it did not tell its version. */
    public static final Format FORMAT = new Format(
            "JMH's -rf json",
            head -> head.json("\"jmhVersion\":") || head.json("\"benchmark\":", "\"mode\":", "\"primaryMetric\":{"),
            new Format.WholeRuns(Jmh::runs));

    /** JMH's {@code TimeValue} prints itself in this form, whichever unit the option had. */
    private static final Pattern TIME = Pattern.compile("(\\d{1,9}) (ns|us|ms|s|min|hr|day)");

    private static final long DAY = 86_400_000_000_000L;

    /** Operations of an iteration must fit a count. */
    private static final double MOST = 1e18;

    private Jmh() {}

    public static List<ImportedRun> runs(Path file, Consumer<String> leftOut) {
        JsonNode root = Json.read(file);
        if (!root.isArray()) {
            throw wrong(file, "not a list of benchmarks");
        }
        List<ImportedRun> runs = new ArrayList<>();
        Set<String> without = new LinkedHashSet<>();
        Map<String, Set<Integer>> threads = new HashMap<>();
        root.forEach(
                benchmark -> threads.computeIfAbsent(BenchmarkName.of(benchmark).full(), name -> new HashSet<>())
                        .add(threads(benchmark)));
        for (JsonNode benchmark : root) {
            BenchmarkName own = BenchmarkName.of(benchmark);
            BenchmarkName name = threads.getOrDefault(own.full(), Set.of()).size() > 1
                    ? new BenchmarkName(own.full() + "-threads=" + threads(benchmark))
                    : own;
            String mode = benchmark.path("mode").asString("");
            if (mode.equals("thrpt") || mode.equals("avgt")) {
                List<ImportedRun> forks = forks(file, benchmark, mode, name);
                runs.addAll(forks);
                if (forks.isEmpty()) {
                    without.add(file + ": " + name.full() + " has no score of an iteration (rawData)");
                }
            } else {
                without.add(file + ": " + name.full() + " is in JMH's mode '" + mode + "', which has no rate");
            }
        }
        if (runs.isEmpty() && !without.isEmpty()) {
            throw KilnException.usage(
                    without.iterator().next()
                            + (without.size() > 1 ? "; so it is with " + (without.size() - 1) + " more" : ""),
                    "run it with -bm thrpt or -bm avgt and a JMH that writes rawData");
        }
        without.forEach(leftOut);
        return runs;
    }

    private static int threads(JsonNode benchmark) {
        return Math.max(1, benchmark.path("threads").asInt(1));
    }

    private static List<ImportedRun> forks(Path file, JsonNode benchmark, String mode, BenchmarkName name) {
        JsonNode metric = benchmark.path("primaryMetric");
        // JMH adds up the throughput of its threads, and takes the mean of their times.
        int threads = threads(benchmark);
        long nanos = nanos(file, benchmark.path("measurementTime").asString(""));
        double unit = unit(file, metric.path("scoreUnit").asString(""), mode);
        List<ImportedRun> runs = new ArrayList<>();
        for (JsonNode fork : metric.path("rawData")) {
            List<Iteration> iterations = new ArrayList<>();
            for (JsonNode score : fork) {
                double value = score.asDouble(Double.NaN);
                double rate = (mode.equals("thrpt") ? value : threads / value) * unit;
                if (!(rate >= 0) || rate * nanos / 1e9 > MOST) {
                    throw wrong(file, "a score of " + score);
                }
                iterations.add(Iteration.of(rate, nanos, threads));
            }
            if (!iterations.isEmpty()) {
                String what = ("JMH " + benchmark.path("jmhVersion").asString("")).strip();
                runs.add(new ImportedRun(
                        name.folder(),
                        runs.size() + 1,
                        List.of(load(name.isFolder() ? what : what + ": " + name.full(), iterations)),
                        List.of(),
                        List.of(),
                        ImportedFacts.NONE));
            }
        }
        return runs;
    }

    /** Makes the source of one fork: its iterations, one after the other. */
    private static LoadSource load(String what, List<Iteration> iterations) {
        Provenance.SourceBins bins =
                new Provenance.SourceBins(Iteration.usual(iterations), false, Provenance.SourceKind.ITERATION);
        Span span = new Span(0, Iteration.length(iterations));
        return new LoadSource(
                what, span, false, bins, false, false, sink -> Iteration.tell(sink, "iterations", 0, iterations));
    }

    /**
     * An Iteration is how many operations it ran, and how long they took. JMH runs whole operations until the time is over: one
     * of 700 ms in an iteration of 100 ms takes 700 ms, and is neither none nor one in 100 ms. Each thread does so by itself.
     */
    record Iteration(long operations, long nanos) {
        /** Of so many operations or more, one more or less does not matter. */
        private static final int MANY = 1000;

        private static final double ROUNDED = 1e-3;

        /** Makes the iteration of so many operations per second, asked-for ns and threads. */
        static Iteration of(double rate, long nanos, int threads) {
            double asked = rate * nanos / 1e9;
            // A rate is printed with few digits: what is nearly whole is whole.
            long whole = threads * Math.max(1, (long) Math.ceil(asked / threads - ROUNDED));
            double longer = whole * 1e9 / rate;
            return asked >= MANY || longer > DAY
                    ? new Iteration(Math.round(asked), nanos)
                    : new Iteration(whole, Math.max(1, Math.round(longer)));
        }

        /** Returns the length in the middle. */
        static long usual(List<Iteration> iterations) {
            return iterations.stream()
                    .map(Iteration::nanos)
                    .sorted()
                    .skip(iterations.size() / 2)
                    .findFirst()
                    .orElse(1L);
        }

        static long length(List<Iteration> iterations) {
            return iterations.stream().mapToLong(Iteration::nanos).sum();
        }

        /** Tells iterations one after the other, as a phase; none are no phase. */
        static void tell(LoadSink sink, String phase, long from, List<Iteration> iterations) {
            if (iterations.isEmpty()) {
                return;
            }
            sink.phase(phase, from);
            long at = from;
            for (Iteration one : iterations) {
                sink.row(new LoadRow(
                        at, at + one.nanos, one.operations, one.operations, LoadBin.Errors.NONE, RowLatencies.NONE));
                at += one.nanos;
            }
            sink.end(at);
        }
    }

    /** Returns what one unit of the score is in operations a second. */
    static double unit(Path file, String scoreUnit, String mode) {
        String time = scoreUnit.replace("ops/", "").replace("/op", "");
        double seconds = switch (time) {
            case "ns" -> 1e-9;
            case "us" -> 1e-6;
            case "ms" -> 1e-3;
            case "s" -> 1;
            case "min" -> 60;
            case "hr" -> 3600;
            case "day" -> 86_400;
            default -> throw wrong(file, "the unit '" + scoreUnit + "' in mode " + mode);
        };
        return 1 / seconds;
    }

    static long nanos(Path file, String time) {
        Matcher form = TIME.matcher(time);
        if (!form.matches() || Long.parseLong(form.group(1)) == 0) {
            throw wrong(file, "'" + time + "' for measurementTime");
        }
        long unit = switch (form.group(2)) {
            case "ns" -> 1L;
            case "us" -> 1_000L;
            case "ms" -> 1_000_000L;
            case "s" -> 1_000_000_000L;
            case "min" -> 60_000_000_000L;
            case "hr" -> 3_600_000_000_000L;
            default -> DAY;
        };
        long count = Long.parseLong(form.group(1));
        // Of iterations no longer than a day, a hundred thousand fit into a long.
        if (count > DAY / unit) {
            throw wrong(file, "'" + time + "' for measurementTime");
        }
        return count * unit;
    }

    private static KilnException wrong(Path file, String found) {
        return KilnException.usage(file + ": found " + found + ", expected JMH's results", "write them with -rf json");
    }

    /** A BenchmarkName is a benchmark with its parameters as JMH has it, and its short form for files. */
    record BenchmarkName(String full) {
        /** File systems allow 255 bytes; tables want fewer. */
        private static final int LONGEST = 100;

        /** Returns the name of a result in JMH's JSON; mean times are distinguished from throughput. */
        static BenchmarkName of(JsonNode benchmark) {
            return of(
                    benchmark.path("benchmark").asString("benchmark"),
                    benchmark.path("params").properties().stream()
                            .map(parameter -> Map.entry(
                                    parameter.getKey(), parameter.getValue().asString("")))
                            .toList(),
                    benchmark.path("mode").asString(""));
        }

        static BenchmarkName of(String benchmark, Iterable<Map.Entry<String, String>> parameters, String mode) {
            StringBuilder name = new StringBuilder(benchmark);
            for (Map.Entry<String, String> parameter : parameters) {
                name.append('-').append(parameter.getKey()).append('=').append(parameter.getValue());
            }
            return new BenchmarkName(
                    name.append(mode.equals("avgt") ? "-avgt" : "").toString());
        }

        @Override
        public String toString() {
            return full;
        }

        boolean isFolder() {
            return folder().equals(full);
        }

        /** Returns letters, digits and some signs, with a check sum of all of it where that lost something. */
        String folder() {
            String plain = full.replaceAll("[^A-Za-z0-9._=+-]", "_");
            if (plain.equals(full) && full.length() <= LONGEST && !full.startsWith(".")) {
                return full;
            }
            CRC32 sum = new CRC32();
            sum.update(full.getBytes(StandardCharsets.UTF_8));
            String begin = plain.length() <= LONGEST - 9 ? plain : plain.substring(0, LONGEST - 9);
            return String.format(Locale.ROOT, "%s.%08x", begin, sum.getValue());
        }
    }
}
