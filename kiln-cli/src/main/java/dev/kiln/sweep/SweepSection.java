package dev.kiln.sweep;

import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.study.SweepResult;
import dev.kiln.explain.study.SweepResult.Density;
import dev.kiln.explain.study.SweepResult.SweepConfiguration;
import dev.kiln.explain.study.SweepResult.SweepPoint;
import dev.kiln.model.run.DensityStudy;
import dev.kiln.report.JsonOut;
import dev.kiln.report.Section;
import dev.kiln.report.TerminalStyle;
import dev.kiln.report.html.Html;
import dev.kiln.stats.ScalabilityFit;
import dev.kiln.stats.ScalabilityFit.TooFewLevels;
import dev.kiln.stats.ScalabilityFit.UniversalScalability;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/** A SweepSection shows throughput by connections, where the variants are levels of a sweep. */
public final class SweepSection implements Section {
    @Override
    public boolean in(ExperimentResult result) {
        return result.sweep().isPresent();
    }

    @Override
    public String html(ExperimentResult result) {
        return Html.section("sweep", "By connections", HtmlSweep.html(sweep(result)));
    }

    @Override
    public void json(JsonOut out, ExperimentResult result) {
        new SweepJson(out).write(sweep(result));
    }

    @Override
    public Optional<String> terminal(ExperimentResult result, TerminalStyle style) {
        return Optional.of(SweepReport.terminal(result, sweep(result), style));
    }

    @Override
    public Map<String, String> files(ExperimentResult result) {
        SweepResult sweep = sweep(result);
        return Map.of("sweep.csv", SweepReport.csv(sweep), "sweep.md", SweepReport.markdown(result, sweep));
    }

    private static SweepResult sweep(ExperimentResult result) {
        return result.sweep().orElseThrow();
    }

    /** SweepJson is {@code sweep} of {@code result.json}. */
    record SweepJson(JsonOut out) {
        private static final int DECIMALS = 3;

        /** Kappa is often of the order of a millionth. */
        private static final int FINE = 12;

        void write(SweepResult sweep) {
            out.object("sweep", () -> {
                out.objects("configurations", sweep.configurations(), this::configuration);
                out.object("density", sweep.density(), this::density);
                out.texts("notes", sweep.notes());
            });
        }

        private void configuration(SweepConfiguration one) {
            out.text("name", one.name());
            out.objects("levels", one.points(), this::level);
            out.object("universalScalabilityLaw", () -> law(one.fit()));
        }

        private void level(SweepPoint p) {
            out.integer("connections", p.connections());
            out.integer("runs", p.runs().recorded());
            out.integer("validRuns", p.runs().valid());
            out.number("throughput", p.throughput().mean(), DECIMALS);
            out.array(
                    "throughputs",
                    () -> Arrays.stream(p.throughput().perRun()).forEach(each -> out.number(each, DECIMALS)));
            out.flag("lowerBound", p.throughput().lowerBound());
            out.number("highestSecond", p.throughput().bestSecond(), DECIMALS);
            out.object("responseMillis", p.response(), r -> {
                out.number("mean", r.mean(), DECIMALS);
                out.number("p50", r.p50(), DECIMALS);
                out.number("p90", r.p90(), DECIMALS);
                out.number("p99", r.p99(), DECIMALS);
                out.number("p99.9", r.p999(), DECIMALS);
                out.number("max", r.max(), DECIMALS);
                out.flag("coordinatedOmission", true);
            });
            out.number("startSeconds", p.startSeconds(), DECIMALS);
            out.integer("maxRssBytes", p.memory().maxRssBytes());
            out.integer("maxPssBytes", p.memory().maxPssBytes());
            out.number("steadySeconds", p.steady().seconds(), DECIMALS);
            out.integer("steadyRuns", p.steady().runs());
            out.integer("errors", p.runs().errors());
        }

        private void law(ScalabilityFit fit) {
            switch (fit) {
                case TooFewLevels few -> {
                    out.integer("levels", few.levels());
                    out.integer("levelsNeeded", few.needed());
                    out.text("notEnoughData", few.why());
                }
                case UniversalScalability law -> {
                    out.integer("levels", law.data().levels());
                    out.integer("points", law.data().points());
                    coefficient("lambda", law.coefficients().lambda());
                    coefficient("sigma", law.coefficients().sigma());
                    coefficient("kappa", law.coefficients().kappa());
                    out.number("residualSd", law.residualSd(), DECIMALS);
                    out.object("peak", law.peak(), peak -> {
                        out.number("connections", peak.connections(), DECIMALS);
                        out.number("throughput", peak.throughput(), DECIMALS);
                    });
                    out.number("peakFrom", law.peakRange().lo(), DECIMALS);
                    out.number("peakTo", law.peakRange().hi(), DECIMALS);
                    out.object("plateau", law.plateauTold(), plateau -> {
                        out.number("connections", plateau.connections(), DECIMALS);
                        out.number("throughput", plateau.throughput(), DECIMALS);
                    });
                    out.flag("peakTold", law.peakTold());
                    out.flag("peakMeasured", law.peakMeasured());
                    out.number("confidence", law.confidence(), DECIMALS);
                }
            }
        }

        private void coefficient(String name, UniversalScalability.Coefficient c) {
            out.object(name, () -> {
                out.number("value", c.value(), FINE);
                out.number("lo", c.lo(), FINE);
                out.number("hi", c.hi(), FINE);
                out.flag("atItsBound", c.held());
            });
        }

        private void density(Density density) {
            out.integer("memoryBytes", density.memoryBytes());
            out.objects("theory", density.theory(), this::theory);
            out.objects("verified", density.verified(), this::verified);
        }

        private void theory(Density.Theory t) {
            out.text("configuration", t.configuration());
            out.text("by", t.by().name());
            out.integer("bytes", t.bytes());
            out.integer("processes", t.processes());
            out.integer("connections", t.best().connections());
            out.number("throughput", t.best().throughput().mean(), DECIMALS);
            out.flag("lowerBound", t.best().throughput().lowerBound());
            out.number("summedThroughput", t.summed(), DECIMALS);
            out.number("shareOfFirst", t.shareOfFirst(), DECIMALS);
        }

        private void verified(DensityStudy.MeasuredProcess m) {
            out.text("configuration", m.configuration());
            out.integer("processes", m.processes());
            out.integer("connections", m.connections());
            out.number("seconds", m.seconds(), DECIMALS);
            out.number("throughput", m.throughput(), DECIMALS);
            out.integer("errors", m.errors());
            out.integer("rssBytes", m.rssBytes());
            out.integer("pssBytes", m.pssBytes());
            out.texts("notes", m.notes());
        }
    }
}
