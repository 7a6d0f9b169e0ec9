package dev.kiln.plan;

import dev.kiln.model.Metric;
import dev.kiln.model.Metric.MetricUse;
import dev.kiln.model.experiment.Claim;
import dev.kiln.model.experiment.Claim.Check;
import dev.kiln.model.experiment.Claim.Figure;
import dev.kiln.model.experiment.Claim.Number;
import dev.kiln.model.experiment.Claim.Op;
import dev.kiln.model.experiment.Claim.Stretch;
import dev.kiln.model.experiment.Claim.Term;
import dev.kiln.model.experiment.Variant;
import dev.kiln.plan.text.Fields;
import dev.kiln.plan.text.Node;
import dev.kiln.plan.text.Node.NodeList;
import dev.kiln.plan.text.Node.Scalar;
import dev.kiln.plan.text.Node.ScalarKind;
import dev.kiln.plan.text.Problems;
import dev.kiln.plan.text.Problems.BadValue;
import dev.kiln.plan.text.Section;
import dev.kiln.text.Nearest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A ClaimBinder reads {@code claims:}, a list of what the figures are to be checked against. */
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
        if (!(node.get() instanceof NodeList list)) {
            problems.expected(node.get(), "claims", "a list of claims");
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
        fields.require("text", "claims", EXPECTED);
        if (fields.has("check") == fields.has("notObservable")) {
            String found = fields.has("check") ? "check and notObservable" : "neither check nor notObservable";
            problems.add(fields.at(), "claims", "found " + found + ", expected one of them");
        }
        Optional<String> text = fields.parsed("text", "text", words -> words);
        return text.map(words -> new Claim(
                words,
                fields.parsed("published", "text", figures -> figures).orElse(""),
                fields.node("check").map(this::checks).orElse(List.of()),
                fields.parsed("notObservable", "text", why -> why)));
    }

    private List<Check> checks(Node node) {
        List<Check> parsed = new ArrayList<>();
        for (Node item : node.items()) {
            if (item instanceof Scalar scalar && scalar.is(ScalarKind.TEXT)) {
                problems.attempt(scalar.at(), "check", () -> checks.parse(scalar.text()))
                        .ifPresent(parsed::add);
            } else {
                problems.expected(item, "check", "text such as 'peak(a) > 1.5 * peak(b)'");
            }
        }
        return parsed;
    }

    /** CheckText reads the check of a claim: {@code end-of-warmup(spring) < 0.7 * peak(spring)}. */
    record CheckText(List<String> variants) {
        private static final String EXPECTED =
                "two terms and <, <=, > or >= between them, such as 'peak(a) > 1.5 * peak(b)' or 't90(a) <= 60'";
        private static final String NUMBER = "(-?\\d{1,12}(?:\\.\\d{1,9})?)";
        private static final Pattern CHECK = Pattern.compile("([^<>=]+)(<=|>=|<|>)([^<>=]+)");
        private static final Pattern PLAIN = Pattern.compile(NUMBER);
        private static final Pattern FIGURE = Pattern.compile("(?:" + NUMBER
                + "\\s*\\*\\s*)?([A-Za-z0-9-]+)\\s*\\(\\s*([^(),\\s]+)\\s*(?:,\\s*([^(),\\s]+)\\s*)?\\)");

        Check parse(String text) {
            Matcher check = CHECK.matcher(text);
            if (!check.matches()) {
                throw BadValue.of("'" + text + "'", EXPECTED);
            }
            Op op = Arrays.stream(Op.values())
                    .filter(known -> known.text().equals(check.group(2)))
                    .findFirst()
                    .orElseThrow();
            Check parsed = new Check(
                    term(check.group(1).strip()), op, term(check.group(3).strip()));
            if (parsed.left() instanceof Number && parsed.right() instanceof Number) {
                throw BadValue.of("two numbers in '" + text + "'", "a metric of a variant on one side at least");
            }
            if (parsed.left() instanceof Figure left
                    && parsed.right() instanceof Figure right
                    && !left.known().unit().equals(right.known().unit())) {
                throw BadValue.of(left.metric() + " against " + right.metric(), "two metrics of one unit");
            }
            return parsed;
        }

        private Term term(String text) {
            if (PLAIN.matcher(text).matches()) {
                return new Number(Double.parseDouble(text), text);
            }
            Matcher figure = FIGURE.matcher(text);
            if (!figure.matches()) {
                throw BadValue.of(
                        "'" + text + "'",
                        "a number, or metric(variant) or metric(variant, part), with a factor before it or none");
            }
            String factor = figure.group(1) == null ? "" : figure.group(1);
            String metric = figure.group(2);
            if (Metric.known(metric, MetricUse.CLAIMED).isEmpty()) {
                throw new BadValue(Nearest.complaint("metric", metric, Metric.ids(MetricUse.CLAIMED)));
            }
            String variant = figure.group(3);
            if (!variants.contains(variant)) {
                throw new BadValue(Nearest.complaint("variant", variant, variants));
            }
            Optional<String> part = Optional.ofNullable(figure.group(4));
            part.ifPresent(name -> check(metric, name));
            return new Figure(factor.isEmpty() ? 1 : Double.parseDouble(factor), factor, metric, variant, part);
        }

        private static void check(String metric, String part) {
            if (Stretch.of(part).isEmpty()) {
                throw BadValue.of(
                        "'" + part + "'",
                        "a part of a run: " + String.join(", ", Stretch.names()) + ", or seconds such as 0-30s");
            }
            if (Metric.known(metric, MetricUse.OF_PARTS).isEmpty()) {
                throw BadValue.of(
                        metric + " of a part of a run", "one of " + String.join(", ", Metric.ids(MetricUse.OF_PARTS)));
            }
        }
    }
}
