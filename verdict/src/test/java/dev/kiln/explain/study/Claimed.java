package dev.kiln.explain.study;

import static dev.kiln.explain.HandMade.measured;
import static dev.kiln.explain.HandMade.seconds;
import static dev.kiln.explain.HandMade.then;

import dev.kiln.explain.HandMade;
import dev.kiln.explain.study.ExperimentResult.ClaimResult;
import dev.kiln.model.Metric;
import dev.kiln.model.experiment.Claim;
import dev.kiln.model.experiment.Claim.Check;
import dev.kiln.model.experiment.Claim.Figure;
import dev.kiln.model.experiment.Claim.Number;
import dev.kiln.model.experiment.Claim.Op;
import dev.kiln.stats.AnalysisConfig;
import java.util.List;
import java.util.Optional;

/** Claimed are claims, and what comes out of them for runs made by hand. */
final class Claimed {
    private Claimed() {}

    static Claim claim(Check... checks) {
        return new Claim("claimed", "published", List.of(checks), Optional.empty());
    }

    static Figure figure(Metric metric, String variant) {
        return new Figure(1, "", metric.id(), variant, Optional.empty());
    }

    static Check check(Metric metric, String variant, Op op, double number) {
        return new Check(figure(metric, variant), op, new Number(number, "" + number));
    }

    static ClaimResult answer(Claim claim, HandMade... runs) {
        Assessment assessment = new Assessment(AnalysisConfig.defaults(), List.of(claim));
        for (HandMade run : runs) {
            assessment.add(run.evidence());
        }
        return assessment.result("by hand").claims().getFirst();
    }

    /** 400 requests/s until the pause and 1000 after it; then one that is at its peak after 20 s. */
    static HandMade starved() {
        return measured("starved", 1000, seconds(60, 400));
    }

    static HandMade fed() {
        return measured("fed", 1200, then(seconds(20, 300), seconds(40, 1200)));
    }

    static double figure(HandMade run, Metric metric, String part) {
        Check check = new Check(new Figure(1, "", metric.id(), "fed", Optional.of(part)), Op.MORE, new Number(0, "0"));
        return answer(claim(check), run).checks().getFirst().left().orElse(Double.NaN);
    }
}
