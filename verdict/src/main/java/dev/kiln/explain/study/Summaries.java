package dev.kiln.explain.study;

import dev.kiln.explain.RunResult;
import dev.kiln.explain.VariantResult;
import dev.kiln.model.run.Machine;
import dev.kiln.model.run.RunInfo;
import dev.kiln.model.run.Summary;
import dev.kiln.model.run.Summary.Earlier;
import dev.kiln.model.run.Summary.OfRun;
import dev.kiln.model.run.Summary.VariantSummary;
import dev.kiln.stats.series.Peak;
import dev.kiln.stats.series.TimeToPeak;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Summaries make the summary of an experiment from its result. */
public final class Summaries {
    private final ExperimentResult result;
    private final List<RunInfo> infos;
    private final Optional<Summary> before;

    private Summaries(ExperimentResult result, List<RunInfo> infos, Optional<Summary> before) {
        this.result = result;
        this.infos = infos;
        this.before = before;
    }

    /**
     * Returns the summary of an experiment.
     *
     * @param before the summary that it had; verdicts in it that differ from those of the result are kept as earlier ones
     */
    public static Summary of(ExperimentResult result, List<RunInfo> infos, Optional<Summary> before, String version) {
        return new Summaries(result, infos, before).summary(version);
    }

    private Summary summary(String version) {
        List<VariantSummary> variants =
                result.variants().stream().map(this::variant).toList();
        Optional<PastRun> first =
                infos.stream().flatMap(info -> past(info).stream()).findFirst();
        return new Summary(
                Summary.SCHEMA_VERSION,
                version,
                result.name(),
                first.map(past -> past.setting().protocol()).orElse(""),
                first.map(past -> past.setting().host()).orElse(""),
                Headline.of(result).answer(),
                variants);
    }

    private Optional<PastRun> past(RunInfo info) {
        return result.variants().stream()
                .filter(variant -> variant.name().equals(info.variant()))
                .flatMap(variant -> variant.runs().stream()
                        .filter(run -> run.run() == info.run())
                        .map(run -> PastRun.of(info, variant, run, "", new TreeMap<>())))
                .findFirst();
    }

    private VariantSummary variant(VariantResult variant) {
        List<RunInfo> mine = infos.stream()
                .filter(info -> info.variant().equals(variant.name()))
                .toList();
        List<OfRun> runs = new ArrayList<>();
        for (RunInfo info : mine) {
            variant.runs().stream()
                    .filter(run -> run.run() == info.run())
                    .findFirst()
                    .ifPresent(run -> runs.add(run(run, past(info).orElseThrow())));
        }
        Optional<Peak> peak =
                variant.referencePeak().filter(p -> !variant.valid().isEmpty());
        boolean atLeast = peak.filter(Peak::lowerBound).isPresent();
        return new VariantSummary(
                variant.name(),
                variant.verdict(),
                mine.stream()
                        .flatMap(info -> info.jvm().stream())
                        .map(Machine.JvmInfo::version)
                        .findFirst(),
                peak.map(Peak::value),
                atLeast,
                variant.time(TimeToPeak.HEADLINE)
                        .map(time -> (atLeast && time.seconds().isPresent() ? "\u2265 " : "")
                                + time.words(variant.horizon())),
                runs);
    }

    private OfRun run(RunResult run, PastRun past) {
        String verdict = run.explanation().verdict().text();
        Map<String, Double> figures = new LinkedHashMap<>();
        past.figures().values().forEach((metric, value) -> figures.put(metric.id(), value));
        return new OfRun(
                run.run(), past.epochMillis(), past.seconds(), run.valid(), verdict, earlier(run, verdict), figures);
    }

    private List<Earlier> earlier(RunResult run, String verdict) {
        Optional<OfRun> told = before.flatMap(summary -> summary.run(run.variant(), run.run()));
        List<Earlier> all = new ArrayList<>(told.map(OfRun::earlier).orElse(List.of()));
        told.filter(then -> !then.verdict().equals(verdict))
                .ifPresent(then ->
                        all.add(new Earlier(then.verdict(), before.orElseThrow().kilnVersion())));
        return all;
    }
}
