package dev.kiln.importer.program;

import dev.kiln.importer.format.Format;
import dev.kiln.importer.format.Format.ImportedRun;
import dev.kiln.importer.format.Format.ImportedRun.ImportedFacts;
import dev.kiln.importer.format.Lines;
import dev.kiln.importer.format.LoadSource;
import dev.kiln.importer.format.LoadSource.Span;
import dev.kiln.importer.program.Jmh.BenchmarkName;
import dev.kiln.importer.program.Jmh.Iteration;
import dev.kiln.model.KilnException;
import dev.kiln.model.run.Provenance;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A JmhLog reads what JMH prints while it runs. It has the warm-up iterations, which {@code -rf json} has not: a fork is a run,
 * its warm-up the first load and its measurement the one that Kiln takes the peak from.
 */
public final class JmhLog {
    public static final Format FORMAT = new Format(
            "JMH's text log",
            head -> head.line(300, line -> line.startsWith("# JMH version:")),
            new Format.WholeRuns(JmhLog::runs));

    private static final Pattern SETTING =
            Pattern.compile("# (JMH version|Warmup|Measurement|Threads|Benchmark mode|Benchmark|Parameters): (.*)");
    private static final Pattern FORK = Pattern.compile("# (Warmup )?Fork: (.*)");
    private static final Pattern ITERATION = Pattern.compile("(# Warmup )?Iteration\\s+(\\d+): (.*)");
    private static final Pattern EACH = Pattern.compile("\\d+ iterations, (\\d+ \\w+) each.*");
    /** The sign before the error is not ASCII, and comes in any encoding. */
    private static final Pattern SCORE = Pattern.compile(
            "(?:^|\\s)(\\d+(?:[.,]\\d+)?)\\s+(?:\\S{0,3}\\([\\d.,]+%\\)\\s+\\S+\\s+)?(ops/\\w+|\\w+/op)$");

    private static final Pattern PARAMETER = Pattern.compile("([^=,]+?) = (.*?)(?=, [^=,]+? = |$)");

    private final Path file;
    private final Consumer<String> leftOut;
    private final Map<String, String> settings = new LinkedHashMap<>();
    private final Map<String, Integer> forks = new LinkedHashMap<>();
    private final List<ImportedRun> runs = new ArrayList<>();
    private final Set<String> without = new LinkedHashSet<>();
    private final List<Double> warmup = new ArrayList<>();
    private final List<Double> measured = new ArrayList<>();
    private boolean counted;
    private Optional<String> unknown = Optional.empty();

    private JmhLog(Path file, Consumer<String> leftOut) {
        this.file = file;
        this.leftOut = leftOut;
    }

    public static List<ImportedRun> runs(Path file, Consumer<String> leftOut) {
        return new JmhLog(file, leftOut).read();
    }

    private List<ImportedRun> read() {
        try (Lines lines = Lines.of(file)) {
            while (lines.next()) {
                String text = lines.text();
                Matcher setting = SETTING.matcher(text);
                Matcher fork = FORK.matcher(text);
                Matcher iteration = ITERATION.matcher(text);
                if (setting.matches()) {
                    end();
                    settings.put(setting.group(1), setting.group(2).strip());
                    if (setting.group(1).equals("Benchmark")) {
                        // A benchmark without parameters has no line for them.
                        settings.remove("Parameters");
                    }
                } else if (fork.matches()) {
                    end();
                    counted = fork.group(1) == null;
                } else if (iteration.matches() && counted) {
                    score(lines, iteration);
                } else if (text.startsWith("Result ") || text.startsWith("# Run complete")) {
                    end();
                }
            }
        }
        end();
        if (runs.isEmpty()) {
            throw KilnException.usage(
                    without.isEmpty()
                            ? file + " has no iteration of JMH"
                            : without.iterator().next(),
                    "run it with -bm thrpt or -bm avgt, to the end of an iteration");
        }
        without.forEach(leftOut);
        return runs;
    }

    private void score(Lines lines, Matcher iteration) {
        Matcher score = SCORE.matcher(iteration.group(3).strip());
        Optional<String> mode = mode();
        if (mode.isEmpty()) {
            without.add(file + ": " + name("") + " is in JMH's mode '" + settings.getOrDefault("Benchmark mode", "")
                    + "', which has no rate");
        } else if (!score.find()) {
            unknown = Optional.of(lines.place() + ": found '" + iteration.group(3) + "' for a score");
        } else {
            double value = Double.parseDouble(score.group(1).replace(',', '.'));
            (iteration.group(1) != null ? warmup : measured).add(rate(value, score.group(2), mode.get()));
        }
    }

    private double rate(double value, String unit, String mode) {
        double each = Jmh.unit(file, unit, mode);
        return mode.equals("thrpt") ? value * each : threads() * each / value;
    }

    private int threads() {
        Matcher threads = Pattern.compile("(\\d{1,6}) .*").matcher(settings.getOrDefault("Threads", "1 thread"));
        return threads.matches() ? Integer.parseInt(threads.group(1)) : 1;
    }

    private Optional<String> mode() {
        String mode = settings.getOrDefault("Benchmark mode", "");
        return mode.startsWith("Throughput")
                ? Optional.of("thrpt")
                : mode.startsWith("Average time") ? Optional.of("avgt") : Optional.empty();
    }

    private BenchmarkName name(String mode) {
        Map<String, String> parameters = new LinkedHashMap<>();
        String told = settings.getOrDefault("Parameters", "").replaceFirst("^\\((.*)\\)$", "$1");
        Matcher parameter = PARAMETER.matcher(told);
        while (parameter.find()) {
            parameters.put(parameter.group(1).strip(), parameter.group(2));
        }
        return BenchmarkName.of(settings.getOrDefault("Benchmark", "benchmark"), parameters.entrySet(), mode);
    }

    /** Ends a fork. */
    private void end() {
        if (unknown.isPresent()) {
            without.add(unknown.get() + ", which is no figure with three digits: the fork is left out");
        } else if (!warmup.isEmpty() || !measured.isEmpty()) {
            BenchmarkName name = name(mode().orElseThrow());
            int fork = forks.merge(name.full(), 1, Integer::sum);
            runs.add(new ImportedRun(
                    name.folder(), fork, List.of(load(name)), List.of(), List.of(), ImportedFacts.NONE));
        }
        unknown = Optional.empty();
        warmup.clear();
        measured.clear();
    }

    private LoadSource load(BenchmarkName name) {
        List<Iteration> first = iterations("Warmup", warmup);
        List<Iteration> second = iterations("Measurement", measured);
        long middle = Iteration.length(first);
        String what = "JMH " + settings.getOrDefault("JMH version", "") + (name.isFolder() ? "" : ": " + name.full());
        return new LoadSource(
                what,
                new Span(0, middle + Iteration.length(second)),
                false,
                new Provenance.SourceBins(
                        Iteration.usual(first.isEmpty() ? second : first), false, Provenance.SourceKind.ITERATION),
                false,
                false,
                sink -> {
                    Iteration.tell(sink, "warmup", 0, first);
                    Iteration.tell(sink, "iterations", middle, second);
                });
    }

    private List<Iteration> iterations(String what, List<Double> rates) {
        long each = each(what);
        return rates.stream().map(rate -> Iteration.of(rate, each, threads())).toList();
    }

    private long each(String what) {
        Matcher each = EACH.matcher(settings.getOrDefault(what, ""));
        // A phase that does not run has no length.
        return each.matches() ? Jmh.nanos(file, each.group(1)) : 1;
    }
}
