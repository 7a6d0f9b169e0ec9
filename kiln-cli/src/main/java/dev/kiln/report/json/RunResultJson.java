package dev.kiln.report.json;

import dev.kiln.explain.CallResult;
import dev.kiln.explain.Inside;
import dev.kiln.explain.Inside.Hot;
import dev.kiln.explain.Inside.InsideClosing;
import dev.kiln.explain.ResponseTimes;
import dev.kiln.explain.RunResult;
import dev.kiln.explain.ServedLoad;
import dev.kiln.explain.window.WindowStatistics;
import dev.kiln.model.load.Latency.PhaseLatency;
import dev.kiln.model.load.LoadBin;
import dev.kiln.model.run.Provenance;
import dev.kiln.report.JsonOut;
import dev.kiln.report.json.ExplanationJson.BudgetJson;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToLongFunction;

/** A RunResultJson is one run of {@code result.json}, in seconds; null where there is nothing to say. */
record RunResultJson(JsonOut out) {
    void write(RunResult run) {
        out.integer("run", run.run());
        out.integer("block", run.block());
        out.flag("valid", run.valid());
        out.texts("invalidReasons", run.invalidReasons());
        new ExplanationJson(out).verdict(run.explanation());
        SeriesJson series = new SeriesJson(out, run.series());
        series.intervals("timeToPeak", run.series().times());
        series.intervals("timeToOwnEnd", run.series().ownTimes());
        series.times("timeToReferencePeak", run.series().times());
        series.intervals("timeToReferencePeakInterval", run.series().times());
        series.write();
        out.integer("requests", run.requests());
        errors(run.errors());
        run.responses().ifPresent(this::responses);
        out.some("hung", run.served().hung(), hung -> {
            out.integer("requests", hung.count());
            out.number("longestSeconds", hung.oldestNanos() / 1e9, 3);
        });
        out.some("calls", run.calls(), this::call);
        out.some("handshakes", run.served().handshakes(), made -> {
            out.integer("count", made.count());
            out.number("meanSeconds", made.meanSeconds(), 6);
            out.number("maxSeconds", made.maxSeconds(), 6);
        });
        out.number("cpuPerRequestMicros", run.cpuPerRequestMicros(), 2);
        out.number("endOfWarmup", run.endOfWarmup(), 2);
        start(run);
        out.some("peakSearch", run.served().searchEnd(), end -> {
            out.integer("rounds", run.served().searchRounds());
            // A search of an earlier Kiln is judged by the rules of today.
            out.text(
                    "end",
                    end.shownBy(run.series().fell(), run.series().servedLess()).name());
        });
        out.objects("phases", run.phases(), this::phase);
        out.object("observed", () -> observed(run.observed()));
        new ExplanationJson(out).replicas(run.replicas());
        new BudgetJson(out).write(run.budgets());
        inside(run.curves().inside());
        new ExplanationJson(out).findings(run.explanation());
        out.texts("warnings", run.notes());
        out.some("provenance", run.caveats().provenance(), this::provenance);
    }

    private void start(RunResult run) {
        out.number("firstResponseSeconds", run.since().firstResponse(), 3);
        out.number("startSeconds", run.since().ready(), 3);
        run.since().boostEnd().ifPresent(end -> out.number("boostEndSeconds", end, 3));
        out.some("startupPhases", run.since().phases(), phase -> {
            out.text("name", phase.name());
            out.number("millis", phase.nanos() / 1e6, 3);
        });
    }

    private void inside(Inside inside) {
        out.some("c2Work", inside.jit().c2Work(), library -> {
            out.text("library", library.library());
            out.integer("compilations", library.compilations());
            out.integer("again", library.again());
            out.number("seconds", library.nanos() / 1e9, 3);
            out.text("longestMethod", library.longestMethod());
            out.number("longestSeconds", library.longestNanos() / 1e9, 3);
        });
        out.some("hotMethods", inside.code().hot(), method -> {
            samples(method);
            out.flag("slowAtEnd", method.slow());
        });
        out.some("closingRecording", inside.closing(), closing -> {
            out.text("file", InsideClosing.FILE);
            out.number("fromSecond", closing.second(), 3);
            out.objects("hotMethods", closing.hot(), this::samples);
        });
    }

    private void samples(Hot method) {
        out.text("method", method.method());
        out.integer("interpreted", method.interpreted());
        out.integer("c1", method.c1());
        out.integer("c2", method.c2());
        out.integer("level", method.level());
    }

    private void call(CallResult call) {
        SeriesJson series = new SeriesJson(out, call.series());
        out.text("name", call.name());
        out.integer("requests", call.load().requests());
        out.integer("errors", call.load().errors());
        SeriesJson.peak(out, call.series().peak());
        out.text("whyNoPeak", call.whyNoPeak());
        series.times("timeToReferencePeak", call.series().times());
        series.intervals("timeToReferencePeakInterval", call.series().times());
        series.deficit();
        out.object("endOfWarmup", () -> percentiles(call.load().endOfWarmup()));
        out.object("afterPause", () -> percentiles(call.load().afterPause()));
    }

    private void percentiles(CallResult.Percentiles times) {
        out.number("p50Millis", times.p50Millis(), 3);
        out.number("p99Millis", times.p99Millis(), 3);
    }

