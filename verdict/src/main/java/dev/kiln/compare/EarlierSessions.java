package dev.kiln.compare;

import dev.kiln.stats.Series;
import dev.kiln.stats.Sessions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** EarlierSessions of one configuration say, by how much they differ, what a difference of two is worth. */
public record EarlierSessions(List<Configuration> all) {
    /** This is the value where no earlier session is known. */
    public static final EarlierSessions NONE = new EarlierSessions(List.of());

    /** A Scale is what differences are taken of: logarithms for a ratio, the values for a difference. */
    public enum Scale {
        LOGARITHMS,
        VALUES
    }

    public EarlierSessions {
        all = List.copyOf(all);
    }

    /**
     * Returns the sessions that say something of these sides: those of one of their variants, under the same
     * circumstances, without the sides themselves. Where all are of one variant, it is the one that is meant.
     */
    public EarlierSessions of(List<Configuration> sides) {
        List<Configuration> others = all.stream()
                .filter(one -> sides.stream().noneMatch(one::sameSession))
                .toList();
        boolean one = others.stream().map(EarlierSessions::variant).distinct().count() == 1;
        return new EarlierSessions(others.stream()
                .filter(earlier -> sides.stream()
                        .anyMatch(side -> earlier.sameCircumstances(side)
                                && (one || variant(earlier).equals(variant(side)))))
                .toList());
    }

    private static String variant(Configuration one) {
        return one.origin().variant();
    }

    /** Returns that two sides are of one session, or how much sessions differ, as far as earlier ones tell. */
    Sessions between(Configuration a, Configuration b, Quantity metric, Scale scale) {
        return a.sameSession(b) ? Sessions.ONE : spread(metric, scale).orElse(Sessions.UNKNOWN);
    }

    private Optional<Sessions> spread(Quantity metric, Scale scale) {
        Map<String, List<double[]>> byName = new LinkedHashMap<>();
        for (Configuration session : all) {
            session.metric(metric.id())
                    .flatMap(measured -> values(measured, metric, scale))
                    .ifPresent(values -> byName.computeIfAbsent(variant(session), name -> new ArrayList<>())
                            .add(values));
        }
        return Sessions.Known.of(List.copyOf(byName.values()));
    }

    /** Returns a session's values in the metric's unit or as logarithms; empty where a run has none. */
    private static Optional<double[]> values(Measured measured, Quantity metric, Scale scale) {
        var factor = Quantity.factor(measured.metric().unit(), metric.unit());
        boolean logarithms = scale == Scale.LOGARITHMS;
        if (measured.anyCensored() || (logarithms ? !measured.positive(measured) : factor.isEmpty())) {
            return Optional.empty();
        }
        return Optional.of(
                logarithms
                        ? Series.logs(measured.values())
                        : measured.scaled(factor.orElse(1), metric.unit()).values());
    }
}
