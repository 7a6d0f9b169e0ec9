package dev.kiln.plan;

import dev.kiln.model.Claim;
import dev.kiln.model.Claim.Check;
import dev.kiln.model.Variant;
import dev.kiln.plan.Node.Kind;
import dev.kiln.plan.Node.Scalar;
import dev.kiln.plan.Node.Sequence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code claims:}, a list of what the figures are to be held against. */
final class ClaimBinder {
    private static final String EXPECTED = "a claim with text and check";

    private final CheckText checks;
    private final boolean variantsKnown;
    private final Problems problems;

    /** @param variants none where they were wrong: claims then cannot be checked, and are not blamed */
    ClaimBinder(List<Variant> variants, Problems problems) {
        this.checks = new CheckText(variants.stream().map(Variant::name).toList());
        this.variantsKnown = !variants.isEmpty();
        this.problems = problems;
    }

    List<Claim> bind(Fields experiment) {
        Optional<Node> node = experiment.node("claims");
        if (node.isEmpty() || !variantsKnown) {
            return List.of();
        }
        if (!(node.get() instanceof Sequence list)) {
            problems.add(
                    node.get().at(),
                    "claims: "
                            + BadValue.of(node.get().found(), "a list of claims")
                                    .text());
            return List.of();
        }
        List<Claim> claims = new ArrayList<>();
        for (Node item : list.items()) {
            Fields.of(item, Section.CLAIM, EXPECTED, problems)
                    .flatMap(this::claim)
                    .ifPresent(claims::add);
        }
        return claims;
    }

    private Optional<Claim> claim(Fields fields) {
        if (!fields.has("text")) {
            problems.add(fields.at(), "claims: found no text, expected " + EXPECTED);
        }
        if (fields.has("check") == fields.has("notObservable")) {
            String found = fields.has("check") ? "check and notObservable" : "neither check nor notObservable";
            problems.add(fields.at(), "claims: found " + found + ", expected one of them");
        }
        Optional<String> text = fields.parsed("text", "text", words -> words);
        return text.map(words -> new Claim(
                words,
                fields.parsed("published", "text", figures -> figures).orElse(""),
                fields.node("check").map(this::checks).orElse(List.of()),
                fields.parsed("notObservable", "text", why -> why)));
    }

    private List<Check> checks(Node node) {
        List<Node> items = node instanceof Sequence list ? list.items() : List.of(node);
        List<Check> parsed = new ArrayList<>();
        for (Node item : items) {
            if (item instanceof Scalar scalar && scalar.kind() == Kind.TEXT) {
                problems.attempt(scalar.at(), "check", () -> checks.parse(scalar.text()))
                        .ifPresent(parsed::add);
            } else {
                problems.add(
                        item.at(),
                        "check: "
                                + BadValue.of(item.found(), "text such as 'peak(a) > 1.5 * peak(b)'")
                                        .text());
            }
        }
        return parsed;
    }
}
