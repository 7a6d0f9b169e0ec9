package dev.kiln.report.html;

import dev.kiln.explain.study.ExperimentResult;
import dev.kiln.model.run.RunInfo;
import dev.kiln.report.Launches;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * HtmlLaunches shows each variant: what it has that the first one has not, its command to copy, and what Kiln put
 * around that.
 */
final class HtmlLaunches {
    private HtmlLaunches() {}

    /** Returns the section; empty where nothing is known of any launch. */
    static String html(ExperimentResult result) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < result.variants().size(); i++) {
            String name = result.variants().get(i).name();
            Optional<RunInfo> known = Optional.ofNullable(result.launches().get(name));
            if (known.flatMap(Launches::command).isPresent()) {
                out.append("<h3>").append(Html.variant(i, name)).append("</h3>\n<dl class=\"launch\">\n");
                // Levels of a sweep differ in their load.
                if (i > 0 && result.sweep().isEmpty()) {
                    Launches.differences(result, name)
                            .ifPresent(found -> row(out, "Differs", differences(result, found)));
                }
                known.flatMap(Launches::command)
                        .ifPresent(command -> row(out, "Command", "<pre>" + Html.code(command) + "</pre>"));
                known.map(Launches::aroundIt)
                        .filter(lines -> !lines.isEmpty())
                        .ifPresent(lines -> row(out, "Kiln added", codes(lines)));
                out.append("</dl>\n");
            }
        }
        return out.toString();
    }

    private static String differences(ExperimentResult result, List<String> found) {
        return found.isEmpty()
                ? "in no word of its command, environment, JDK or modifiers"
                : "from " + Html.escape(result.variants().getFirst().name()) + " in" + codes(found);
    }

    private static String codes(List<String> lines) {
        return lines.stream().map(line -> "<div>" + Html.code(line) + "</div>").collect(Collectors.joining());
    }

    private static void row(StringBuilder out, String name, String html) {
        out.append("<dt>").append(name).append("</dt><dd>").append(html).append("</dd>\n");
    }
}
