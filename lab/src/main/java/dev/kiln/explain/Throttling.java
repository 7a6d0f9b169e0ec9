package dev.kiln.explain;

import static dev.kiln.explain.Named.CGROUP_THROTTLING;
import static dev.kiln.explain.Named.proof;

import dev.kiln.model.CgroupSample;
import dev.kiln.model.Finding;
import java.util.List;
import java.util.Locale;

/** A CPU limit that cuts periods short. It looks like starvation to every thread, so it is judged first. */
final class Throttling implements Cause {
    @Override
    public Finding judge(Situation s, Judged earlier) {
        List<CgroupSample> samples = s.within(s.evidence().cgroup(), CgroupSample::timeNanos);
        if (samples.size() < 2) {
            return CGROUP_THROTTLING.notObservable("the cgroup's cpu.stat was not recorded while load went: it takes a"
                    + " cgroup with CPU control, version 1 or 2, that can be read");
        }
        CgroupSample first = samples.getFirst();
        CgroupSample last = samples.getLast();
        long periods = last.periods() - first.periods();
        long throttled = last.throttledPeriods() - first.throttledPeriods();
        if (periods <= 0) {
            return CGROUP_THROTTLING.ruledOut(proof("no CPU limit was in force", s.moment()));
        }
        double share = (double) throttled / periods;
        String text = String.format(
                Locale.ROOT,
                "the cgroup's CPU limit cut %,d of %,d periods short (%.0f %%), %.1f s of waiting in %.0f s",
                throttled,
                periods,
                100 * share,
                (last.throttledNanos() - first.throttledNanos()) / 1e9,
                (last.timeNanos() - first.timeNanos()) / 1e9);
        return share >= Thresholds.THROTTLED
                ? CGROUP_THROTTLING.held(share, List.of(proof(text, s.moment())), Remedies.THROTTLED)
                : CGROUP_THROTTLING.ruledOut(proof(text, s.moment()));
    }
}