    private void responses(ResponseTimes times) {
        if (times.rate().isPresent()) {
            out.object("openLoop", () -> {
                out.number("rate", times.rate(), 3);
                out.flag("allServed", times.allServed());
                times.unserved().ifPresent(none -> {
                    out.integer("unsent", none.unsent());
                    out.integer("unfinished", none.unfinished());
                    out.integer("resent", none.resent());
                    out.number("maxLagSeconds", none.maxLagNanos() / 1e9, 6);
                });
                out.number("drainedSeconds", times.drainedSeconds(), 3);
                out.some("p50", times.p50(), this::settled);
                out.some("p99", times.p99(), this::settled);
                out.objects("beginnings", times.beginnings(), first -> {
                    out.integer("seconds", first.seconds());
                    out.number("p99Millis", finite(first.p99Millis()), 3);
                });
            });
        }
        out.some("slo", times.kept(), kept -> {
            out.text("latency", kept.slo().text());
            out.number("metFromSecond", kept.metFrom().seconds(), 3);
            SeriesJson.time(out, "metFromInterval", kept.metFrom());
            out.integer("secondsMissedAfter", kept.missedAfter());
            out.integer("requestsBeyond", kept.requestsBeyond());
        });
    }

    private void settled(ResponseTimes.Settled settled) {
        SeriesJson.estimate(out, "levelMillis", "value", Optional.of(settled.levelMillis()), 3);
        out.text("levelOf", settled.ofMeasured() ? "load after the pause" : "end of the warm-up");
        SeriesJson.time(out, "atLevel", settled.time());
        out.number("aboveTwiceSeconds", settled.twiceSeconds(), 3);
    }

    private static OptionalDouble finite(double value) {
        return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
    }

    private void provenance(Provenance foreign) {
        out.texts("sources", foreign.sources());
        out.number("binSeconds", foreign.bins().nanos() / 1e9, 6);
        out.text("bins", foreign.bins().kind().name().toLowerCase(Locale.ROOT));
        out.flag("byStart", foreign.bins().byStart());
        out.flag("quantised", foreign.quantised());
        out.flag("errorsFromFirstAnswer", foreign.errorsFromFirstAnswer());
        out.seconds("alignmentSeconds", foreign.alignmentNanos(), 3);
        out.number(
                "unseenSeconds",
                foreign.unseen().stream()
                                .mapToLong(span -> span.toNanos() - span.fromNanos())
                                .sum()
                        / 1e9,
                3);
    }

    private void errors(Optional<LoadBin.Errors> counted) {
        if (counted.isEmpty()) {
            out.nothing("errors");
            out.nothing("errorsByKind");
            return;
        }
        LoadBin.Errors errors = counted.get();
        out.integer("errors", errors.total());
        out.object("errorsByKind", () -> {
            out.integer("refused", errors.refused());
            out.integer("reset", errors.reset());
            out.integer("timeout", errors.timeout());
            out.integer("non2xx", errors.non2xx());
            out.integer("badBody", errors.badBody());
        });
    }

    private void phase(ServedLoad.PhaseSummary phase) {
        out.text("name", phase.name());
        out.flag("load", phase.load());
        out.number("startSeconds", phase.startSeconds(), 3);
        out.number("durationSeconds", phase.durationSeconds(), 3);
        out.integer("requests", phase.requests());
        out.number("throughput", phase.throughput(), 2);
        out.number("p50Millis", millis(phase, PhaseLatency::p50Nanos), 3);
        out.number(
                "p99Millis",
                phase.latency()
                        .map(PhaseLatency::p99Nanos)
                        .filter(p99 -> p99 > 0)
                        .map(p99 -> p99 / 1e6),
                3);
        out.number("maxMillis", millis(phase, PhaseLatency::maxNanos), 3);
        out.number("cpuPerRequestMicros", phase.cost().cpuPerRequestMicros(), 2);
        out.number("allocationPerRequestKib", phase.cost().allocationPerRequest(), 3);
        if (!phase.cost().loops().isEmpty()) {
            out.array("generatorLoops", () -> phase.cost().loops().forEach(share -> out.number(share, 4)));
        }
    }

    private static Optional<Double> millis(ServedLoad.PhaseSummary phase, ToLongFunction<PhaseLatency> nanos) {
        return phase.latency().map(latency -> nanos.applyAsLong(latency) / 1e6);
    }

    private void observed(WindowStatistics seen) {
        out.number("c2CpuShare", seen.c2CpuShare(), 4);
        out.number("c2WaitShare", seen.c2WaitShare(), 4);
        out.integer("compilations", seen.compilations());
        out.number("compileSeconds", seen.compileSeconds(), 3);
        out.integer("maxRssBytes", seen.maxRssBytes());
        out.integer("maxPssBytes", seen.totals().maxPssBytes());
        out.number("throttledSeconds", seen.totals().throttledSeconds(), 3);
        out.number("labBusy", seen.labBusy(), 4);
        out.number("stealShare", seen.stealShare(), 4);
        out.objects("threads", seen.threads(), this::threads);
        out.objects("parts", seen.parts(), this::part);
    }

    private void threads(WindowStatistics.ThreadGroup group) {
        out.text("name", group.name());
        out.text("role", group.role());
        out.integer("threads", group.threads());
        out.number("cpuShare", group.cpuShare(), 4);
        out.number("waitShare", group.waitShare(), 4);
        out.number("voluntaryPerSecond", group.voluntaryPerSecond(), 2);
        out.number("involuntaryPerSecond", group.involuntaryPerSecond(), 2);
    }

    private void part(WindowStatistics.PartUse part) {
        out.text("part", part.part());
        out.number("cpuShare", part.cpuShare(), 4);
        out.number("waitShare", part.waitShare(), 4);
        out.number("totalCpuSeconds", part.totalCpuSeconds(), 3);
    }
}
