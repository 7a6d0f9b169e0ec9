package dev.kiln.report;

import dev.kiln.explain.study.Claims.ClaimResult;
import dev.kiln.explain.study.Claims.ClaimResult.CheckResult;
import dev.kiln.explain.study.Claims.ClaimResult.State;
import java.util.List;
import java.util.OptionalDouble;

/** Claims in {@code result.json}; left out where the experiment has none. */
record ClaimsJson(JsonOut out) {
    void write(List<ClaimResult> claims) {
        if (!claims.isEmpty()) {
            out.array("claims", () -> claims.forEach(claim -> out.object(() -> claim(claim))));
        }
    }

    private void claim(ClaimResult claim) {
        out.text("text", claim.claim().text());
        out.text("published", claim.claim().published());
        out.text("state", state(claim.state()));
        out.array("checks", () -> claim.checks().forEach(check -> out.object(() -> check(check))));
        out.texts("missing", claim.missing());
    }

    private void check(CheckResult check) {
        out.text("text", check.check().text());
        out.number("left", finite(check.left()), 3);
        out.number("right", finite(check.right()), 3);
        out.integer("runs", check.runs());
        if (check.observable() && !check.open()) {
            out.flag("holds", check.holds());
        } else {
            out.nothing("holds");
        }
    }

    /** A time that was never reached is null, as everywhere. */
    private static OptionalDouble finite(OptionalDouble value) {
        return value.isPresent() && Double.isFinite(value.getAsDouble()) ? value : OptionalDouble.empty();
    }

    private static String state(State state) {
        return switch (state) {
            case AGREES -> "agrees";
            case DISAGREES -> "does-not-agree";
            case NOT_OBSERVABLE -> "not-observable";
        };
    }
}
