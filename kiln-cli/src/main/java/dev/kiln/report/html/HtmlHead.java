package dev.kiln.report.html;

import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.explain.study.Headline;
import dev.kiln.model.run.RunInfo;
import dev.kiln.report.Differing;
import dev.kiln.report.Facts;
import dev.kiln.report.Launches;
import dev.kiln.text.Show;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** HtmlHead is the top of a report: the answer, how sure it is and why, then what was measured and in what variants differ. */
final class HtmlHead {
    private final ExperimentResult result;
    private final StringBuilder facts = new StringBuilder();

    private HtmlHead(ExperimentResult result) {
        this.result = result;
    }

    /** @param compared whether the conclusion is that of a comparison, which says it all */
    static String conclusion(ExperimentResult result, boolean compared) {
        if (compared) {
            return Frame.conclusion(result.conclusion());
        }
        Headline headline = Headline.of(result);
        return Frame.conclusion(headline.answer())
                + Frame.lines("sure", headline.sure())
                + Frame.lines("because", headline.why());
    }

    static String facts(ExperimentResult result) {
        HtmlHead head = new HtmlHead(result);
        head.differs();
        head.fact("Load", head.each(head::load));
        head.fact("Protocol", head.protocol());
        head.fact("JDK", words(Launches.byJdk(result)));
        head.fact("Target's CPUs", head.cpus());
        head.fact("Measured", head.measured());
        return "<dl class=\"facts\">\n" + head.facts + "</dl>";
    }

    private void differs() {
        Differing.of(result).ifPresent(found -> {
            List<String> hidden = found.stream()
                    .filter(Differing::isHidden)
                    .map(Differing::key)
                    .toList();
            String seen = found.stream()
                    .filter(one -> !one.isHidden())
                    .map(HtmlHead::differs)
                    .collect(Collectors.joining());
            facts.append(Html.term(
                    "What differs",
                    (seen.isEmpty() ? "nothing in their commands, environment, JDK or modifiers" : seen)
                            + (hidden.isEmpty()
                                    ? ""
                                    : "<div><small>hidden, so not compared: " + Html.escape(String.join(", ", hidden))
                                            + "</small></div>")));
        });
    }

    private static String differs(Differing one) {
        return "<div><b>" + Html.escape(one.key()) + "</b>: "
                + IntStream.range(0, one.values().size())
                        .mapToObj(v -> "<span class=\"value\">"
                                + Html.variant(v, one.values().get(v)) + "</span>")
                        .collect(Collectors.joining(" | "))
                + "</div>";
    }

    /** Returns how much was sent at a time, and by what; empty where it is not known. */
    private String load(RunInfo info) {
        if (info.imported()) {
            return "recorded by " + recorder(info).orElse("another program");
        }
        return info.load().calls().isEmpty()
                ? ""
                : (result.sweep().isPresent()
                                ? (info.load().rate().isPresent() ? "open" : "closed")
                                        + " loop, the connections of each level"
                                : Facts.loop(info.load()))
                        + "; sent by " + recorder(info).orElse(info.driver());
    }

    private static Optional<String> recorder(RunInfo info) {
        return info.provenance().map(foreign -> String.join(", ", foreign.sources()));
    }

    /** Variants of several experiments may have several protocols. */
    private String protocol() {
        String each = each(info -> Facts.protocol(info.protocol()));
        long different = result.launches().values().stream()
                .map(RunInfo::protocol)
                .distinct()
                .count();
        return different > 1 ? each : Facts.protocol(result.protocol());
    }

    /** Returns a fact of all variants; where it is not the same of all, with the names of those that it holds for. */
    private String each(Function<RunInfo, String> fact) {
        // The levels of a sweep differ in their load, and are called by it.
        if (result.launches().isEmpty() || result.sweep().isPresent()) {
            return result.how().map(fact).orElse("");
        }
        Map<String, List<String>> found = new LinkedHashMap<>();
        result.launches()
                .forEach((variant, info) -> found.computeIfAbsent(fact.apply(info), text -> new ArrayList<>())
                        .add(variant));
        return words(found);
    }

    private static String words(Map<String, List<String>> variantsByFact) {
        return variantsByFact.size() == 1
                ? variantsByFact.keySet().iterator().next()
                : variantsByFact.entrySet().stream()
                        .filter(fact -> !fact.getKey().isEmpty())
                        .map(fact -> fact.getKey() + ": " + String.join(", ", fact.getValue()))
                        .collect(Collectors.joining("; "));
    }

    private String cpus() {
        return result.how()
                .filter(info -> info.host().cpus() > 0)
                .map(info -> (info.imported() ? "" : Facts.cpusOf(info.cpus()) + "; the machine has ")
                        + Show.plural(info.host().cpus(), "CPU")
                        + (info.host().cpuModel().isBlank()
                                ? ""
                                : " (" + info.host().cpuModel() + ")"))
                .orElse("");
    }

    /** Returns how many runs there are, and when they were launched: the first minute, and the last of variants of other days. */
    private String measured() {
        int runs = result.variants().stream().mapToInt(v -> v.runs().size()).sum();
        String counted = Show.plural(result.variants().size(), "variant") + ", " + Show.plural(runs, "run");
        long[] launched = result.launches().values().stream()
                .mapToLong(RunInfo::launchEpochMillis)
                .filter(millis -> millis > 0)
                .sorted()
                .toArray();
        if (launched.length == 0) {
            return counted;
        }
        String first = Facts.minute(launched[0]);
        String last = Facts.minute(launched[launched.length - 1]);
        boolean sameDay = first.substring(0, 10).equals(last.substring(0, 10));
        return first + (sameDay ? "" : " to " + last) + "; " + counted;
    }

    /** Adds a line unless nothing is known. */
    private void fact(String name, String value) {
        if (!value.isEmpty()) {
            facts.append(Html.term(name, Html.prose(value)));
        }
    }
}
